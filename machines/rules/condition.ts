// Condition
// The interface of a rule's conditions, and the data of a call that conditions may read.
//
//   Owns:          the functions that each condition has; the data of a call that a condition may read.
//   Does not own:  the conditions themselves (conditions, matchers), which rule answers (ruling).

import type { AgentId, SessionId } from "../ids.ts";
import type { ToolInput } from "../inputs.ts";
import type { CommandRead } from "./command-match.ts";
import type { Fit } from "./command-pattern.ts";
import type { ShellCall } from "./shell-call.ts";
import type { Subjects } from "./subject.ts";
import type { ConditionKind, RuleTerms, Usable } from "./terms.ts";

export interface AskedCall {
  readonly sessionId: SessionId;
  readonly tool: string;
  readonly input?: ToolInput;
  readonly shell?: ShellCall;
  readonly agentId: AgentId;
  readonly agentType?: string;
  /** The folder that the session reported last. */
  readonly cwd?: string;
  /** True if the approval may be about another call, so that no rule may answer it. */
  readonly isAmbiguous: boolean;
  /** Whether the call has a risk mark. If undefined, no rule with `unmarked` allows the call. */
  readonly isMarked?: () => boolean;
  readonly at: number;
}

/** What the engine reads from the call. All rules share it, because it does not depend on the agent or the time. */
export interface CallReading {
  readonly tool: string;
  readonly shell: ShellCall | undefined;
  readonly cwd: string | undefined;
  readonly hash: string;
  /** Rules to deny or to ask for this tool apply to the call, too: `Bash` for any client's shell, else the call's tool itself. */
  readonly kind: string;
  readonly subjects: Subjects;
  readonly commands: readonly CommandRead[];
  readonly isGuarded: () => boolean;
  /** The names in the input's paths that show that the path's file runs later (later-files). */
  readonly telling: readonly string[];
  readonly isMarked: (() => boolean) | undefined;
}

export interface SeenCall extends CallReading {
  readonly sessionId: SessionId;
  readonly agentId: AgentId;
  readonly agentType: string | undefined;
  readonly at: number;
}

export interface Flaw {
  readonly path: string;
  readonly reason: string;
}

export type ShownTerms = Pick<RuleTerms, Exclude<ConditionKind, "session">> & { readonly session?: string };

/** One condition of a rule. If a rule does not set the condition's field, the condition matches every call. */
export interface Condition {
  /** A rule to allow answers a call only if this is true for each of the rule's conditions. */
  readonly allow: (rule: Usable, call: SeenCall) => boolean;
  /** Whether a rule to deny or to ask applies to this call, if only this condition counted. */
  readonly concern: (rule: Usable, call: SeenCall) => Fit;
  /** What is wrong with the condition's field as a person wrote it; undefined if nothing is wrong. */
  readonly flaw: (terms: RuleTerms) => Flaw | undefined;
  /** The condition in words; empty if the rule does not set the condition, or if views show it in another way. */
  readonly show: (terms: ShownTerms) => string;
}
