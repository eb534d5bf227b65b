// Hook events
// Which of the client's hooks are put in, and which of them wait for an answer.
//
//   Owns:          the one list of events.
//   Does not own:  what each means (adapters/claude-code), the commands (programs).

/** Which calls wait for an answer here: those the client would ask about, every one, or none. */
export type GateChoice = "permission" | "all" | "none";

/** What the client does where a hook is told of an event: tells and goes on, or waits for the answer. */
export type HookKind = "observe" | "gate";

export interface HookEvent {
  /** The choice under which it waits. */
  readonly waits?: GateChoice;
  /** The client's first version that knows it, where that is not every version that is served. */
  readonly since?: string;
}

/** The events that are put in. Each version is the first whose own list has the event. */
export const EVENTS: Readonly<Record<string, HookEvent>> = {
  SessionStart: {},
  SessionEnd: {},
  UserPromptSubmit: {},
  PreToolUse: { waits: "all" },
  PermissionRequest: { waits: "permission", since: "2.0.45" },
  PermissionDenied: { since: "2.1.88" },
  PostToolUse: {},
  PostToolUseFailure: { since: "2.0.56" },
  PostToolBatch: { since: "2.1.118" },
  Stop: {},
  StopFailure: { since: "2.1.78" },
  SubagentStart: {},
  SubagentStop: {},
  Elicitation: { since: "2.1.63" },
  ElicitationResult: { since: "2.1.63" },
};

/** What is put in for each of these events. */
export function hookKinds(
  choice: GateChoice,
  events: readonly string[] = Object.keys(EVENTS),
): readonly (readonly [event: string, kind: HookKind])[] {
  return events.map((event) => [event, EVENTS[event]?.waits === choice ? "gate" : "observe"]);
}
