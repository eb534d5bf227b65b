// Condition
// What each condition of a rule can be asked, and the call that it is asked about.
//
//   Owns:          which facts a condition asks for; a call as conditions see it.
//   Does not own:  their answers (conditions, matchers), which rule answers (ruling).

import type { AgentId, SessionId } from "../ids.ts";
import type { ToolInput } from "../inputs.ts";
import type { CommandRead } from "./command-match.ts";
import type { Fit } from "./command-pattern.ts";
import type { ShellCall } from "./shell-call.ts";
import type { Subjects } from "./subject.ts";
import type { ConditionKind, RuleTerms, Usable } from "./terms.ts";

/** Somebody asks whether a call may be made. */
export interface AskedCall {
  readonly sessionId: SessionId;
  readonly tool: string;
  readonly input?: ToolInput;
  /** Of a call of a client's shell. */
  readonly shell?: ShellCall;
  readonly agentId: AgentId;
  readonly agentType?: string;
  /** Where the session works, as it said last. */
  readonly cwd?: string;
  /** Which call it is about is not certain. */
  readonly isAmbiguous: boolean;
  /** Whether it bears a risk's mark; where nobody can say, no rule that asks for none allows it. */
  readonly isMarked?: () => boolean;
  /** The turn's clock, ms. */
  readonly at: number;
}

/** The reading of the call itself. All rules share it, because it does not depend on the asker or the time. */
export interface CallReading {
  readonly tool: string;
  readonly shell: ShellCall | undefined;
  readonly cwd: string | undefined;
  readonly hash: string;
  /** The tool whose rules to deny or to ask are about it, too: every client's shell is one (SHELL-CALL-1). */
  readonly kind: string;
  readonly subjects: Subjects;
  readonly commands: readonly CommandRead[];
  readonly isGuarded: () => boolean;
  /** The names by which files that the call writes are known to run later. */
  readonly telling: readonly string[];
  readonly isMarked: (() => boolean) | undefined;
}

/** A call with all there is to be looked at. */
export interface SeenCall extends CallReading {
  readonly sessionId: SessionId;
  readonly agentId: AgentId;
  readonly agentType: string | undefined;
  readonly at: number;
}

/** What is wrong with a rule, and with which field of it. */
export interface Flaw {
  readonly path: string;
  readonly reason: string;
}

/** A rule as people are shown it. */
export type ShownTerms = Pick<RuleTerms, Exclude<ConditionKind, "session">> & { readonly session?: string };

/** A rule that leaves a condition out is not limited by it. */
export interface Condition {
  /** Whether it lets a rule to allow answer this call. All conditions of the rule must. */
  readonly allow: (rule: Usable, call: SeenCall) => boolean;
  /** Whether a rule to deny or to ask is about this call, as far as it goes. */
  readonly concern: (rule: Usable, call: SeenCall) => Fit;
  /** What is wrong with what a person wrote; undefined where nothing is. */
  readonly flaw: (terms: RuleTerms) => Flaw | undefined;
  /** In words; empty where the rule does not say it, or where views count it down themselves. */
  readonly show: (terms: ShownTerms) => string;
}
