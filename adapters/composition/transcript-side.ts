// Transcript side
// The transcripts that an engine follows: in which folders they are, which callers may name them, how far each was read.
//
//   Owns:          the default folders, what each setting of transcripts means.
//   Does not own:  following files (transcripts), the client's formats (claude-code), the order of start and stop (compose).

import { homedir } from "node:os";
import { isAbsolute, join, resolve } from "node:path";
import { isLocal } from "../../runtime/access-token.ts";
import type { HearHook } from "../../runtime/door/hook.ts";
import type { Door } from "../../runtime/door/door.ts";
import type { Engine } from "../../runtime/engine/engine.ts";
import { RefusedError } from "../../runtime/errors/errors.ts";
import { toId } from "../../runtime/foreign-id.ts";
import type { Clock } from "../../runtime/ports.ts";
import { type ReadConversation, UNKNOWN_CONVERSATION } from "../../runtime/reading/conversation.ts";
import { claudeCode } from "../claude-code/index.ts";
import { type DataFolder, readOwn, writeOwn } from "../data-folder/index.ts";
import { conversationIn } from "../intent/conversation.ts";
import { clients } from "./clients.ts";
import { Tailer } from "../transcripts/tailer.ts";

export interface Following {
  readonly roots: readonly string[];
  readonly door: Door;
  readonly engine: Engine;
  readonly clock: Clock;
  /** The data folder, which stores how far each file was read; without a folder, the engine forgets this when it ends. */
  readonly folder: DataFolder | undefined;
  readonly onError: (error: unknown) => void;
}

/**
 * @returns the part that reads transcripts; undefined if the engine may read no folder of transcripts. @throws RefusedError
 * BAD_TRANSCRIPTS_FOLDER
 */
export function tailerOf({ roots, door, engine, clock, folder, onError }: Following): Tailer | undefined {
  if (roots.length === 0) return undefined;
  const bad = roots.find((root) => !isAbsolute(root) || resolve(root) === resolve("/"));
  if (bad !== undefined) throw badFolder(bad);
  return new Tailer({
    roots: roots.map((root) => resolve(root)),
    door,
    clock,
    client: claudeCode.transcripts,
    // Only a local caller may name a transcript: the files of other callers are on other machines.
    mayName: isLocal,
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

/** Makes the listener that gets all hooks. It has a transcript followed only if a hook of Claude Code names the transcript. */
export const heardBy =
  (parts: () => readonly [Tailer | undefined, { readonly lines: { readonly heard: HearHook } }]): HearHook =>
  (message, by) => {
    const [tailer, { lines }] = parts();
    if (clients.ofType(message.type)?.transcripts === claudeCode.transcripts) tailer?.heard(message, by);
    lines.heard(message, by);
  };

/** Reads a session's conversation from the transcript that its hooks named (docs/decisions/0047-files-shown-on-the-page.md). */
export function conversationsOf(tailer: Tailer | undefined): { readonly conversation?: ReadConversation } {
  return tailer ? { conversation: readBy(tailer) } : {};
}

function readBy(tailer: Tailer): ReadConversation {
  return async (workspace, session, { cursor, limit }) => {
    const opened = await tailer.open(workspace, session);
    if (!opened) return UNKNOWN_CONVERSATION;
    const { file, found } = opened;
    try {
      const size = Math.min(Number(found.size), cursor ?? Infinity);
      const read = async (position: number, length: number): Promise<Buffer> => {
        const { bytesRead, buffer } = await file.read(Buffer.alloc(length), 0, length, position);
        return buffer.subarray(0, bytesRead);
      };
      const isOwn = (named: string): boolean => toId(named) === session;
      return await conversationIn({ size, read }, { limit, isOwn });
    } finally {
      await file.close();
    }
  };
}

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
