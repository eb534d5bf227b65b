// Claude Code
// Translates the output of Claude Code (hooks, stream, transcripts) into inputs.
//
//   Owns:          every field name of the client's formats.
//   Does not own:  reading files, parsing bytes, journalling; what an input changes in a session.

export { claudeCode } from "./profile.ts";
export { canUseTool, type CanUseTool, type PermissionResult, type ToolUse } from "./gate/can-use-tool.ts";
export { PERMISSION_TOOL, permissionAnswer } from "./gate/permission-tool.ts";
export { translateHook } from "./hook.ts";
export { translateHookAnswer } from "./hook-answer.ts";
export { kindOfLine, type LineKind, parseLine, recordedLine, type RecordedLine } from "./recorded-line.ts";
export { translateStreamLine } from "./stream.ts";
export { translateTranscriptLine } from "./transcript.ts";
export type { Translated } from "./translated.ts";
