// Policy answering
// What a policy's verdict leads to, beside what the rules say: the more restrictive of both.
//
//   Owns:          putting a verdict and the rules together.
//   Does not own:  the verdict: it came before the turn, as an entry (policy/policy-side); what rules say (machines/rules).
//   Decided in:    docs/decisions/0084-a-policys-verdict-is-an-entry.md.
//
// POLICY-ANSWERING-1. Deny beats ask beats allow, whoever says it. While a policy is in force, no rule allows before it has
//     spoken; where a rule asked, it takes nothing of that away.
// POLICY-ANSWERING-2. A policy permits only what a rule could allow: nothing that is marked, cut, ambiguous, or reaches the
//     engine, of commands only a plain one, and no file that runs later.
// POLICY-ANSWERING-3. A verdict counts once, for the policy and reader in force, for the input that was asked about, while the
//     approval waits. Else it leads to nothing.

import {
  type Address,
  type ApprovalContext,
  type AskedCall,
  type Audit,
  byPolicy,
  childAddress,
  type Decision,
  defined,
  type Guarded,
  type Rule,
  type RuleTerms,
  rulingOf,
} from "../../../machines/index.ts";
import type { PolicyRuled } from "../../policy.ts";
import { withMarks } from "../../risks/marked.ts";
import { actorRow } from "../../rows/actors/actor-rows.ts";
import type { Layer } from "../../rows/overlay.ts";
import { takeUnruled, type Unruled } from "../../rows/policy-rows.ts";
import { rulesOf } from "../../rows/rule-rows.ts";
import type { Delivered } from "../delivery.ts";
import { readCall } from "./policy-call.ts";
import { answerAs, askedCall, carryOut, guardedIn } from "../rule-answering.ts";
import type { Stage } from "../stage.ts";

/** POLICY-ANSWERING-3. @returns the approval that waited for this verdict, which it does no more. */
export function takeAsked(
  layer: Layer,
  home: Address,
  said: PolicyRuled,
): (ApprovalContext & Unruled) | undefined {
  const unruled = takeUnruled(layer, home, said);
  if (!unruled) return undefined;
  const row = actorRow(layer, childAddress(home, "approval", said.approvalId));
  if (row?.snapshot.value !== "pending") return undefined;
  // The actor at an approval's address is an approval.
  const approval = row.snapshot.context as ApprovalContext;
  return (approval.input?.hash ?? "") === said.inputHash ? { ...approval, ...unruled } : undefined;
}

/**
 * @param tell carries a decision out.
 * @throws Rejection for a decision that does not count; whatever a row that cannot be read throws.
 */
export function answerByPolicy(
  stage: Pick<Stage, "layer" | "workspace" | "session" | "at">,
  home: Address,
  said: PolicyRuled,
  approval: ApprovalContext & Unruled,
  tell: (input: Decision) => Delivered,
): Delivered | undefined {
  const { layer, workspace, at } = stage;
  const { effect } = said;
  if (effect === "forbid") return carryOut(approval, { decision: "deny", ...saidBy(said) }, tell);
  const guarded = guardedIn(layer);
  const asked = withMarks(askedCall(stage, home, approval));
  const rules = rulesOf(layer, workspace).filter((rule) => isBefore(rule, approval.askedAt));
  const own = rulingOf(rules, asked, guarded);
  const mayAllow = effect !== "ask" && !approval.isAsked;
  if (own?.effect === "deny" || (own?.effect === "allow" && mayAllow))
    return answerAs(stage, approval, own.effect, own.rule, tell);
  if (effect === "ask") return { changes: [], answers: [], audits: [asking(said, approval, at)] };
  return effect === "permit" && !own && mayAllow && isAllowable(asked, guarded)
    ? carryOut(approval, { decision: "approve", ...saidBy(said) }, tell)
    : undefined;
}

/** POLICY-ANSWERING-2 */
function isAllowable(asked: AskedCall, guarded: Guarded): boolean {
  const { tool, input } = asked;
  const read = readCall(asked);
  if (!read || !input) return false;
  const terms: RuleTerms = { effect: "allow", tool, unmarked: true };
  const rule: RuleTerms = read.words ? { ...terms, match: { kind: "exact", inputHash: input.hash } } : terms;
  return rulingOf([rule], asked, guarded)?.effect === "allow";
}

/** A rule answers what is asked after it was made. */
const isBefore = ({ madeAt, enforced }: Rule, askedAt: number): boolean =>
  madeAt <= askedAt && (enforced?.at ?? 0) <= askedAt;

function saidBy({ effect, policy, engine, policies }: PolicyRuled): Pick<Decision, "by" | "message"> {
  const done = effect === "forbid" ? "Denied" : "Allowed";
  const which = `${policies.join(", ")} of policy ${policy.slice(0, 12)}`;
  return { by: byPolicy(policies), message: `${done} by ${which}, read by ${engine}.` };
}

function asking(said: PolicyRuled, { id, callId, tool }: ApprovalContext, at: number): Audit {
  const { policies, reason = "the policy asks", inputHash } = said;
  const by = byPolicy(policies);
  return {
    kind: "rule-asked",
    approvalId: id,
    by,
    decision: "ask",
    reason,
    tool,
    at,
    inputHash,
    ...defined({ callId }),
  };
}
