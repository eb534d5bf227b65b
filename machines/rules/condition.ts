// Condition
// The interface of a rule's conditions, and what conditions know of a call.
//
//   Owns:          the functions of a condition; the data of a call that a condition may read.
//   Does not own:  any one condition (conditions, matchers), which rule answers (ruling).

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
  /** Present for a call that runs a shell command. */
  readonly shell?: ShellCall;
  readonly agentId: AgentId;
  readonly agentType?: string;
  /** The folder that the session reported last. */
  readonly cwd?: string;
  /** True if the approval may be about another call, so that no rule may answer it. */
  readonly isAmbiguous: boolean;
  /** Whether the call has a risk mark. If undefined, no rule with `unmarked` allows the call. */
  readonly isMarked?: () => boolean;
  /** The turn's time, ms. */
  readonly at: number;
}

/** What is read from the call itself. All rules share it, because it does not depend on the agent or the time. */
export interface CallReading {
  readonly tool: string;
  readonly shell: ShellCall | undefined;
  readonly cwd: string | undefined;
  readonly hash: string;
  /** The second tool whose rules to deny or to ask apply. For a shell of any client that is Bash (SHELL-CALL-1). */
  readonly kind: string;
  readonly subjects: Subjects;
  readonly commands: readonly CommandRead[];
  readonly isGuarded: () => boolean;
  /** The names in the input's paths that mark a file as one that runs later (later-files). */
  readonly telling: readonly string[];
  readonly isMarked: (() => boolean) | undefined;
}

/** A call with all data that a condition may read. */
export interface SeenCall extends CallReading {
  readonly sessionId: SessionId;
  readonly agentId: AgentId;
  readonly agentType: string | undefined;
  readonly at: number;
}

/** What is wrong with a rule, and in which field. */
export interface Flaw {
  readonly path: string;
  readonly reason: string;
}

export type ShownTerms = Pick<RuleTerms, Exclude<ConditionKind, "session">> & { readonly session?: string };

/** One condition of a rule. If a rule does not set its field, the condition matches every call. */
export interface Condition {
  /** True if this condition lets a rule to allow answer the call. All conditions of the rule must be true. */
  readonly allow: (rule: Usable, call: SeenCall) => boolean;
  /** Whether a rule to deny or to ask applies to this call, by this condition alone. */
  readonly concern: (rule: Usable, call: SeenCall) => Fit;
  /** What is wrong with the field that a person wrote; undefined if nothing is. */
  readonly flaw: (terms: RuleTerms) => Flaw | undefined;
  /** The condition in words; empty if the rule does not set it, or if views show it in another way. */
  readonly show: (terms: ShownTerms) => string;
}
