// Request tracker
// `signalbox/request-tracker`: requests as files that several processes may share, without an engine.
//
//   Owns:          the public names.
//   Does not own:  the tracker (request-files).
//
// REQUEST-TRACKER-1. To import it loads zod, xstate and Node's own modules, and of Signalbox nothing that runs an engine,
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
