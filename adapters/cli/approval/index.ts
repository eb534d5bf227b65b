// Pending approvals, read from the engine and put into words.

export { jsonOf } from "./json.ts";
export {
  approvalOf,
  type Found,
  type ApprovalRef,
  type ShownApproval,
  shownApprovalOf,
  waitingOf,
} from "./read.ts";
export { described, isShared, isWatched, leavingOf, rowOf } from "./text.ts";
