// Results
// Finds the call that a result, a deferral or a permission is about.
//
//   Owns:          the order in which calls are tried as the call of a result, a deferral or a permission.
//   Does not own:  reading a result (outcomes) or a permission (permits), results that come before their call (orphans), the
//                  client's list of a message's calls (listing), the states of a call (tool-call).
//
// C2. A deferral counts once, however many sources report it. A further deferral counts only after the client has taken the
//       call up again. If the client has taken the call up again, and only then a transcript reports the earlier deferral, that
//       report changes nothing.
// C5. A result without an id is matched with a denied call only if no other call fits, because a result of a denied call raises
//     an alarm.
// I-18. A result that shows its input is never matched with a call of another input: it waits as an orphan. A denial is never
//       matched with a call whose approval shows another input. A result without an id may be matched with a call that has an id.

import { approvals, type CallBook, calls, head, workOf } from "../books.ts";
import { findById, findClosed, findInLine } from "../matching/correlation.ts";
import { type Found, likeness, type Likeness } from "../queues/queue-keys.ts";
import { type AgentId, MAIN_AGENT } from "../ids.ts";
import type { CallRef, SourceInput, ToolDeferred, ToolPermission } from "../inputs.ts";
import { asksAnother } from "./approvals/binding.ts";
import { doubtAgain } from "./doubts.ts";
import { keepOrphan } from "./orphans.ts";
import { apply, type Result, resultOf } from "./outcomes.ts";
import { keepPermit, permit } from "./approvals/permits.ts";
import { isGone, isOpen, lags, reject, type Scene, tellCall } from "./scene.ts";
import { findNamed } from "./calls.ts";
import { knownRequest } from "./requests.ts";

type Resulting = SourceInput & { readonly call: CallRef };

/** Finds the call of a result. Without an id, the result is tried by input, then as a repeat of a known result, then by tool. */
function findResulted(scene: Scene, agentId: AgentId, input: Resulting): Found | undefined {
  const { records, digest } = scene;
  const ref = input.call;
  if (ref.toolUseId !== undefined) return findById(records, ref) ?? findNamed(scene, agentId, ref);
  const like = likeness(digest, agentId, ref);
  const open = findInLine(records, like, ["started", "announced"]);
  if (open?.match.how === "input") return open;
  const result = resultOf(input);
  const fits = (call: CallBook): boolean => call.result === "" || call.result === result;
  const closed =
    findClosed(records, like, (call) => fits(call) && !call.denied) ?? findClosed(records, like, fits);
  return (
    closed ?? findTold(scene, agentId, input, like) ?? (open && mayBe(scene, open, input) ? open : undefined)
  );
}

/** Finds the call whose known result a result without an id probably repeats. Each call accepts one repeat. */
function findTold(scene: Scene, agentId: AgentId, input: Resulting, like: Likeness): Found | undefined {
  const { records } = scene;
  const requestId = knownRequest(scene, agentId, input);
  const work = requestId && workOf(records, requestId);
  const sign = resultOf(input)[0];
  if (sign === undefined || asksAnother(scene, agentId, input.call, requestId)) return undefined;
  // If a gate is asked about every call, the gate reports the start of every call that runs. So a call that has an approval but
  // no reported start did not run, and no result repeats its result.
  const isGated = "gated" in input && input.gated === "all";
  const fits = ({ toolUseId, unnamedResult, result, asked, hadPre, requestId: of }: CallBook): boolean =>
    toolUseId !== undefined &&
    !unnamedResult &&
    !(isGated && asked && !hadPre) &&
    result[0] === sign &&
    workOf(records, of) === (work ?? workOf(records, of));
  return findClosed(records, like, fits);
}

/** I-18. False if a result shows another input than the call has, or a denial another input than the call's approval has. */
function mayBe({ records }: Scene, { id }: Found, { type, call: { input } }: Resulting): boolean {
  if (input === undefined) return true;
  const { hash, approvalId } = calls.get(records, id) ?? {};
  if (hash !== undefined) return false;
  const asked = approvalId === undefined ? undefined : approvals.get(records, approvalId)?.hash;
  return type !== "tool.denied" || asked === undefined || asked === input.hash;
}

export function toolResult(scene: Scene, agentId: AgentId, input: Result): void {
  const { records } = scene;
  const found = findResulted(scene, agentId, input);
  const call = found && calls.get(records, found.id);
  if (!found || !call)
    return isGone(scene, input.call.toolUseId) ? undefined : keepOrphan(scene, agentId, input);
  apply(scene, found.id, call, input, found.match);
}

export function toolDeferred(scene: Scene, agentId: AgentId, input: ToolDeferred): void {
  const { records, at, channel, policy } = scene;
  const found = findResulted(scene, agentId, input);
  const call = found && calls.get(records, found.id);
  if (!found || !call) return reject(scene, "no call fits this deferral");
  const { deferredOn = [] } = call;
  const isRepeat = isToldAgain(scene, call);
  // A deferred call needs a new approval before it runs, so the answer to its earlier approval is dropped.
  const { settled: _, again, ...rest } = call;
  const known = isRepeat ? call : rest;
  calls.set(records, found.id, { ...known, deferredOn: isRepeat ? [...deferredOn, channel] : [channel] });
  if (isRepeat) return;
  doubtAgain(scene, found.id);
  const reopens = !isOpen(call) && !isOutdated(scene, call);
  tellCall(scene, found.id, {
    type: "deferred",
    at,
    until: at + policy.deferredMs,
    ...(reopens && { reopens }),
  });
  if (reopens && again && lags(scene)) tellCall(scene, found.id, { type: "started", at });
}

/**
 * C2. True if the deferral was reported before. If only transcripts reported it, and the call was then taken up again, a report
 * from another channel is about a new deferral.
 */
function isToldAgain(scene: Scene, { deferredOn = [], deferred, hadPre }: CallBook): boolean {
  if (deferredOn.length === 0 || deferredOn.includes(scene.channel)) return false;
  const isAnother = !deferred && hadPre && !lags(scene) && deferredOn.every((channel) => lags({ channel }));
  return !isAnother;
}

/**
 * C2. True if the main agent has got a new request since the call was deferred: the client then no longer takes the call up.
 */
const isOutdated = ({ records }: Scene, { agentId, requestId }: CallBook): boolean =>
  agentId === MAIN_AGENT && head(records).requestId !== requestId;

export function toolPermission(scene: Scene, agentId: AgentId, input: ToolPermission): void {
  const found = findResulted(scene, agentId, input);
  const { toolUseId } = input.call;
  if (found) permit(scene, found.id, input);
  else if (toolUseId !== undefined && !isGone(scene, toolUseId)) keepPermit(scene, toolUseId, input);
}
