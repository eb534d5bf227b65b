// Tool input
// The forms in which the input of a tool call is stored.
//
//   Owns:          the types of the forms in which a tool input is stored.
//   Does not own:  making and hashing an input (adapters and runtime/door), showing an input (runtime/rows/views).
//
// A stored input is canonical JSON text or the hash of a stored text, never an object.

/** An input's canonical JSON text, and the SHA-256 of that text in hex. */
export interface WrittenInput {
  readonly text: string;
  readonly hash: string;
}
/** A large input: its text of `bytes` bytes is a blob under this hash. Matching compares only hashes, so it works as usual. */
export interface LiftedInput {
  readonly hash: string;
  readonly bytes: number;
  readonly blob: true;
}
/** An input whose stored text no longer has its hash. Nobody can see this input, so nobody can approve it. */
export interface DamagedInput {
  readonly hash: string;
  readonly found: string;
  readonly damaged: true;
}
export type ToolInput = WrittenInput | LiftedInput | DamagedInput;
