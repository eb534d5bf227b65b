// Claim
// Records which process keeps a data folder's engine running in the background.
//
//   Owns:          the note in the data folder, telling a stale note from a valid one.
//   Does not own:  the folder's files (wiring), keeping out a second engine (the store's lock).
//
// BACKGROUND-CLAIM-1. A note is valid only while the very process that wrote it runs: another process may have the same id. A
//     note with an id of 1 or less is never valid.
// BACKGROUND-CLAIM-2. Only the process that wrote a note removes it, unless that process has ended.

import { z } from "zod";
import { jsonIn } from "../../../machines/json.ts";
import type { Slot } from "../wiring.ts";

const NOTE = z.object({ pid: z.int().min(2), mark: z.string().min(1) });
type Note = z.output<typeof NOTE>;

type MarkOf = (pid: number) => string | undefined;

export interface Claimed {
  readonly pid: number;
  /** False for a process that has ended and left its note. */
  readonly isAlive: boolean;
}

export class Claim {
  readonly #slot: Slot;
  readonly #markOf: MarkOf;

  constructor(slot: Slot, markOf: MarkOf) {
    this.#slot = slot;
    this.#markOf = markOf;
  }

  /** @returns the process of the note; undefined if there is no note. */
  async holder(): Promise<Claimed | undefined> {
    const note = noteIn(await this.#slot.read());
    return note && { pid: note.pid, isAlive: this.isSame(note) };
  }

  /** Whether the process that wrote the note still runs. */
  isSame({ pid, mark }: Note): boolean {
    return this.#markOf(pid) === mark;
  }

  /** Writes the note for this process. @returns the process that holds the folder already. */
  async take(pid: number): Promise<number | undefined> {
    const text = this.#textOf(pid);
    const there = noteIn(await this.#slot.make(text));
    if (there?.pid === pid) return undefined;
    if (there && this.isSame(there)) return there.pid;
    await this.#slot.write(text);
    return undefined;
  }

  /** Writes the note again, once this process certainly runs the engine. */
  async confirm(pid: number): Promise<void> {
    await this.#slot.write(this.#textOf(pid));
  }

  /** Removes the note of this process, or of one that has ended (BACKGROUND-CLAIM-2). */
  async drop(pid: number): Promise<void> {
    const note = noteIn(await this.#slot.read());
    if (note === undefined || note.pid === pid || !this.isSame(note)) await this.#slot.remove();
  }

  #textOf(pid: number): string {
    return `${JSON.stringify({ pid, mark: this.#markOf(pid) ?? "" })}\n`;
  }
}

/** A text that is not our note names nobody. */
const noteIn = (text: string | undefined): Note | undefined => NOTE.safeParse(jsonIn(text)).data;
