// Policy
// A text in a policy language that also has a say in approvals, and what it says of one.
//
//   Owns:          what a policy is told of a call, its entries, the port of a policy reader.
//   Does not own:  a language (adapters/cedar), its rows (rows/policy-rows), what its verdict leads to (turn/policy).
//   Decided in:    docs/decisions/0084-a-policys-verdict-is-an-entry.md.

/** A call as a policy sees it. */
export interface PolicyCall {
  readonly workspace: string;
  readonly session: string;
  readonly agent: string;
  /** Empty where it is not known. */
  readonly agentType: string;
  /** Empty where it is not known. */
  readonly cwd: string;
  readonly tool: string;
  readonly inputHash: string;
  /** It is one plain command, or a known tool with one path, without a field that is not known. */
  readonly isPlain: boolean;
  /** The words of a plain command with a blank between them, those with a blank in quotes; else empty. */
  readonly line: string;
  /** The words of its command: those of a plain one in their order, else every word that may be part of a command. */
  readonly words: readonly string[];
  /** Those words of a plain command that reach further than its program does by itself (REACH-1, REACH-2, REACH-3). */
  readonly reaches: readonly string[];
  readonly commands: readonly string[];
  readonly paths: readonly string[];
  /** The risks that it bears, by their ids. */
  readonly risks: readonly string[];
  /** The agents that asked for the very same since the engine started. */
  readonly askedBefore: readonly string[];
}

/** `none`: it says nothing of this call. */
export type PolicyEffect = "permit" | "forbid" | "ask" | "none";

export interface PolicyVerdict {
  readonly effect: PolicyEffect;
  /** Its rules that led to it, by their ids. */
  readonly policies: readonly string[];
  /** Why a person is asked. */
  readonly reason?: string;
}

/** A policy is in force from now on: its text, its hash, and who reads it. */
export interface PolicySet {
  readonly type: "policy.set";
  readonly text: string;
  readonly hash: string;
  readonly engine: string;
}

/** No policy is in force any more. */
export interface PolicyDropped {
  readonly type: "policy.dropped";
}

/** What the policy in force says of an approval. */
export interface PolicyRuled extends PolicyVerdict {
  readonly type: "policy.ruled";
  readonly approvalId: string;
  readonly inputHash: string;
  /** The hash of the policy's text, and who read it. */
  readonly policy: string;
  readonly engine: string;
}

/** Reads a policy. */
export interface PolicyReader {
  readonly engine: string;
  /** Never throws: what goes wrong asks a person. */
  decide(call: PolicyCall): PolicyVerdict;
}

/** @throws RefusedError POLICY_READER_ABSENT, POLICY_INVALID */
export type OpenPolicy = (text: string) => Promise<PolicyReader>;
