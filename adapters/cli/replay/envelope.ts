// Replay envelope
// A line of a file as an event.
//
//   Owns:          the event's id and its session.
//   Does not own:  what the line means (claude-code).
//
// REPLAY-ENVELOPE-1. The same line of the same file is always the same event: playing twice changes nothing. The text
//     is part of the id, so that a corrected line is a new event.

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

/** The session of a line: the line's own, or its file's. */
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

/**
 * The workspace of each session, by the first folder that any file names for it; hooks come first.
 * @param fixed SIGNALBOX_WORKSPACE, for all of them.
 */
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

/** For a session whose lines name no folder. */
export const workspaceOfNowhere = (fixed: string | undefined): string =>
  fixed === undefined ? workspaceName("/") : toId(fixed);
