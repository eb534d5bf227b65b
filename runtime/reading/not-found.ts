// Not found
// What somebody is told who asks for a thing that is not there.
//
//   Owns:          the words.
//   Does not own:  looking for it (queries.ts), what is hidden because it is another workspace's (scope.ts).

import { RefusedError } from "../errors/errors.ts";
import { oneLine } from "../text/visible.ts";

/** Ids may have been longer than ours are. */
const NAMED_MAX = 128;

/**
 * @param what the kind of thing, in people's words.
 * @param id as it was asked for; empty where there is only one such thing.
 * @param list where the ones there are can be seen.
 */
export const notFound = (what: string, id: string, list = "the lists"): RefusedError =>
  new RefusedError(
    "NOT_FOUND",
    `There is no ${[what, oneLine(id, NAMED_MAX)].filter(Boolean).join(" ")}.`,
    `See ${list} for the ones there are.`,
    "id",
  );
