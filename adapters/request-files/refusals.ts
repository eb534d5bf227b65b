// Refusals
// The errors of the tracker: what the tracker refuses, for which request, and what to do next.
//
//   Owns:          the words of the tracker's errors.
//   Does not own:  when the errors are thrown; errors of the disk (trouble.ts).

import { RefusedError } from "../../runtime/errors/errors.ts";
import type { RequestState } from "./format.ts";

export const refused = ({ requestId, state }: RequestState, wanted: string): RefusedError =>
  new RefusedError(
    "MOVE_REFUSED",
    `Request ${requestId} is ${state} and cannot become ${wanted}; nothing was changed.`,
    "The order is created, queued (which may be left out), processing, then completed, failed or timeout. A request that has ended stays so: begin a new one.",
    "state",
  );

export const fixed = ({ requestId, state }: RequestState, field: string): RefusedError =>
  new RefusedError(
    "FIELD_FIXED",
    `The ${field} of request ${requestId} cannot be changed any more: the request is ${state}. Nothing was changed.`,
    "Leave the field out.",
    field,
  );

export const noEnd = ({ requestId }: RequestState): RefusedError =>
  new RefusedError(
    "ERROR_WITHOUT_END",
    `The change gives request ${requestId} an error, but no state in which the request ends. Nothing was changed.`,
    "Send the error together with the state: failed, timeout or completed.",
    "error",
  );

export const notReached = ({ requestId, state }: RequestState, field: string): RefusedError =>
  new RefusedError(
    "STATE_NOT_REACHED",
    `Request ${requestId} is ${state}: it has no ${field} yet. Nothing was changed.`,
    "Send the time together with the state that it belongs to.",
    field,
  );

export const badField = (field: string, why: string): RefusedError =>
  new RefusedError(
    "BAD_FIELD",
    `The field ${field} is not valid: ${why}.`,
    "Send the field as documented, or leave it out.",
    field,
  );

export const requestExists = (requestId: string): RefusedError =>
  new RefusedError(
    "REQUEST_EXISTS",
    `A request with the id ${requestId} exists already; it was not changed.`,
    "Choose another id, or leave it out: the tracker then makes one.",
    "requestId",
  );

export const misnamed = (path: string, requestId: string): RefusedError =>
  new RefusedError(
    "STATE_MISNAMED",
    `The state file ${path} has the wrong name for its request ${requestId}. It was not changed.`,
    "Remove the file, or give it its old name again.",
  );
