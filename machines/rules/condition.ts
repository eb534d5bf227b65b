// Condition
// The interface of a rule's conditions, and the call as conditions see it.
//
//   Owns:          the operations of a condition; the facts of a call.
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
  /** Present for a call of a client's shell. */
  readonly shell?: ShellCall;
  readonly agentId: AgentId;
  readonly agentType?: string;
  /** The folder that the session reported last. */
  readonly cwd?: string;
  /** True if it is not certain which call the approval is about. */
  readonly isAmbiguous: boolean;
  /** Whether the call has a risk mark. If undefined, no rule with `unmarked` allows the call. */
  readonly isMarked?: () => boolean;
  /** The turn's time, ms. */
  readonly at: number;
}

/** The reading of the call itself. All rules share it, because it does not depend on the asker or the time. */
export interface CallReading {
  readonly tool: string;
  readonly shell: ShellCall | undefined;
  readonly cwd: string | undefined;
  readonly hash: string;
  /** The tool whose rules to deny or to ask apply too: for every client's shell this is Bash (SHELL-CALL-1). */
  readonly kind: string;
  readonly subjects: Subjects;
  readonly commands: readonly CommandRead[];
  readonly isGuarded: () => boolean;
  /** The names in the input's paths that mark a file as running later. */
  readonly telling: readonly string[];
  readonly isMarked: (() => boolean) | undefined;
}

/** A call with everything that a condition may read. */
export interface SeenCall extends CallReading {
  readonly sessionId: SessionId;
  readonly agentId: AgentId;
  readonly agentType: string | undefined;
  readonly at: number;
}

/** A fault of a rule, and the field that has it. */
export interface Flaw {
  readonly path: string;
  readonly reason: string;
}

export type ShownTerms = Pick<RuleTerms, Exclude<ConditionKind, "session">> & { readonly session?: string };

/** If a rule leaves a condition out, the condition matches every call. */
export interface Condition {
  /** Whether a rule to allow may answer this call by this condition. All conditions of the rule must agree. */
  readonly allow: (rule: Usable, call: SeenCall) => boolean;
  /** Whether a rule to deny or to ask is about this call by this condition. */
  readonly concern: (rule: Usable, call: SeenCall) => Fit;
  /** The fault in what a person wrote; undefined if there is none. */
  readonly flaw: (terms: RuleTerms) => Flaw | undefined;
  /** The condition in words; empty if the rule lacks it, or if views show it in another way. */
  readonly show: (terms: ShownTerms) => string;
}
