// Complaints
// The errors about messages that a door does not accept.
//
//   Owns:          the words of these errors.
//   Does not own:  throwing these errors (door).

import { RefusedError, RetryableError } from "../errors/errors.ts";

export const unknownApproval = (id: string): RefusedError =>
  new RefusedError("UNKNOWN_APPROVAL", `There is no approval ${id}.`, "See the list of approvals.", "id");

export const keyReused = (): RefusedError =>
  new RefusedError(
    "KEY_REUSED",
    "This Idempotency-Key was used for another body.",
    "Use a new key for a new message.",
    "Idempotency-Key",
  );

export const notTaken = (): RetryableError =>
  new RetryableError("NOT_TAKEN", "The message was not accepted.", "Send again.", 1000);
