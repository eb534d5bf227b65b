// Counted ids
// Ids that are the same in every run.
//
//   Owns:          the count.
//   Does not own:  uniqueness beyond one instance.

import type { Ids } from "../../../runtime/ports.ts";

export class CountedIds implements Ids {
  #count = 0;

  /** The n-th call gives n, in the shape of a UUID version 7. */
  uuid(): string {
    const digits = (++this.#count).toString(16).padStart(12, "0");
    return `00000000-0000-7000-8000-${digits}`;
  }
}
