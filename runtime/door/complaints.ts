// Complaints
// The errors about messages that a door does not accept.
//
//   Owns:          the texts of the errors about messages that a door does not accept.
//   Does not own:  throwing the errors about refused messages (door).

import { RefusedError, RetryableError } from "../errors/errors.ts";

export const unknownApproval = (id: string): RefusedError =>
  new RefusedError("UNKNOWN_APPROVAL", `There is no approval ${id}.`, "See the list of approvals.", "id");

export const keyReused = (): RefusedError =>
  new RefusedError(
    "KEY_REUSED",
    "This Idempotency-Key was used before, with another body.",
    "Use a new Idempotency-Key for a new message.",
    "Idempotency-Key",
  );

export const notTaken = (): RetryableError =>
  new RetryableError("NOT_TAKEN", "The message was not accepted.", "Send again.", 1000);
