// Counts
// Counts what happened to transcripts and their lines, since the process began.
//
//   Owns:          the names of the counters.
//   Does not own:  showing the counts (metrics).

const LINES = ["taken", "repeated", "aside", "refused", "foreign"] as const;
const FILES = ["refused", "replaced", "truncated", "crowded"] as const;

export type LineFate = (typeof LINES)[number];
export type FileFate = (typeof FILES)[number];

export class Counts {
  readonly #lines = new Map<LineFate, number>(LINES.map((fate) => [fate, 0]));
  readonly #files = new Map<FileFate, number>(FILES.map((fate) => [fate, 0]));
  bytes = 0;
  /** How many bytes were never read, because they were written before the file was first seen and are too far back in it. */
  skippedBytes = 0;

  line(fate: LineFate): void {
    this.#lines.set(fate, (this.#lines.get(fate) ?? 0) + 1);
  }

  file(fate: FileFate): void {
    this.#files.set(fate, (this.#files.get(fate) ?? 0) + 1);
  }

  rows(): Readonly<Record<string, number>> {
    return {
      signalbox_transcript_bytes_total: this.bytes,
      signalbox_transcript_skipped_bytes_total: this.skippedBytes,
      ...labelled("signalbox_transcript_lines_total", this.#lines),
      ...labelled("signalbox_transcript_files_total", this.#files),
    };
  }
}

const labelled = (name: string, counts: ReadonlyMap<string, number>): Readonly<Record<string, number>> =>
  Object.fromEntries(Array.from(counts, ([what, n]) => [`${name}{what="${what}"}`, n]));
