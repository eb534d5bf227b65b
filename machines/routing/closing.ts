// Closing
// Decides which calls, approvals and requests each piece of evidence closes (C3).
//
//   Owns:          giving up calls, approvals and requests that evidence shows to be over; deciding when a channel lags, that
//                  is, reports the same work later than the other channels.
//   Does not own:  the results of calls (results), how long closed requests and calls are kept (retention).
//   Decided in:    docs/decisions/0004-what-an-end-closes.md.
//
// C2. A deferred call stays open when the client's process ends, because the client may take the call up again.
// C3. Each piece of evidence closes only what it is about. The stop of an agent closes that agent's calls. A new process of the
//       client closes all calls that are not deferred. The report that the client started shows a new process if an earlier start
//       was seen, or if the start resumes a session. The first start of a new session id does not show a new process.
// I-24. A prompt from a channel that reports later than the others shows only that the same channel's previous prompt is over.
//       The prompt closes no work that began after that previous prompt, so a transcript that is read late ends no present work.

import { agentOf, approvals, calls, head, prompts, type RequestBook, requests, setHead } from "../books.ts";
import { defined } from "../defined.ts";
import { all } from "../queues/deque.ts";
import { type AgentId, type CallId, MAIN_AGENT, type RequestId } from "../ids.ts";
import type { Missing, SessionEnded, SessionStarted, TurnStopped } from "../inputs.ts";
import type { Outcome } from "../facts/request-facts.ts";
import { closeBatch, everyAgent, setAgent } from "./agents.ts";
import { wholeAgent } from "./parents.ts";
import { noteBeginning } from "./past-marks.ts";
import { lags, promptOf, type Scene, tellApproval, tellCall, tellRequest, withdraw } from "./scene.ts";

/** I-44: the most characters of the reason for an end. The reason is part of the session's snapshot, which must stay small. */
const REASON_MAX = 512;

type Filter = (requestId: RequestId) => boolean;
const every: Filter = () => true;

interface Which {
  readonly of: Filter;
  /** True to close only calls of the past. Then no approval is withdrawn, because none is about a call of the past (PAST-2). */
  readonly isPast?: boolean;
}

/** Evidence that closes only calls of the present: an agent that stops or gets a prompt shows nothing about the past (PAST-3). */
const OF_THE_PRESENT: ReadonlySet<string> = new Set(["stop", "prompt", "agent-stop"]);

export function closeCalls(
  scene: Scene,
  agentId: AgentId,
  cause: Missing,
  evidence: string,
  { of: which, isPast = false }: Which = { of: every },
): void {
  const { records, at } = scene;
  const agent = agentOf(records, agentId);
  for (const id of [...all(records, `agent/${agentId}/open`, agent.open)]) {
    const call = calls.get(records, id);
    if (!call || !which(call.requestId) || (isPast && !call.past)) continue;
    if (call.past && which === every && OF_THE_PRESENT.has(evidence)) continue;
    const deferred = call.deferred;
    if (deferred && evidence !== "prompt" && evidence !== "time-limit") continue;
    tellCall(scene, id, { type: "missed", at, cause: deferred ? "deferred" : cause, evidence });
  }
  for (const id of [...all(records, `agent/${agentId}/asking`, agent.asking)]) {
    const book = approvals.get(records, id);
    if (book && !isPast && which(book.requestId)) withdraw(scene, id, "unknown");
  }
  if (which === every) closeBatch(scene, agentId, { cause, evidence });
}

/** True for a service's request that has not begun: it stays open when the client's process ends. */
const waitsItsTurn = (book: RequestBook): boolean =>
  book.origin === "gateway" && book.promptId === undefined && !book.begun;

/** Ends the open requests that nothing will continue, except the request that the agent takes up now. */
export function abandonRequests(
  scene: Scene,
  except: RequestId | undefined,
  error: string,
  which: Filter = every,
): void {
  for (const id of [...all(scene.records, "requests", head(scene.records).openRequestIds)]) {
    const book = requests.get(scene.records, id);
    if (id === except || !book || !which(id) || waitsItsTurn(book)) continue;
    if (book.past && which === every) continue;
    tellRequest(scene, id, { type: "failed", at: scene.at, error });
  }
}

export function sessionStarted(scene: Scene, input: SessionStarted): void {
  const { started } = head(scene.records);
  const isFirst = !started && (input.reason === "startup" || input.reason === "fork");
  setHead(scene.records, { started: true });
  noteBeginning(scene, input);
  if (input.reason !== "compact" && !isFirst) giveUp(scene, "killed", "session-start");
}

export function sessionEnded(scene: Scene, { reason }: SessionEnded): void {
  scene.reason = reason?.slice(0, REASON_MAX);
  giveUp(scene, "interrupted", "session-end");
}

export function processGone(scene: Scene): void {
  scene.reason = "process-gone";
  giveUp(scene, "killed", "process-gone");
}

export function giveUp(scene: Scene, cause: Missing, evidence: string): void {
  for (const id of everyAgent(scene.records)) {
    closeCalls(scene, id, cause, evidence);
    if (id !== MAIN_AGENT) setAgent(scene, id, { state: "stopped" });
  }
  for (const id of [...all(scene.records, "requests", head(scene.records).openRequestIds)]) {
    const book = requests.get(scene.records, id);
    if (book && book.deferred === 0 && !waitsItsTurn(book))
      tellRequest(scene, id, { type: "failed", at: scene.at, error: "interrupted" });
  }
}

export function turnStopped(scene: Scene, agentId: AgentId, input: TurnStopped): void {
  const { at, records } = scene;
  const cause: Missing = input.outcome === "interrupted" ? "interrupted" : "unreported";
  if (agentId !== MAIN_AGENT) {
    for (const id of wholeAgent(scene, agentId)) {
      closeCalls(scene, id, cause, "agent-stop");
      setAgent(scene, id, { state: "stopped" });
    }
    return;
  }
  const promptId = promptOf(scene, input);
  const id = promptId === undefined ? head(records).requestId : prompts.get(records, promptId);
  const book = id === undefined ? undefined : requests.get(records, id);
  if (id === undefined || !book) return closeCalls(scene, MAIN_AGENT, cause, "stop");
  if (head(records).requestId === id) closeCalls(scene, MAIN_AGENT, cause, "stop");
  else closeCalls(scene, MAIN_AGENT, cause, "stop", { of: (other) => other === id });
  const { model, tokens, exitCode, output, error } = input;
  const outcome: Outcome = defined({ model, tokens, exitCode, output });
  if (!book.open) {
    if (Object.keys(outcome).length > 0) tellRequest(scene, id, { type: "amended", at, ...outcome });
    return;
  }
  switch (input.outcome) {
    case "completed":
      return tellRequest(scene, id, { type: "completed", at, ...outcome });
    case "interrupted":
      return tellRequest(scene, id, { type: "failed", at, ...outcome, error: "interrupted" });
    case "failed":
      return tellRequest(scene, id, { type: "failed", at, ...outcome, error: error ?? "failed" });
    case "deferred":
      return tellRequest(scene, id, { type: "amended", at, ...outcome });
  }
}

/** Ends a request whose end a message reports, and withdraws its approvals. Its calls stay open until evidence ends them. */
export function closeRequest(scene: Scene, id: RequestId, error: string): void {
  for (const agentId of everyAgent(scene.records)) {
    const agent = agentOf(scene.records, agentId);
    for (const approvalId of [...all(scene.records, `agent/${agentId}/asking`, agent.asking)]) {
      if (approvals.get(scene.records, approvalId)?.requestId === id) {
        tellApproval(scene, approvalId, { type: "withdrawn", at: scene.at, outcome: "unknown" });
      }
    }
  }
  tellRequest(scene, id, { type: "failed", at: scene.at, error });
}

export function deferralOver(scene: Scene, id: CallId): void {
  if (calls.get(scene.records, id)?.deferred !== true) return;
  tellCall(scene, id, { type: "missed", at: scene.at, cause: "deferred", evidence: "time-limit" });
}

export function loseCalls(scene: Scene, id: RequestId): void {
  for (const agentId of everyAgent(scene.records))
    closeCalls(scene, agentId, "lost", "time-limit", { of: (other) => other === id });
}

export function isBehind({ records, channel }: Scene): boolean {
  const { promptBy } = head(records);
  return (
    lags({ channel }) &&
    Object.entries(promptBy).some(([other, promptId]) => other !== channel && promptId !== promptBy[channel])
  );
}

/** Ends a prompt's request and calls as interrupted, when a channel reports a new prompt. @param promptId the previous prompt. */
export function leaveBehind(scene: Scene, promptId: string | undefined): void {
  const id = promptId === undefined ? undefined : prompts.get(scene.records, promptId);
  if (id === undefined) return;
  closeCalls(scene, MAIN_AGENT, "interrupted", "prompt", { of: (other) => other === id });
  abandonRequests(scene, undefined, "interrupted", (other) => other === id);
}
