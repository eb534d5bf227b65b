// Past
// Handles transcript lines that are older than the client's process ("the past"): lines that a fork copied from its parent, or
// lines of the session that a resume continues.
//
//   Owns:          the requests and calls that are older than the client's process, and what transcript lines about them may
//                  change.
//   Does not own:  deciding which lines are history (past-marks), all other lines (router).
//   Decided in:    docs/decisions/0057-what-was-before-the-process.md.
//
// PAST-1. A transcript line that is older than the client's process ends no request or call of the present, withdraws no
//     approval, and changes no fact of the session.
// PAST-2. A call from before the client's process is found only by its id. An approval, a hook or a result without an id is never
//     matched with such a call.
// PAST-3. Calls of the past have requests of their own. A request of the past ends when a line of the past says so, or with the
//     first message of the present. In a fork's copy the requests of the past get new names, because every copied line has the
//     fork's own prompt id.
// PAST-4. A transcript line that is older than the client's process counts as past whenever the engine reads the line: before,
//     between or after the messages of the hooks.
// PAST-5. If the client takes up a call of the past again, for example a deferred call, the call belongs to the present from then
//     on.

import { agentOf, type CallBook, calls, head, prompts, requests, setHead } from "../books.ts";
import { sole } from "../facts/call-facts.ts";
import { findById } from "../matching/correlation.ts";
import { findUnnamed } from "../matching/nameless-calls.ts";
import { all } from "../queues/deque.ts";
import { type Found, likeness } from "../queues/queue-keys.ts";
import { type AgentId, MAIN_AGENT, type RequestId } from "../ids.ts";
import type {
  AgentSaid,
  CallRef,
  PromptSubmitted,
  SourceInput,
  ToolAnnounced,
  ToolDeferred,
  TurnStopped,
} from "../inputs.ts";
import { nameBatch } from "./agents.ts";
import { title } from "./asked.ts";
import { enter, findNamed } from "./calls.ts";
import { abandonRequests, closeCalls } from "./closing.ts";
import { agentLinked, speaker } from "./parents.ts";
import { isCopied } from "./past-marks.ts";
import { idOfPrompt, open, start } from "./requests.ts";
import { toolDeferred, toolPermission, toolResult } from "./results.ts";
import { isGone, isOpen, type Scene, tellRequest } from "./scene.ts";
import { learnIntent, say } from "./words.ts";

export function pastTold(scene: Scene, input: SourceInput): void {
  switch (input.type) {
    case "prompt.submitted":
      return pastPrompt(scene, input);
    case "tool.announced":
      return pastCall(scene, input);
    case "tool.finished":
    case "tool.failed":
    case "tool.denied":
    case "tool.lost":
      return isKnown(scene, input.call) ? toolResult(scene, speaker(scene, input), input) : undefined;
    case "tool.permission":
      return isKnown(scene, input.call) ? toolPermission(scene, speaker(scene, input), input) : undefined;
    case "tool.deferred":
      return pastDeferral(scene, input);
    case "turn.stopped":
      return pastStop(scene, input);
    case "agent.linked":
      return agentLinked(scene, input);
    case "agent.said":
      return pastWords(scene, input);
    // The following inputs never come from a transcript, or report only what happens now, so they are ignored (PAST-1).
    case "agent.started":
    case "session.noted":
    case "session.started":
    case "session.ended":
    case "tool.started":
    case "tool.batch":
    case "approval.requested":
    case "approval.answered":
    case "approval.withdrawn":
    case "approval.lapsed":
    case "approval.taken":
    case "request.created":
    case "request.queued":
    case "request.processing":
    case "request.completed":
    case "request.failed":
    case "request.cancelled":
    case "request.callback":
    case "unknown":
      return;
  }
}

const isKnown = ({ records }: Scene, ref: CallRef): boolean => findById(records, ref) !== undefined;

/** Closes the open request of the past. While a deferred call of this request may still be taken up, the request stays open. */
export function leavePast(scene: Scene, evidence: "prompt" | "stop" = "stop"): void {
  const { past } = head(scene.records);
  if (past === undefined || !isUnended(scene, past)) return;
  closeCalls(scene, MAIN_AGENT, "interrupted", evidence, { of: (other) => other === past, isPast: true });
  if (!isHeldOpen(scene, past, evidence))
    abandonRequests(scene, undefined, "interrupted", (other) => other === past);
}

const isHeldOpen = ({ records }: Scene, id: RequestId, evidence: "prompt" | "stop" = "stop"): boolean => {
  const { open } = agentOf(records, MAIN_AGENT);
  return [...all(records, `agent/${MAIN_AGENT}/open`, open)].some((each) => {
    const call = calls.get(records, each);
    return call?.requestId === id && (!call.past || (evidence === "stop" && call.deferred));
  });
};

const isUnended = ({ records }: Scene, id: RequestId): boolean => {
  const book = requests.get(records, id);
  return book?.past === true && book.open;
};

function pastPrompt(scene: Scene, input: PromptSubmitted): void {
  const { records } = scene;
  const { promptId } = input;
  const { promptBy } = head(records);
  const copied = isCopied(scene, input);
  if (!copied && isGone(scene, promptId)) return;
  leavePast(scene, "prompt");
  setHead(records, { promptBy: { ...promptBy, [scene.channel]: promptId } });
  title(scene, input);
  const known = copied ? undefined : prompts.get(records, promptId);
  setHead(records, { past: known ?? openPast(scene, copied ? {} : { promptId }, input) });
}

function openPast(
  scene: Scene,
  named: { readonly promptId?: string },
  { promptId = "", observedAt, text }: { promptId?: string; observedAt?: number; text?: string },
): RequestId {
  const { sessionId, digest, records } = scene;
  const own = digest("r_", [sessionId, "past", promptId, String(observedAt ?? "")]) as RequestId;
  const id = named.promptId === undefined ? own : idOfPrompt(scene, named.promptId);
  if (requests.get(records, id)) return id;
  const prompt = text === undefined ? {} : { prompt: text };
  open(scene, { id, origin: text === undefined ? "implied" : "prompt", ...named, ...prompt }, { past: true });
  start(scene, id);
  return id;
}

function pastRequest(scene: Scene): RequestId {
  const { past } = head(scene.records);
  if (past !== undefined && requests.get(scene.records, past)) return past;
  const id = openPast(scene, {}, {});
  setHead(scene.records, { past: id });
  return id;
}

function pastCall(scene: Scene, input: ToolAnnounced): void {
  const { records } = scene;
  const agentId = speaker(scene, input);
  const { call: ref, messageId } = input;
  const id = meant(scene, agentId, ref, isCopied(scene, input))?.id;
  const call = id && calls.get(records, id);
  if (id === undefined || !call) {
    if (ref.toolUseId === undefined || isGone(scene, ref.toolUseId)) return;
    enter(scene, { agentId, ref, input, match: sole("id"), past: pastRequest(scene) });
    return;
  }
  nameBatch(scene, agentId, call.batchId, messageId);
  learnIntent(scene, id, call, input);
}

/** Finds the call that a line of the past is about. An open call without an id belongs to the present, so it is not found. */
function meant(scene: Scene, agentId: AgentId, ref: CallRef, copied: boolean): Found | undefined {
  const { records, digest } = scene;
  const known = findById(records, ref);
  if (known || copied) return known;
  const unnamed = findUnnamed(records, likeness(digest, agentId, ref));
  const call: CallBook | undefined = unnamed && calls.get(records, unnamed.id);
  return !call || isOpen(call) ? undefined : findNamed(scene, agentId, ref);
}

/** PAST-5. Applies a deferral that a line of the past reports to its call, unless the call has started. */
function pastDeferral(scene: Scene, input: ToolDeferred): void {
  const id = findById(scene.records, input.call)?.id;
  const call = id && calls.get(scene.records, id);
  if (call && call.stage !== "started") toolDeferred(scene, speaker(scene, input), input);
}

function pastStop(scene: Scene, input: TurnStopped): void {
  const { records, at } = scene;
  const agentId = speaker(scene, input);
  const { past } = head(records);
  const cause = input.outcome === "interrupted" ? "interrupted" : "unreported";
  const isOfPast = (other: RequestId): boolean => requests.get(records, other)?.past === true;
  if (agentId !== MAIN_AGENT)
    return closeCalls(scene, agentId, cause, "agent-stop", { of: isOfPast, isPast: true });
  if (past === undefined || !isUnended(scene, past)) return;
  closeCalls(scene, MAIN_AGENT, cause, "stop", { of: (other) => other === past, isPast: true });
  if (isHeldOpen(scene, past)) return;
  if (input.outcome === "completed") tellRequest(scene, past, { type: "completed", at });
  else if (input.outcome !== "deferred")
    tellRequest(scene, past, { type: "failed", at, error: input.outcome });
}

function pastWords(scene: Scene, input: AgentSaid): void {
  say(scene, speaker(scene, input), input, pastRequest(scene));
}
