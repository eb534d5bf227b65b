// Rule
// A standing answer to approvals of one kind: whose calls, which tool, which input, until when, how often.
//
//   Owns:          its shape, which rules nobody may make, and who its decisions are by.
//   Does not own:  its words (terms, conditions), whether it answers (ruling), keeping it (runtime/rules).
//
// RULE-1. A rule to allow names one tool, and one that runs commands it restricts by its input. Its pattern of words
//     names the program, and what that program is to run.
// RULE-2. A rule to deny or to ask has no project: an agent can leave its folder. One to ask has no number of uses, in
//     all or in an hour: it answers nothing, and so it cannot be dry either.

import type { WorkspaceId } from "../ids.ts";
import type { RuleTerms } from "./terms.ts";

/** Whose file of rules: the owner's own, or a project's, which allows nothing. */
export type FileScope = "owner" | "project";

/** What a dry rule would have done, of the approvals that people answered since it was made. */
export interface DryRecord {
  /** How many they answered. */
  readonly asked: number;
  /** How many of these it would have answered. */
  readonly answered: number;
  /** How many of those a person answered otherwise. */
  readonly contradicted: number;
}

export interface Rule extends RuleTerms {
  readonly id: string;
  readonly workspace: WorkspaceId;
  readonly madeBy: string;
  /** Of one that a file says: whose file that is. */
  readonly file?: FileScope;
  readonly madeAt: number;
  /** How often it was used, and when last. */
  readonly used: number;
  readonly usedAt?: number;
  /** When it was used in the last hour, where it has a limit for one. */
  readonly lately?: readonly number[];
  /** Of a rule that is dry, or was. */
  readonly record?: DryRecord;
  /** Who made a dry rule answer, and when. */
  readonly enforced?: { readonly by: string; readonly at: number };
}

/** Names before who a rule's or a policy's decision is by. */
const BY = "rule:";
export const BY_POLICY = "policy:";

/** Who a rule's decision is by. */
export const byRule = (id: string): string => `${BY}${id}`;

/** Who a policy's decision is by. @param ids of its rules that led to it. */
export const byPolicy = (ids: readonly string[]): string => `${BY_POLICY}${ids.join("+")}`;

/** True for a decision by a rule or a policy: by no person. */
export const isByRule = (by: string): boolean => by.startsWith(BY) || by.startsWith(BY_POLICY);
