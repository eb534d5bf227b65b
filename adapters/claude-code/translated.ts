// Translated
// What a translator makes of one payload or line.
//
//   Owns:          the result's shape; what the client is called.
//   Does not own:  what an input leads to; which workspace the session is in.

import type { SourceInput, ToolInput, Unknown } from "../../machines/inputs.ts";

export interface Translated {
  /** Absent only where the client names no session; then every input is `unknown`. */
  readonly sessionId?: string;
  readonly cwd?: string;
  /** The inputs in the order in which they are applied. */
  readonly inputs: readonly SourceInput[];
}

/** Makes the stored form of a tool input; the door owns it. @throws RefusedError */
export type MakeToolInput = (value: unknown) => ToolInput;

export const CALLED = "Claude Code";

/** The client and its version, where that is told. */
export const clientOf = (version: string | undefined): string | undefined =>
  version === undefined ? undefined : `${CALLED} ${version}`;

const NAME_LENGTH = 80;

/** @param name of a foreign kind; kept so far as it can be a name. */
export const unknown = (name: string): Unknown => ({ type: "unknown", name: name.slice(0, NAME_LENGTH) });
