// Request tracker
// `signalbox/request-tracker`: requests as files, which several processes may share without an engine.
//
//   Owns:          the public names of the module.
//   Does not own:  the tracker (request-files).
//
// REQUEST-TRACKER-1. Importing this module loads zod, xstate and Node's modules, but no part of Signalbox that runs an engine.

export { RequestTracker, type TrackerLog, type TrackerOptions } from "./request-files/tracker.ts";
export type { NewRequest, RequestQuery, RequestUpdates } from "./request-files/fields.ts";
export type { RequestState, RequestStateValue } from "./request-files/format.ts";
export type { Recovery } from "./request-files/recovery.ts";
export { FatalError, RefusedError, RetryableError } from "../runtime/errors/errors.ts";
