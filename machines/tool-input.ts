// Tool input
// What a tool is called with, as it may be stored.
//
//   Owns:          the forms of an input.
//   Does not own:  making and hashing it (the edge), showing it (runtime/rows/views).
//
// It is canonical JSON text or stands for it, never an object.

/** A tool input as it may be stored: its canonical JSON text and the SHA-256 of that in hex, both made at the edge. */
export interface WrittenInput {
  readonly text: string;
  readonly hash: string;
}
/** A large one: its text is a blob under the same hash, `bytes` long. Matching by hash treats both forms alike. */
export interface LiftedInput {
  readonly hash: string;
  readonly bytes: number;
  readonly blob: true;
}
/** One whose text no longer matches its hash, as found: nobody can see the input, so nobody can approve it. */
export interface DamagedInput {
  readonly hash: string;
  readonly found: string;
  readonly damaged: true;
}
export type ToolInput = WrittenInput | LiftedInput | DamagedInput;
