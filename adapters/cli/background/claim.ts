// Claim
// Records in a data folder which process keeps that folder's engine running in the background.
//
//   Owns:          the note that names the process, and deciding whether the note is valid or stale.
//   Does not own:  reading and writing files of the folder (wiring), keeping out a second engine (the store's lock).
//
// BACKGROUND-CLAIM-1. The note that a process keeps an engine running is valid only while that process runs. Once the process has
//     ended, the note is stale, even if another process gets the same id. A note with a process id of 1 or less is never valid.
// BACKGROUND-CLAIM-2. While the process that wrote the note runs, no other process removes the note.

import { z } from "zod";
import { jsonIn } from "../../../machines/json.ts";
import type { Slot, Wiring } from "../wiring.ts";

const NOTE = z.object({ pid: z.int().min(2), mark: z.string().min(1) });
type Note = z.output<typeof NOTE>;

export interface Claimed {
  readonly pid: number;
  /** False if the process has ended without removing its note. */
  readonly isAlive: boolean;
}

export class Claim {
  readonly #slot: Slot;
  readonly #markOf: Wiring["markOf"];

  constructor(slot: Slot, markOf: Wiring["markOf"]) {
    this.#slot = slot;
    this.#markOf = markOf;
  }

  async holder(): Promise<Claimed | undefined> {
    const note = noteIn(await this.#slot.read());
    return note && { pid: note.pid, isAlive: this.isSame(note) };
  }

  isSame({ pid, mark }: Note): boolean {
    return this.#markOf(pid) === mark;
  }

  /** Writes the note for this process. @returns the id of another process that already holds the folder. */
  async take(pid: number): Promise<number | undefined> {
    const text = this.#textOf(pid);
    const there = noteIn(await this.#slot.make(text));
    if (there?.pid === pid) return undefined;
    if (there && this.isSame(there)) return there.pid;
    await this.#slot.write(text);
    return undefined;
  }

  /** Called once this process certainly runs the engine. Writes its note again: another process may have replaced the note. */
  async confirm(pid: number): Promise<void> {
    await this.#slot.write(this.#textOf(pid));
  }

  async drop(pid: number): Promise<void> {
    const note = noteIn(await this.#slot.read());
    if (note === undefined || note.pid === pid || !this.isSame(note)) await this.#slot.remove();
  }

  #textOf(pid: number): string {
    return `${JSON.stringify({ pid, mark: this.#markOf(pid) ?? "" })}\n`;
  }
}

const noteIn = (text: string | undefined): Note | undefined => NOTE.safeParse(jsonIn(text)).data;
