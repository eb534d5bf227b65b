// Input reference
// Replaces a tool input that is kept as a blob in a payload.
//
//   Owns:          being an object of its own class, because no JSON text parses to one.
//   Does not own:  where the reference is (lift), reading the reference (canonical).

import type { LiftedInput } from "../machines/index.ts";

export class InputReference {
  readonly input: LiftedInput;

  constructor(input: LiftedInput) {
    this.input = input;
  }
}
