// Translated
// The result of translating one payload or line.
//
//   Owns:          the result's shape; the client's name.
//   Does not own:  what an input leads to; which workspace the session is in.

import type { SourceInput, ToolInput, Unknown } from "../../machines/inputs.ts";

export interface Translated {
  /** Absent only if the client names no session; then every input is `unknown`. */
  readonly sessionId?: string;
  readonly cwd?: string;
  readonly inputs: readonly SourceInput[];
}

/** Makes the stored form of a tool input, as the door defines it. @throws RefusedError */
export type MakeToolInput = (value: unknown) => ToolInput;

export const CALLED = "Claude Code";

/** The client and its version, if known. */
export const clientOf = (version: string | undefined): string | undefined =>
  version === undefined ? undefined : `${CALLED} ${version}`;

const NAME_LENGTH = 80;

/** @param name the name of an unknown kind, cut to the length of a name. */
export const unknown = (name: string): Unknown => ({ type: "unknown", name: name.slice(0, NAME_LENGTH) });
