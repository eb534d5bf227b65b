// Tool input
// The input of a tool call, as it may be stored.
//
//   Owns:          the forms of an input.
//   Does not own:  making and hashing an input (the edge), showing an input (runtime/rows/views).
//
// An input is canonical JSON text or a reference to it, never an object.

/** An input's canonical JSON text and the SHA-256 of the text in hex, both made at the edge. */
export interface WrittenInput {
  readonly text: string;
  readonly hash: string;
}
/** A large input, whose text is a blob under the same hash, `bytes` long. Matching by hash treats both forms alike. */
export interface LiftedInput {
  readonly hash: string;
  readonly bytes: number;
  readonly blob: true;
}
/** An input whose text no longer matches its hash. Nobody can see this input, so nobody can approve it. */
export interface DamagedInput {
  readonly hash: string;
  readonly found: string;
  readonly damaged: true;
}
export type ToolInput = WrittenInput | LiftedInput | DamagedInput;
