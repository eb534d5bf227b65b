// Pace
// Decides in which order a replay plays lines, and when it plays each.
//
//   Owns:          two ways to play: at full speed, file after file, or at the recorded speed, all files side by side.
//   Does not own:  reading lines, sending lines.
//
// REPLAY-PACE-1. The lines of one file are played in the file's order, whatever times they contain.

import { setTimeout as sleep } from "node:timers/promises";
import type { Numbered, ReplayFile } from "./files.ts";

export interface Due extends Numbered {
  readonly file: ReplayFile;
}

type Lines = (file: ReplayFile) => AsyncIterable<Numbered>;

export async function* atOnce(files: readonly ReplayFile[], lines: Lines): AsyncGenerator<Due> {
  for (const file of files) for await (const numbered of lines(file)) yield { ...numbered, file };
}

/**
 * Plays each line when it is due; a line without a time is due at once after the line before it. Streams and transcripts of
 * one session have wall times, and start as far apart as recorded. A file of hooks has times since its recorder's start, and
 * starts at once. @param speed 1 plays as fast as recorded.
 */
export async function* paced(files: readonly ReplayFile[], lines: Lines, speed: number): AsyncGenerator<Due> {
  const starts = startsOf(files);
  const tracks = await Promise.all(
    files.map((file) =>
      Track.open(file, starts.get(clockOf(file)) ?? 0, lines(file)[Symbol.asyncIterator]()),
    ),
  );
  const startMs = performance.now();
  for (;;) {
    const next = tracks.filter((track) => track.head !== undefined).sort((a, b) => a.dueMs - b.dueMs)[0];
    if (next?.head === undefined) return;
    const waitMs = next.dueMs / speed - (performance.now() - startMs);
    if (waitMs > 0) await sleep(waitMs);
    yield { ...next.head, file: next.file };
    await next.advance();
  }
}

const clockOf = ({ kind, sessionId, path }: ReplayFile): string => (kind === "hook" ? path : sessionId);

function startsOf(files: readonly ReplayFile[]): ReadonlyMap<string, number> {
  const starts = new Map<string, number>();
  for (const file of files) {
    if (file.startMs === undefined) continue;
    const clock = clockOf(file);
    starts.set(clock, Math.min(starts.get(clock) ?? file.startMs, file.startMs));
  }
  return starts;
}

class Track {
  readonly file: ReplayFile;
  readonly #startMs: number;
  readonly #lines: AsyncIterator<Numbered>;
  dueMs = 0;
  head: Numbered | undefined;

  private constructor(file: ReplayFile, startMs: number, lines: AsyncIterator<Numbered>) {
    this.file = file;
    this.#startMs = startMs;
    this.#lines = lines;
  }

  static async open(file: ReplayFile, startMs: number, lines: AsyncIterator<Numbered>): Promise<Track> {
    const track = new Track(file, startMs, lines);
    await track.advance();
    return track;
  }

  async advance(): Promise<void> {
    const next = await this.#lines.next();
    this.head = next.done === true ? undefined : next.value;
    const atMs = this.head?.line.atMs;
    if (atMs !== undefined) this.dueMs = Math.max(this.dueMs, atMs - this.#startMs);
  }
}
