// Policy answering
// Combines a policy's verdict on an approval with the answer of the rules. The more restrictive of the two counts.
//
//   Owns:          combining the verdict with the rules' answer.
//   Does not own:  finding the verdict, which is in a journal entry of its own (policy/policy-side); how rules answer
//                  (machines/rules).
//   Decided in:    docs/decisions/0084-a-policys-verdict-is-an-entry.md.
//
// POLICY-ANSWERING-1. Deny has priority over ask, and ask over allow, whether the policy or a rule says so. While a policy is in
//     force, no rule allows a call before the policy's verdict. If a rule to ask applies, a person is asked even if a later
//     verdict permits the call.
// POLICY-ANSWERING-2. A policy permits only a call that a rule could allow. A policy cannot permit a call that has a risk mark,
//     reaches the engine's own folders or addresses, is ambiguous, or whose input is cut. Nor can it permit a command that is
//     not plain (POLICY-CALL-2), or writing a file that runs later.
// POLICY-ANSWERING-3. A verdict counts once, while the approval waits for it. The verdict must come from the policy in force
//     and the program that evaluates it now, and be about the input that the approval shows. Any other verdict has no effect.

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

/**
 * POLICY-ANSWERING-3. Takes the approval that a verdict is about.
 * @returns the approval, which then no longer waits for a verdict; undefined if the verdict fits none.
 */
export function takeAsked(
  layer: Layer,
  home: Address,
  said: PolicyRuled,
): (ApprovalContext & Unruled) | undefined {
  const unruled = takeUnruled(layer, home, said);
  if (!unruled) return undefined;
  const row = actorRow(layer, childAddress(home, "approval", said.approvalId));
  if (row?.snapshot.value !== "pending") return undefined;
  // The cast is safe: the row is at an approval's address, so its context is an approval's.
  const approval = row.snapshot.context as ApprovalContext;
  return (approval.input?.hash ?? "") === said.inputHash ? { ...approval, ...unruled } : undefined;
}

/** @param tell applies a decision. @throws Rejection for a decision that does not count; the error of an unreadable row. */
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

function isAllowable(asked: AskedCall, guarded: Guarded): boolean {
  const { tool, input } = asked;
  const read = readCall(asked);
  if (!read || !input) return false;
  const terms: RuleTerms = { effect: "allow", tool, unmarked: true };
  const rule: RuleTerms = read.words ? { ...terms, match: { kind: "exact", inputHash: input.hash } } : terms;
  return rulingOf([rule], asked, guarded)?.effect === "allow";
}

/**
 * True if the rule was made, and was no longer dry, when the approval was requested: a rule must not answer an approval that is
 * older than the rule.
 */
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
