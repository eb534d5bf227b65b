// Transcript side
// The transcripts an engine follows: which folders they may stand in, who may name one, where it is kept how far they were
// read.
//
//   Owns:          the default folders, what an option means.
//   Does not own:  following files (transcripts), the client's formats (claude-code), the order of start and stop (compose).

import { homedir } from "node:os";
import { isAbsolute, join, resolve } from "node:path";
import type { Door } from "../runtime/door/door.ts";
import type { Engine } from "../runtime/engine/engine.ts";
import { RefusedError } from "../runtime/errors.ts";
import type { Clock } from "../runtime/ports.ts";
import { isSubagents, lineFacts, subagentsOf, transcriptNaming } from "./claude-code/index.ts";
import { type DataFolder, readOwn, writeOwn } from "./data-folder/index.ts";
import { Tailer } from "./transcripts/index.ts";

export interface Following {
  /** The folders that may be read. */
  readonly roots: readonly string[];
  readonly door: Door;
  readonly engine: Engine;
  readonly clock: Clock;
  /** Keeps how far files were read; undefined forgets it. */
  readonly folder: DataFolder | undefined;
  readonly onError: (error: unknown) => void;
}

/** @returns undefined where no folder may be read. @throws RefusedError BAD_TRANSCRIPTS_FOLDER */
export function tailerOf({ roots, door, engine, clock, folder, onError }: Following): Tailer | undefined {
  if (roots.length === 0) return undefined;
  const bad = roots.find((root) => !isAbsolute(root) || resolve(root) === resolve("/"));
  if (bad !== undefined) throw badFolder(bad);
  return new Tailer({
    roots: roots.map((root) => resolve(root)),
    door,
    clock,
    readFacts: lineFacts,
    client: { naming: transcriptNaming, subagentsOf, isSubagents },
    // Others send from machines whose files are not here.
    mayName: (by) => by.startsWith("local:"),
    quota: () => engine.meta().configuration.quota,
    journal: () => engine.incarnation,
    onError,
    ...(folder && {
      places: {
        read: () => readOwn(folder.transcripts),
        write: (text) => writeOwn(folder.transcripts, text),
      },
    }),
  });
}

/** Where the client keeps its sessions' transcripts. */
export function clientFolders(env: NodeJS.ProcessEnv): readonly string[] {
  const given = env["CLAUDE_CONFIG_DIR"] ?? "";
  const own = join(env["HOME"] || homedir(), ".claude", "projects");
  return isAbsolute(given) ? [join(given, "projects"), own] : [own];
}

const badFolder = (folder: string): RefusedError =>
  new RefusedError(
    "BAD_TRANSCRIPTS_FOLDER",
    `"${folder}" is no folder that transcripts can be read from.`,
    "Give --transcripts a folder, such as ~/.claude/projects, or off.",
  );
