// Places
// Stores how far each transcript was read, for the next process.
//
//   Owns:          the stored text, when it is written and read.
//   Does not own:  the file that contains it (data-folder), what a place means (place).
//
// TRANSCRIPTS-PLACES-1. A place is stored once the lines before it are durable. Files whose place is lost or unreadable are read
//     again, which changes nothing (TRANSCRIPTS-SENDING-1). A place is valid only for the journal that has the lines.

import { z } from "zod";
import { isId, type SessionId, type WorkspaceId } from "../../machines/index.ts";
import type { Clock } from "../../runtime/ports.ts";
import { codeOf } from "../../runtime/errors/trouble.ts";
import type { Place } from "./place.ts";
import type { Owner } from "./sending.ts";

/** Stores the text durably. */
export interface KeptText {
  read(): Promise<string | undefined>;
  write(text: string): Promise<void>;
}

export interface KeptFile extends Owner {
  readonly path: string;
  /** The path of the main transcript, for a subagent's file. */
  readonly main?: string | undefined;
  readonly isEnded: boolean;
  readonly place?: Place | undefined;
}

const mark = z.object({ length: z.int().nonnegative().max(65_536), hash: z.string() });
const id = z.string().refine(isId);
const kept = z.object({
  workspace: id,
  session: id,
  path: z.string(),
  main: z.string().optional(),
  isEnded: z.boolean(),
  place: z
    .object({ dev: z.string(), ino: z.string(), offset: z.int().nonnegative(), head: mark, last: mark })
    .optional(),
});
const all = z.object({ journal: z.string(), files: z.array(kept).max(10_000) });

/** @param journal the name of the journal that has the lines. */
function writePlaces(journal: string, files: readonly KeptFile[]): string {
  return `${JSON.stringify({ journal, files })}\n`;
}

/** @returns an empty list for a text that is of another journal, or cannot be read. */
function readPlaces(journal: string, text: string | undefined): readonly KeptFile[] {
  try {
    const found = all.parse(JSON.parse(text ?? ""));
    // The schema has checked both.
    const named = ({ workspace, session }: { workspace: string; session: string }): Owner => ({
      workspace: workspace as WorkspaceId,
      session: session as SessionId,
    });
    return found.journal === journal ? found.files.map((file) => ({ ...file, ...named(file) })) : [];
  } catch {
    return [];
  }
}

export interface PlaceKeeping {
  readonly clock: Clock;
  readonly journal: () => string;
  /** Where the places are stored; undefined to store none. */
  readonly places?: KeptText;
}

const SOON_MS = 300;
const AGAIN_MS = 2_000;

export class PlaceKeeper {
  readonly #keeping: PlaceKeeping;
  readonly #now: () => readonly KeptFile[];
  #dueAt: number | undefined;
  #saving: Promise<void> = Promise.resolve();
  /** The error code if the places cannot be stored. */
  failing: string | undefined;

  /** @param now returns the present places. */
  constructor(keeping: PlaceKeeping, now: () => readonly KeptFile[]) {
    this.#keeping = keeping;
    this.#now = now;
  }

  /** @returns the places of the previous process; an empty list if they cannot be read. */
  async read(): Promise<readonly KeptFile[]> {
    const { places, journal } = this.#keeping;
    try {
      return readPlaces(journal(), await places?.read());
    } catch (error) {
      this.failing = codeOf(error);
      return [];
    }
  }

  /** Notes that the places have changed since they were stored. */
  moved(inMs = SOON_MS): void {
    const dueAt = this.#keeping.clock.monotonic() + inMs;
    this.#dueAt = Math.min(this.#dueAt ?? dueAt, dueAt);
  }

  /** Stores the places if that is due; one write at a time. */
  look(): void {
    if (this.#dueAt === undefined || this.#dueAt > this.#keeping.clock.monotonic()) return;
    this.#dueAt = undefined;
    this.#saving = this.#saving.then(() => this.#save());
  }

  async stop(): Promise<void> {
    await this.#saving;
    if (this.#dueAt !== undefined) await this.#save();
  }

  async #save(): Promise<void> {
    const { places, journal } = this.#keeping;
    try {
      await places?.write(writePlaces(journal(), this.#now()));
      this.failing = undefined;
    } catch (error) {
      this.failing = codeOf(error);
      this.moved(AGAIN_MS);
    }
  }
}
