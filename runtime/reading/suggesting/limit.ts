// Limit
// How many suggested rules an answer shows at most.
//
//   Owns:          the limit and its default.
//   Does not own:  making suggestions (suggestions).

import { RefusedError } from "../../errors/errors.ts";

const DEFAULT = 25;
const MOST = 50;

/** @throws RefusedError BAD_LIMIT */
export function suggestedMost(limit = DEFAULT): number {
  if (Number.isInteger(limit) && limit >= 1 && limit <= MOST) return limit;
  throw new RefusedError(
    "BAD_LIMIT",
    `limit must be 1 to ${MOST}.`,
    "Correct the parameter, or leave it out.",
    "limit",
  );
}
