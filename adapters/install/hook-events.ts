// Hook events
// Which of the client's hooks are put in, and which of them wait for an answer.
//
//   Owns:          the one list of events.
//   Does not own:  what each means (adapters/claude-code), the commands (programs).

/** Which calls wait for an answer here: those the client would ask about, every one, or none. */
export type GateChoice = "permission" | "all" | "none";

/** What the client does where a hook is told of an event: tells and goes on, or waits for the answer. */
export type HookKind = "observe" | "gate";

/** The events that are put in, with the choice under which each waits. */
const EVENTS: Readonly<Record<string, GateChoice | undefined>> = {
  SessionStart: undefined,
  SessionEnd: undefined,
  UserPromptSubmit: undefined,
  PreToolUse: "all",
  PermissionRequest: "permission",
  PermissionDenied: undefined,
  PostToolUse: undefined,
  PostToolUseFailure: undefined,
  PostToolBatch: undefined,
  Stop: undefined,
  StopFailure: undefined,
  SubagentStart: undefined,
  SubagentStop: undefined,
  Elicitation: undefined,
  ElicitationResult: undefined,
};

/** What is put in for each event. */
export function hookKinds(choice: GateChoice): readonly (readonly [event: string, kind: HookKind])[] {
  return Object.entries(EVENTS).map(([event, waits]) => [event, waits === choice ? "gate" : "observe"]);
}
