// Ambiguous
// The error for an id that exists in several places.
//
//   Owns:          the message, which lists the places, up to a hundred.
//   Does not own:  finding the places (reading/lookup), sending the error over a protocol (failure).

import { RefusedError } from "./errors.ts";

export interface Candidate {
  readonly workspace: string;
  readonly sessionId: string;
  readonly id: string;
}

/** The most places that are read and listed. */
export const CANDIDATES_MAX = 100;

export class AmbiguousError extends RefusedError {
  readonly candidates: readonly Candidate[];

  constructor(id: string, found: readonly Candidate[]) {
    const candidates = found.slice(0, CANDIDATES_MAX);
    const count = candidates.length < found.length ? `more than ${candidates.length}` : candidates.length;
    const isTold = new Set(candidates.map(({ workspace }) => workspace)).size === candidates.length;
    super(
      "AMBIGUOUS",
      `${id} is in ${count} places.`,
      `Say which: add workspace=${isTold ? "" : ", or session=,"} to the query.`,
      "id",
    );
    this.candidates = candidates;
  }
}
