// Input reference
// Replaces a tool input that is kept as a blob in a payload.
//
//   Owns:          being an object of its own class, because no JSON text parses to one.
//   Does not own:  where in a message a reference is (lift), parsing its text (canonical).

import type { LiftedInput } from "../machines/index.ts";

export class InputReference {
  readonly input: LiftedInput;

  constructor(input: LiftedInput) {
    this.input = input;
  }
}
