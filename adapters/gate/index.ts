// Gate: the client's hook that waits for an answer, and is closed whatever happens.

export { askAboutCall, type CallDoor } from "./call.ts";
export { canUseTool, type CanUseTool, type PermissionResult, type ToolUse } from "./can-use-tool.ts";
export { leaveBehind } from "./left-behind.ts";
export { Line, type Closed, type Where } from "./line.ts";
export { PERMISSION_TOOL, permissionAnswer } from "./permission-tool.ts";
export { printed } from "./printed.ts";
export { payloadIn } from "./payload.ts";
export { type Telling, TellingByLine, TellingBySpool } from "./telling.ts";
export { waitForAnswer } from "./waiting.ts";
