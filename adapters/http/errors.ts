// Errors
// The headers of an HTTP answer that reports a failure.
//
//   Owns:          the headers of a failure, the answer for an unknown route.
//   Does not own:  the status and the body of a failure (runtime/failure).

import { RefusedError } from "../../runtime/errors/errors.ts";
import type { Failure } from "../../runtime/errors/failure.ts";

export function headersOf({ status, retryAfterS }: Failure): Record<string, string> {
  return {
    ...(retryAfterS !== undefined && { "Retry-After": String(retryAfterS) }),
    ...(status === 413 && { Connection: "close" }),
    ...(status === 401 && { "WWW-Authenticate": "Bearer" }),
  };
}

export const noSuchRoute = (): RefusedError =>
  new RefusedError(
    "NO_SUCH_ROUTE",
    "There is no such route.",
    "Routes are, among others, /v1/sessions, /v1/requests, /v1/tool-calls, /v1/approvals, /v1/events, /v1/stream.",
  );
