// Request files: seed 001's request tracker, whose files are the only store of its requests.

export type { NewRequest, RequestQuery, RequestUpdates } from "./fields.ts";
export type { RequestState, RequestStateValue } from "./format.ts";
export type { Recovery } from "./recovery.ts";
export { RequestTracker } from "./tracker.ts";
export type { TrackerLog, TrackerOptions } from "./tracker.ts";
