// Ambiguous
// The error for an id that exists in several places.
//
//   Owns:          the message of the error, which lists up to a hundred places where the id exists.
//   Does not own:  finding the places where an id exists (reading/lookup), sending the error over a protocol (failure).

import { RefusedError } from "./errors.ts";

export interface Candidate {
  readonly workspace: string;
  readonly sessionId: string;
  readonly id: string;
}

/** The most places of an ambiguous id that are read and listed. */
export const CANDIDATES_MAX = 100;

export class AmbiguousError extends RefusedError {
  readonly candidates: readonly Candidate[];

  constructor(id: string, found: readonly Candidate[]) {
    const candidates = found.slice(0, CANDIDATES_MAX);
    const count = candidates.length < found.length ? `more than ${candidates.length}` : candidates.length;
    const isTold = new Set(candidates.map(({ workspace }) => workspace)).size === candidates.length;
    super(
      "AMBIGUOUS",
      `The id ${id} exists ${count} times, in different workspaces or sessions.`,
      `Say which one you mean: add workspace=${isTold ? "" : ", or session=,"} to the query.`,
      "id",
    );
    this.candidates = candidates;
  }
}
