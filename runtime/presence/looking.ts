// Looking
// Who looks at which approval now.
//
//   Owns:          what is known of somebody who looks, and for how long.
//   Does not own:  the table of lookers (passing), finding out who a person is (http/access), answering an approval.
//
// LOOKING-1. Each name looks at one approval at most.

import type { How } from "./passing.ts";

export interface Looker {
  readonly workspace: string;
  /** The id of the approval. */
  readonly id: string;
  readonly name: string;
}

export const LOOKING: How<Looker> = { keyOf: ({ name }) => name, lastsMs: 45_000, max: 256 };
