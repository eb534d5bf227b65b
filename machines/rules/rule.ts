// Rule
// The type of a rule, a standing answer to approvals of one kind: for which agent, tool and input, until when, how often.
//
//   Owns:          the shape of a rule, which rules are refused when a person makes them, the name under which a rule decides.
//   Does not own:  the fields of a rule (terms, conditions), whether a rule answers (ruling), storing rules
//                  (runtime/rows/rule-rows).
//
// RULE-1. A rule to allow names one tool. If the tool runs commands, the rule also restricts the input, and a pattern in the rule
//     names the program and what the program runs.
// RULE-2. A rule to deny or to ask cannot be limited to a project's folder, because an agent could leave the folder. A rule to
//     ask answers nothing, so its uses cannot be limited, in total or per hour, and it cannot be dry.

import type { WorkspaceId } from "../ids.ts";
import type { RuleTerms } from "./terms.ts";

/** Who writes a file of rules: the owner, or a project. A project's file allows nothing. */
export type FileScope = "owner" | "project";

/** How a dry rule would have answered the approvals that people answered since the rule was made. */
export interface DryRecord {
  readonly asked: number;
  /** How many of the `asked` approvals the rule would have answered. */
  readonly answered: number;
  /** How many of the approvals in `answered` a person answered otherwise than the rule would have. */
  readonly contradicted: number;
}

export interface Rule extends RuleTerms {
  readonly id: string;
  readonly workspace: WorkspaceId;
  readonly madeBy: string;
  /** Present for a rule from a file: who writes that file. */
  readonly file?: FileScope;
  readonly madeAt: number;
  readonly used: number;
  readonly usedAt?: number;
  /** The times of the rule's uses in the last hour; only for a rule with an hourly limit. */
  readonly lately?: readonly number[];
  /** How the rule would have answered while it was dry, that is only tried out; absent if the rule was never dry. */
  readonly record?: DryRecord;
  readonly enforced?: { readonly by: string; readonly at: number };
}

const BY = "rule:";
export const BY_POLICY = "policy:";

export const byRule = (id: string): string => `${BY}${id}`;

/** The name under which a policy decides. @param ids the ids of the policy's own rules that led to the decision. */
export const byPolicy = (ids: readonly string[]): string => `${BY_POLICY}${ids.join("+")}`;

export const isByRule = (by: string): boolean => by.startsWith(BY) || by.startsWith(BY_POLICY);
