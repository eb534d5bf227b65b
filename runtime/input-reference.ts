// Input reference
// Stands in a payload for a tool input that is kept as a blob.
//
//   Owns:          being an object of its own class, because no JSON text parses to one.
//   Does not own:  where it stands (lift), what is made of it (canonical).

import type { LiftedInput } from "../machines/index.ts";

export class InputReference {
  readonly input: LiftedInput;

  constructor(input: LiftedInput) {
    this.input = input;
  }
}
