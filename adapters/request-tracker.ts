// Request tracker
// `signalbox/request-tracker`: requests as files, which several processes may share without an engine.
//
//   Owns:          the public names of the module.
//   Does not own:  the tracker (request-files).
//
// REQUEST-TRACKER-1. Importing this module loads zod, xstate and Node's modules, but no part of Signalbox that runs an engine.

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
