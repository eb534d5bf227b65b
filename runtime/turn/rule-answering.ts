// Rule answering
// Lets the rules answer a new approval, in the turn that made the approval.
//
//   Owns:          which facts about a call rules read; the decision that follows from a rule's answer.
//   Does not own:  which rule answers (machines/rules), what the decision does (machines).
//
// RULE-ANSWERING-1. A rule's answer to allow or to deny is a decision on the exact input, in the same commit as the new
//     approval, so nobody sees the approval pending.
// RULE-ANSWERING-2. If a rule's decision is not accepted (a closed session, for example, accepts no decision to approve), the
//     approval stays pending, and no use of the rule is counted.
// RULE-ANSWERING-3. A rule answers only a new approval that is still pending after the input that requested the approval was
//     applied.
// RULE-ANSWERING-4. A new approval gets all demands of rules in the commit that makes it, so nobody can answer before the demands
//     are known.

import {
  type Address,
  agentBooks,
  type AgentId,
  type ApprovalContext,
  type ApprovalId,
  approversText,
  type AskedCall,
  type Audit,
  byRule,
  childAddress,
  type Decision,
  type Demanded,
  demandOf,
  defined,
  type Guarded,
  NOTHING_GUARDED,
  type Rule,
  rulingOf,
  type SessionContext,
} from "../../machines/index.ts";
import { actorRow } from "../rows/actors/actor-rows.ts";
import type { DraftChange } from "../rows/changes.ts";
import { meta } from "../rows/meta.ts";
import type { Beside } from "../rows/past-approvals.ts";
import type { Layer } from "../rows/overlay.ts";
import { leaveUnruled, policyIn } from "../rows/policy-rows.ts";
import { withMarks } from "../risks/marked.ts";
import { SessionRecords } from "../rows/session-records.ts";
import { type Delivered, Rejection } from "./delivery.ts";
import type { Stage } from "./stage.ts";
import { rulesOf, useRule } from "../rows/rule-rows.ts";

/** The length at which the machines cut a session's facts, so that the full path of a longer folder is not known. */
const FACT_MAX = 512;

export const askedIn = (changes: readonly DraftChange[]): readonly string[] =>
  changes.flatMap(({ entity, from, to, id }) =>
    entity === "approval" && from === null && to === "pending" ? [id] : [],
  );

/** @throws Rejection for a decision that does not count; the error of an unreadable row. */
export function answerByRule(
  stage: Pick<Stage, "layer" | "workspace" | "session" | "at">,
  home: Address,
  id: string,
  deliver: (input: Decision | Demanded) => Delivered,
): Delivered | undefined {
  const { layer, workspace, at } = stage;
  const rules = rulesOf(layer, workspace);
  const isUnruled = policyIn(layer) !== undefined;
  const row = rules.length > 0 || isUnruled ? actorRow(layer, childAddress(home, "approval", id)) : undefined;
  if (row?.snapshot.value !== "pending") return undefined;
  // The cast is safe: the row is at an approval's address, so its context is an approval's.
  const approval = row.snapshot.context as ApprovalContext;
  const ruling = rulingOf(rules, withMarks(askedCall(stage, home, approval)), guardedIn(layer));
  if (isUnruled && ruling?.effect !== "deny") leaveUnruled(layer, home, id, ruling?.effect === "ask");
  if (!ruling) return undefined;
  const { effect, rule } = ruling;
  if (effect === "ask") {
    // The first rule that asks, and each further one that demands several or certain approvers, gets an audit row. A use is
    // counted only of rules to ask: the first may also be a rule to deny of which it is unsure whether it matches (RULING-3).
    const asked = (ruling.asking ?? []).filter((each) => each === rule || demandOf(each));
    for (const each of asked) if (each.effect === "ask") useRule(layer, each, at);
    const audits = asked.map((each) => asking(each, approval, at));
    const demands = asked.flatMap((each) => demandOf(each) ?? []);
    if (demands.length === 0) return { changes: [], answers: [], audits };
    const delivered = deliver({ type: "demand", approvalId: id as ApprovalId, demands });
    return { ...delivered, audits: [...audits, ...delivered.audits] };
  }
  // POLICY-ANSWERING-1: no rule may allow a call before the policy has given its verdict.
  return effect === "allow" && isUnruled ? undefined : answerAs(stage, approval, effect, rule, deliver);
}

export function answerAs(
  { layer, at }: Pick<Stage, "layer" | "at">,
  approval: ApprovalContext,
  effect: keyof typeof DONE,
  rule: Rule,
  deliver: (input: Decision) => Delivered,
): Delivered {
  const decision = effect === "allow" ? "approve" : "deny";
  const said = { decision, by: byRule(rule.id), message: wordsOf(effect, rule) } as const;
  const delivered = carryOut(approval, said, deliver);
  useRule(layer, rule, at);
  return delivered;
}

/** Applies a decision that a rule or a policy made. @throws Rejection for a decision that does not count. */
export function carryOut(
  { id, input }: ApprovalContext,
  said: Pick<Decision, "decision" | "by" | "message">,
  deliver: (input: Decision) => Delivered,
): Delivered {
  const approvalId = id;
  const delivered = deliver({ type: "decision", approvalId, inputHash: input?.hash ?? "", ...said });
  const answer = delivered.answers.find((each) => each.approvalId === id);
  if (answer?.result !== "accepted") throw new Rejection(answer?.reason ?? "it was not applied");
  return delivered;
}

export function askedCall(
  stage: Pick<Stage, "layer" | "session" | "at">,
  home: Address,
  { tool, input, shell, agentId, ambiguous }: ApprovalContext,
): AskedCall {
  const { sessionId, ...beside } = besideOf(stage, home, agentId);
  return {
    sessionId,
    tool,
    agentId,
    isAmbiguous: ambiguous,
    at: stage.at,
    ...defined({ input, shell, ...beside }),
  };
}

/** What a rule reads in addition to the approval, from other rows as they are now. */
export function besideOf(
  { layer, session }: Pick<Stage, "layer" | "session">,
  home: Address,
  agentId: AgentId,
): Beside {
  const { type } = agentBooks.get(new SessionRecords(layer, home), agentId) ?? {};
  return { sessionId: session, agentType: type, cwd: cwdOf(layer, home) };
}

/** The engine's own folders and addresses, from its journal; no rule allows a call that reaches one of them. */
export const guardedIn = (layer: Layer): Guarded => meta(layer).configuration.guarded ?? NOTHING_GUARDED;

/** The session's folder; undefined if its full path is not known. */
function cwdOf(layer: Layer, home: Address): string | undefined {
  const { cwd } = (actorRow(layer, home)?.snapshot.context ?? {}) as Partial<SessionContext>;
  return cwd === undefined || cwd.length >= FACT_MAX ? undefined : cwd;
}

const DONE = { allow: "Allowed", deny: "Denied" } as const;

/**
 * The text that a rule's decision has as its message. If the rule denies, the agent reads this text, too. A reader can
 * understand the text after the rule was removed.
 */
function wordsOf(effect: keyof typeof DONE, { id, madeBy, note }: Rule): string {
  return `${DONE[effect]} by rule ${id}, made by ${madeBy}${note === undefined ? "." : `: ${note}`}`;
}

function askedText({ approvals = 1, approvers }: Rule): string {
  const who = approvals === 1 ? "a person is" : `${approvals} people are`;
  return `${who} to answer${approvers ? `: ${approversText(approvers)}` : ""}`;
}

function asking(rule: Rule, { id, callId, tool, input }: ApprovalContext, at: number): Audit {
  return {
    kind: "rule-asked",
    approvalId: id,
    by: byRule(rule.id),
    decision: "ask",
    reason: rule.effect === "ask" ? askedText(rule) : "the rule cannot be sure",
    tool,
    at,
    ...defined({ callId, inputHash: input?.hash }),
  };
}
