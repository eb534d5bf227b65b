// Replay envelope
// Makes an event of each line of a recorded file.
//
//   Owns:          the id and the session of each event.
//   Does not own:  what a line means (claude-code).
//
// REPLAY-ENVELOPE-1. The same line of the same file always gives an event with the same id, and a corrected line gives an event
//     with a new id.

import { createHash } from "node:crypto";
import { toId } from "../../../runtime/foreign-id.ts";
import { workspaceName } from "../../../runtime/door/workspace.ts";
import type { Numbered, ReplayFile } from "./files.ts";

const SOURCE = "signalbox-replay";

export interface Envelope {
  readonly specversion: "1.0";
  readonly id: string;
  readonly source: string;
  readonly type: string;
  readonly subject: string;
  readonly data: unknown;
}

export interface SessionName {
  readonly workspace: string;
  readonly session: string;
}

export function sessionOfLine(file: ReplayFile, { line }: Numbered): string {
  return toId(line.sessionId ?? file.sessionId);
}

export function envelopeOf(
  file: ReplayFile,
  numbered: Numbered,
  { workspace, session }: SessionName,
): Envelope {
  const { number, text, line } = numbered;
  const digest = createHash("sha256").update(text).digest("hex").slice(0, 16);
  const id = `${file.name}:${number}:${digest}`;
  return {
    specversion: "1.0",
    id,
    source: SOURCE,
    type: line.type,
    subject: `${workspace}/${session}`,
    data: line.data,
  };
}

/** Each session's workspace, by the first folder that a file names for it. @param fixed SIGNALBOX_WORKSPACE, for all sessions. */
export function workspacesOf(
  files: readonly ReplayFile[],
  fixed: string | undefined,
): ReadonlyMap<string, string> {
  const workspaces = new Map<string, string>();
  for (const { folders } of files) {
    for (const [session, folder] of folders) {
      const id = toId(session);
      if (!workspaces.has(id)) workspaces.set(id, fixed === undefined ? workspaceName(folder) : toId(fixed));
    }
  }
  return workspaces;
}

export const workspaceOfNowhere = (fixed: string | undefined): string =>
  fixed === undefined ? workspaceName("/") : toId(fixed);
