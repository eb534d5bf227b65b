// Gate: waits for the answer to a call. If no answer comes, it denies the call, or has the client ask its user.

export { askAboutCall, type CallDoor } from "./call.ts";
export { leaveBehind, type Observed } from "./left-behind.ts";
export { Line, type Closed, type Where } from "./line.ts";
export { Noting } from "./noting.ts";
export { type GivenThere, OpenApproval } from "./open-approval.ts";
export { type Tell, tellByLine, tellBySpool } from "./telling.ts";
export { type End, waitForAnswer } from "./waiting.ts";
