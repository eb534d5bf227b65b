// Gate: the client's hook that waits for an answer, and is closed whatever happens.

export { leaveBehind } from "./left-behind.ts";
export { Line, type Closed, type Where } from "./line.ts";
export { isGateEvent, printed } from "./printed.ts";
export { waitForAnswer } from "./waiting.ts";
