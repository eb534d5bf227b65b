// Router
// Turns one input of a session into a plan: which actors the input concerns, and which event each of these actors gets.
//
//   Owns:          calling the right code for every kind of input and report; the two functions that route an input and a report
//                  of a session.
//   Does not own:  carrying out the plan (the session machine turns the plan into effects, and the runtime carries out the
//                  effects).
//   Decided in:    docs/decisions/0001-plans-not-messages.md.
//
// The plan depends only on the given records: the same records and the same message make the same plan (G10).

import { approvals, head, requests } from "../books.ts";
import { defined } from "../defined.ts";
import type { Report } from "../effects.ts";
import { type AgentId, parseAddress } from "../ids.ts";
import type { Input, SessionEnded, SourceInput, TimerFired, ToolAnnounced, ToolStarted } from "../inputs.ts";
import { DEFERRAL } from "../facts/call-facts.ts";
import type { SessionCounts, SessionEvent } from "../session.ts";
import { deferralOver, processGone, sessionEnded, sessionStarted, turnStopped } from "./closing.ts";
import { bindEnded } from "./approvals/binding.ts";
import { assigned, decided } from "./approvals/decisions.ts";
import { demanded } from "./approvals/demands.ts";
import { heard, idleAt, sessionIdled } from "./idling.ts";
import {
  approvalAnswered,
  approvalLapsed,
  approvalRequested,
  approvalWithdrawn,
} from "./approvals/approvals.ts";
import { approvalTaken, waiterGone } from "./approvals/evidence.ts";
import { joinOrphan, releaseOrphans } from "./orphans.ts";
import { leavePast, pastTold } from "./past.ts";
import { isPast } from "./past-marks.ts";
import { agentLinked, agentStarted, speaker } from "./parents.ts";
import { reported } from "./reports.ts";
import { toolBatch } from "./listing.ts";
import { toolDeferred, toolPermission, toolResult } from "./results.ts";
import { forgetSession, forgetRequest } from "./retention.ts";
import { isClosing, lags, reject, type Scene, tellApproval, tellRequest } from "./scene.ts";
import { toolAnnounced, toolStarted } from "./calls.ts";
import { agentSaid } from "./words.ts";
import { promptSubmitted, requestCallback, requestCreated, requestMoved } from "./requests.ts";

export interface Routed {
  readonly event: SessionEvent;
  readonly rejection?: string;
  readonly isReuse?: true;
}

export function route(scene: Scene, input: Input): Routed {
  if (input.type !== "timer.fired" && input.type !== "assigned") heard(scene);
  // The cast is safe: a handler only gets inputs of its own type.
  if (!isPastLine(scene, input)) (HANDLERS[input.type] as Handler<Input>)(scene, input);
  return finish(scene, saidBy(input), scene.reason === "idle" ? "session.ended" : input.type);
}

function isPastLine(scene: Scene, input: Input): boolean {
  if (!lags(scene) || !("observedAt" in input)) return false;
  const isHistory = isPast(scene, input);
  if (isHistory) pastTold(scene, input);
  else if (input.agentId === undefined) leavePast(scene);
  return isHistory;
}

function saidBy(input: Input): SessionEvent["type"] {
  if (input.type === "session.started") return "began";
  if (input.type === "session.ended" || input.type === "process.gone") return "ended";
  return input.type === "timer.fired" && input.timer === "idle" ? "idled" : "worked";
}

export function routeReport(scene: Scene, report: Report): Routed {
  reported(scene, report);
  return finish(scene, "reported", report.type);
}

function finish(scene: Scene, type: SessionEvent["type"], what: string): Routed {
  const { at, steps, timers, removals, facts, atWork, reason, rejection, isReuse } = scene;
  // If the message that shows a call at work also closes the call, it does not show the session at work: an ended session stays
  // ended.
  const revives = scene.revives || (atWork !== undefined && !isClosing(scene, atWork));
  const plan = { steps, timers, removals, facts, counts: counts(scene), revives, idleAt: idleAt(scene) };
  const event = { type, at, what, ...plan, ...defined({ reason }) };
  return { event, ...defined({ rejection }), ...(isReuse && { isReuse }) };
}

function counts(scene: Scene): SessionCounts {
  const { requests: all, openRequests, calls: seen, openCalls, pendingApprovals } = head(scene.records);
  return { requests: all, openRequests, calls: seen, openCalls, pendingApprovals };
}

type Handler<I> = (scene: Scene, input: I) => unknown;

const bySpeaker =
  <I extends SourceInput>(handle: (scene: Scene, agentId: AgentId, input: I) => unknown): Handler<I> =>
  (scene, input) =>
    handle(scene, speaker(scene, input), input);

const HANDLERS: { readonly [T in Input["type"]]: Handler<Input & { readonly type: T }> } = {
  "session.started": noted,
  "session.noted": noted,
  "session.ended": ended,
  "prompt.submitted": promptSubmitted,
  "turn.stopped": bySpeaker(turnStopped),
  "agent.started": agentStarted,
  "agent.linked": agentLinked,
  "agent.said": bySpeaker(agentSaid),
  "tool.announced": bySpeaker(announced),
  "tool.started": bySpeaker(started),
  "tool.finished": bySpeaker(toolResult),
  "tool.failed": bySpeaker(toolResult),
  "tool.denied": bySpeaker(toolResult),
  "tool.lost": bySpeaker(toolResult),
  "tool.deferred": bySpeaker(toolDeferred),
  "tool.permission": bySpeaker(toolPermission),
  "tool.batch": bySpeaker(toolBatch),
  "approval.requested": bySpeaker(approvalRequested),
  "approval.answered": bySpeaker(approvalAnswered),
  "approval.withdrawn": bySpeaker(approvalWithdrawn),
  "approval.lapsed": approvalLapsed,
  "request.created": requestCreated,
  "request.queued": requestMoved,
  "request.processing": requestMoved,
  "request.completed": requestMoved,
  "request.failed": requestMoved,
  "request.cancelled": requestMoved,
  "request.callback": requestCallback,
  decision: decided,
  assigned,
  demand: demanded,
  "timer.fired": timerFired,
  "process.gone": processGone,
  "waiter.gone": waiterGone,
  "approval.taken": approvalTaken,
  unknown: () => undefined,
};

function ended(scene: Scene, input: SessionEnded): void {
  releaseOrphans(scene, false);
  sessionEnded(scene, input);
}

function announced(scene: Scene, agentId: AgentId, input: ToolAnnounced): void {
  joinOrphan(scene, input.call, toolAnnounced(scene, agentId, input));
}

function started(scene: Scene, agentId: AgentId, input: ToolStarted): void {
  const id = toolStarted(scene, agentId, input);
  const joined = joinOrphan(scene, input.call, id);
  if (id !== undefined && joined) bindEnded(scene, id, input.call);
}

function noted(scene: Scene, input: Extract<Input, { type: "session.started" | "session.noted" }>): void {
  const { cwd, model, branch, title, client } = input;
  const facts = {
    cwd: cut(cwd),
    model: cut(model),
    branch: cut(branch),
    title: cut(title),
    client: cut(client),
  };
  scene.facts = { ...scene.facts, ...defined(facts) };
  if (input.type === "session.started") sessionStarted(scene, input);
}

/**
 * I-44: the most characters of a session's fact. A longer fact is cut. Facts are shown; only the folder is also compared, by
 * rules, and a folder that may have been cut counts as unknown there (turn/rule-answering).
 */
const FACT_MAX = 512;
const cut = (fact: string | undefined): string | undefined => fact?.slice(0, FACT_MAX);

function timerFired(scene: Scene, { address, timer }: TimerFired): void {
  const { records, at } = scene;
  const { kind, id } = parseAddress(address);
  if (kind === "session") {
    if (timer === "orphans") return releaseOrphans(scene, true);
    if (timer === "removal") return forgetSession(scene);
    if (timer === "idle") return sessionIdled(scene);
  }
  if (kind === "call" && timer === DEFERRAL) return deferralOver(scene, id);
  if (kind === "approval" && approvals.get(records, id)) {
    return tellApproval(scene, id, { type: "lapsed", at, byTimer: true });
  }
  if (kind === "request" && timer === "removal") return forgetRequest(scene, id);
  const book = kind === "request" ? requests.get(records, id) : undefined;
  if (kind !== "request" || !book || (timer !== "hung" && timer !== "timeout"))
    return reject(scene, `no actor waits for the timer ${timer} of ${address}`);
  tellRequest(scene, id, { type: "overdue", at, timer, idleSince: book.lastInputAt });
}
