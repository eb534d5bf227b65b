// Policy
// The types of a policy and its verdict. A policy is a text in a policy language; it decides about approvals together with the
// rules.
//
//   Owns:          the facts about a call that a policy gets, the journal entries about a policy, the port of a policy reader.
//   Does not own:  any one policy language (adapters/cedar), the rows of a policy (rows/policy-rows), the effect of a verdict
//                  (turn/policy).
//   Decided in:    docs/decisions/0084-a-policys-verdict-is-an-entry.md.

export interface PolicyCall {
  readonly workspace: string;
  readonly session: string;
  readonly agent: string;
  /** The agent's type; empty if unknown. */
  readonly agentType: string;
  /** The session's folder; empty if unknown. */
  readonly cwd: string;
  readonly tool: string;
  readonly inputHash: string;
  /** True if the input has no unknown field, and is one plain command or a known tool's one path. */
  readonly isPlain: boolean;
  /** The words of a plain command with a blank between them, words with a blank in quotes; empty for other calls. */
  readonly line: string;
  /** The words of a plain command in order; for other calls, every word that may be part of a command. */
  readonly words: readonly string[];
  /** The words of a plain command with which its program does more than usual (REACH-1, REACH-2, REACH-3). */
  readonly reaches: readonly string[];
  readonly commands: readonly string[];
  readonly paths: readonly string[];
  readonly risks: readonly string[];
  /** The agents that asked about an equal call since the engine started. */
  readonly askedBefore: readonly string[];
}

/** What the policy decides. `none`: it decides nothing about this call. */
export type PolicyEffect = "permit" | "forbid" | "ask" | "none";

export interface PolicyVerdict {
  readonly effect: PolicyEffect;
  /** The ids of the policy's rules that led to the verdict. */
  readonly policies: readonly string[];
  readonly reason?: string;
}

/** The own message with which a policy takes effect: the policy's text, the text's hash, and the policy's reader (`engine`). */
export interface PolicySet {
  readonly type: "policy.set";
  readonly text: string;
  readonly hash: string;
  readonly engine: string;
}

export interface PolicyDropped {
  readonly type: "policy.dropped";
}

/** The message with the verdict of the policy in force on an approval. */
export interface PolicyRuled extends PolicyVerdict {
  readonly type: "policy.ruled";
  readonly approvalId: string;
  readonly inputHash: string;
  /** The hash of the policy's text; `engine` names the policy's reader. */
  readonly policy: string;
  readonly engine: string;
}

export interface PolicyReader {
  readonly engine: string;
  /** Decides about a call. Never throws: after an error, a person is asked. */
  decide(call: PolicyCall): PolicyVerdict;
}

/** @throws RefusedError POLICY_READER_ABSENT, POLICY_INVALID */
export type OpenPolicy = (text: string) => Promise<PolicyReader>;
