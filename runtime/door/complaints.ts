// Complaints
// The errors of a door about what it did not accept.
//
//   Owns:          their words.
//   Does not own:  when they are thrown (door).

import { RefusedError, RetryableError } from "../errors/errors.ts";

export const unknownApproval = (id: string): RefusedError =>
  new RefusedError(
    "UNKNOWN_APPROVAL",
    `There is no approval ${id}.`,
    "See the list of approvals for the ones there are.",
    "id",
  );

export const keyReused = (): RefusedError =>
  new RefusedError(
    "KEY_REUSED",
    "This Idempotency-Key was used for another body.",
    "Use a new key for a new message.",
    "Idempotency-Key",
  );

export const notTaken = (): RetryableError =>
  new RetryableError("NOT_TAKEN", "The message was not taken in.", "Send again.", 1000);
