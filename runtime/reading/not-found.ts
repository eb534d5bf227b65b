// Not found
// The error for a query about something that does not exist.
//
//   Owns:          the text of the error.
//   Does not own:  looking for the thing by its id (queries.ts), hiding other workspaces from the caller (scope.ts).

import { RefusedError } from "../errors/errors.ts";
import { oneLine } from "../text/visible.ts";

/** How many characters of an id the error shows; an id in a query may be longer than any valid id. */
const NAMED_MAX = 128;

/**
 * @param what the kind of thing, in plain words.
 * @param id the id, as the query gave it; empty for a kind of which there is only one thing.
 * @param list where the existing things of this kind are listed.
 */
export const notFound = (what: string, id: string, list = "the lists"): RefusedError =>
  new RefusedError(
    "NOT_FOUND",
    `There is no ${[what, oneLine(id, NAMED_MAX)].filter(Boolean).join(" ")}.`,
    `See ${list}.`,
    "id",
  );
