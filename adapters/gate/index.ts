// Gate: waits for the answer to a call, and is closed whatever happens.

export { askAboutCall, type CallDoor } from "./call.ts";
export { leaveBehind } from "./left-behind.ts";
export { Line, type Closed, type Where } from "./line.ts";
export { type Telling, TellingByLine, TellingBySpool } from "./telling.ts";
export { waitForAnswer } from "./waiting.ts";
