// Request files: the request tracker of S1 (docs/why/requirements.md), whose files are the only store of its requests.

export type { NewRequest, RequestQuery, RequestUpdates } from "./fields.ts";
export type { RequestState, RequestStateValue } from "./format.ts";
export type { Recovery } from "./recovery.ts";
export { RequestTracker, type TrackerLog, type TrackerOptions } from "./tracker.ts";
