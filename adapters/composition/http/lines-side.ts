// Lines side
// The lines of a project's files that the panel shows around an edit.
//
//   Owns:          which folders stay closed, the default audience of an engine in a program.
//   Does not own:  which lines are shown (runtime/reading/around), reading files (system).

import { homedir } from "node:os";
import type { Engine } from "../../../runtime/engine/engine.ts";
import type { Audience } from "../../../runtime/engine-settings.ts";
import { FileLines, type ReadBelow } from "../../../runtime/reading/around/file-lines.ts";
import type { Queries } from "../../../runtime/reading/queries.ts";
import type { DataFolder } from "../../data-folder/index.ts";
import { readBelow } from "../../system/index.ts";
import { clients } from "../clients.ts";

interface Wanted {
  readonly fileLines: Audience | undefined;
  /** Undefined for an engine in memory. */
  readonly folder: DataFolder | undefined;
}

interface Inside {
  readonly engine: Engine;
  readonly queries: Queries;
}

/** A program that embeds an engine must name the audience: by default, its engine reads no project. */
export function linesOf({ fileLines: audience = "off", folder }: Wanted, inside: Inside): FileLines {
  const surroundings = { home: homedir(), closed: folder ? [folder.dir] : [] };
  const read: ReadBelow = (place, bytesMax) => readBelow(place, bytesMax, surroundings);
  return new FileLines({ ...inside, clients, audience, read });
}
