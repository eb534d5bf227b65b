// Claim
// Which process keeps a data folder's engine running in the background.
//
//   Owns:          the note of it in the data folder, telling a stale one from one that holds.
//   Does not own:  the folder's files (wiring), keeping out a second engine (the store's lock).
//
// BACKGROUND-CLAIM-1. A process counts only if it is the one that wrote the note: the id alone proves nothing, and an
//     id of 1 or less is never ours.
// BACKGROUND-CLAIM-2. A note is taken away by the process that wrote it, or once that has ended.

import { z } from "zod";
import { jsonIn } from "../../../machines/json.ts";
import type { Slot } from "../wiring.ts";

const NOTE = z.object({ pid: z.int().min(2), mark: z.string().min(1) });
type Note = z.output<typeof NOTE>;

type MarkOf = (pid: number) => string | undefined;

export interface Claimed {
  readonly pid: number;
  /** False for one that has ended, without taking its note away. */
  readonly isAlive: boolean;
}

export class Claim {
  readonly #slot: Slot;
  readonly #markOf: MarkOf;

  constructor(slot: Slot, markOf: MarkOf) {
    this.#slot = slot;
    this.#markOf = markOf;
  }

  /** @returns whose it is; undefined where there is none. */
  async holder(): Promise<Claimed | undefined> {
    const note = noteIn(await this.#slot.read());
    return note && { pid: note.pid, isAlive: this.isSame(note) };
  }

  /** Whether the process that wrote the note still runs. */
  isSame({ pid, mark }: Note): boolean {
    return this.#markOf(pid) === mark;
  }

  /** Takes it for this process. @returns the process that holds it already. */
  async take(pid: number): Promise<number | undefined> {
    const text = this.#textOf(pid);
    const there = noteIn(await this.#slot.make(text));
    if (there?.pid === pid) return undefined;
    if (there && this.isSame(there)) return there.pid;
    await this.#slot.write(text);
    return undefined;
  }

  /** Takes it again: the engine is this process's for certain. */
  async confirm(pid: number): Promise<void> {
    await this.#slot.write(this.#textOf(pid));
  }

  /** BACKGROUND-CLAIM-2. */
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
