// Places
// Stores how far each transcript has been read, for the next process.
//
//   Owns:          the stored text, when the text is written and read.
//   Does not own:  the file that contains the text (data-folder), what a place means (place).
//
// TRANSCRIPTS-PLACES-1. A place is stored once the lines before it are durable, and is valid only for the journal that contains
//     those lines. A file without a valid place is read anew; lines that are read twice change nothing (TRANSCRIPTS-SENDING-1).

import { z } from "zod";
import { isId, type SessionId, type WorkspaceId } from "../../machines/index.ts";
import type { Clock } from "../../runtime/ports.ts";
import { codeOf } from "../../runtime/errors/trouble.ts";

export interface KeptText {
  read(): Promise<string | undefined>;
  write(text: string): Promise<void>;
}

const mark = z.object({ length: z.int().nonnegative().max(65_536), hash: z.string() });
const id = <T extends WorkspaceId | SessionId>() =>
  z.custom<T>((value) => typeof value === "string" && isId(value));
const kept = z.object({
  workspace: id<WorkspaceId>(),
  session: id<SessionId>(),
  path: z.string(),
  /** For a subagent's file, the path of the session's main transcript. */
  main: z.string().optional(),
  isEnded: z.boolean(),
  place: z
    .object({ dev: z.string(), ino: z.string(), offset: z.int().nonnegative(), head: mark, last: mark })
    .optional(),
});
const all = z.object({ journal: z.string(), files: z.array(kept).max(10_000) });

export type KeptFile = Readonly<z.output<typeof kept>>;

/** @returns the stored places; an empty list if the text belongs to another journal, or cannot be read. */
function readPlaces(journal: string, text: string | undefined): readonly KeptFile[] {
  try {
    const found = all.parse(JSON.parse(text ?? ""));
    return found.journal === journal ? found.files : [];
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

  /** Notes that the places have changed, and must be stored within `inMs`. */
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
