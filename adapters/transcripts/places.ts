// Places
// Stores how far each transcript has been read, for the next process.
//
//   Owns:          the stored text, when the text is written and read.
//   Does not own:  the file that contains the text (data-folder), what a place means (place).
//
// TRANSCRIPTS-PLACES-1. A place is stored once the lines before it are durable, and is valid only for the journal that contains
//     those lines. A file without a valid place is read again from its beginning, which changes nothing (TRANSCRIPTS-SENDING-1).

import { z } from "zod";
import { isId, type SessionId, type WorkspaceId } from "../../machines/index.ts";
import type { Clock } from "../../runtime/ports.ts";
import { codeOf } from "../../runtime/errors/trouble.ts";
import type { Place } from "./place.ts";
import type { Owner } from "./sending.ts";

export interface KeptText {
  read(): Promise<string | undefined>;
  write(text: string): Promise<void>;
}

export interface KeptFile extends Owner {
  readonly path: string;
  /** For a subagent's file, the path of the session's main transcript. */
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

/** @returns the stored places; an empty list if the text belongs to another journal, or cannot be read. */
function readPlaces(journal: string, text: string | undefined): readonly KeptFile[] {
  try {
    const found = all.parse(JSON.parse(text ?? ""));
    // The casts are safe: the schema has checked both ids.
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
  /** The file in which the places are stored; undefined to store none. */
  readonly places?: KeptText;
}

const SOON_MS = 300;
const AGAIN_MS = 2_000;

export class PlaceKeeper {
  readonly #keeping: PlaceKeeping;
  readonly #now: () => readonly KeptFile[];
  #dueAt: number | undefined;
  #saving: Promise<void> = Promise.resolve();
  /** The error code if the places cannot be read or stored. */
  failing: string | undefined;

  constructor(keeping: PlaceKeeping, now: () => readonly KeptFile[]) {
    this.#keeping = keeping;
    this.#now = now;
  }

  /** @returns the places that the previous process stored; an empty list if they cannot be read. */
  async read(): Promise<readonly KeptFile[]> {
    const { places, journal } = this.#keeping;
    try {
      return readPlaces(journal(), await places?.read());
    } catch (error) {
      this.failing = codeOf(error);
      return [];
    }
  }

  /** Notes that the places have changed, and must be stored within a time. @param inMs ms. */
  moved(inMs = SOON_MS): void {
    const dueAt = this.#keeping.clock.monotonic() + inMs;
    this.#dueAt = Math.min(this.#dueAt ?? dueAt, dueAt);
  }

  /** Stores the places if it is time to do so, one write after another. */
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
      await places?.write(`${JSON.stringify({ journal: journal(), files: this.#now() })}\n`);
      this.failing = undefined;
    } catch (error) {
      this.failing = codeOf(error);
      this.moved(AGAIN_MS);
    }
  }
}
