// Request tracker
// `signalbox/request-tracker`: requests as files that several processes may share, without an engine.
//
//   Owns:          the public names.
//   Does not own:  the tracker (request-files).
//
// REQUEST-TRACKER-1. Importing this module loads zod, xstate, Node's own modules, and no part of Signalbox that runs an engine,
//     listens or connects.

export { RequestTracker } from "./request-files/index.ts";
export type {
  NewRequest,
  Recovery,
  RequestQuery,
  RequestState,
  RequestStateValue,
  RequestUpdates,
  TrackerLog,
  TrackerOptions,
} from "./request-files/index.ts";
export { FatalError, RefusedError, RetryableError } from "../runtime/errors/errors.ts";
