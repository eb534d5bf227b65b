// Translated
// The result of translating one payload or line.
//
//   Owns:          the result's shape; the client's name.
//   Does not own:  what an input changes in a session; which workspace a session is in.

import type { SourceInput, Unknown } from "../../machines/inputs.ts";

export interface Translated {
  /** The session's id; absent only if the client names no session, and then every input is `unknown`. */
  readonly sessionId?: string;
  readonly cwd?: string;
  readonly inputs: readonly SourceInput[];
}

export const CALLED = "Claude Code";

export const clientOf = (version: string | undefined): string | undefined =>
  version === undefined ? undefined : `${CALLED} ${version}`;

const NAME_LENGTH = 80;

/** @param name the name of the unknown kind of message; a long name is cut. */
export const unknown = (name: string): Unknown => ({ type: "unknown", name: name.slice(0, NAME_LENGTH) });
