// Input reference
// The object that stands in a payload for a tool input that is stored as a blob.
//
//   Owns:          the class of the references to blobs. No JSON text can be parsed to an object of this class.
//   Does not own:  where in a message a reference to a blob is (lift), parsing the blob's text (canonical).

import type { LiftedInput } from "../machines/index.ts";

export class InputReference {
  readonly input: LiftedInput;

  constructor(input: LiftedInput) {
    this.input = input;
  }
}
