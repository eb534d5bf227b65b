// Outcomes
// What a result says about its call.
//
//   Owns:          reading results, above all denials (C4).
//   Does not own:  finding the call (results), the call's states (tool call).
//
// C4.   The client's text "user rejected" means: interrupted, if the call was running; else denied, if it is the first
//       such call of its batch; else denied along with that first one. The client's list of denials also names calls
//       that were denied along while they were asked about. Such a call was denied itself only if the first one was
//       not.
// I-18. A result without an id says how many calls it could have been about.

import { batches, type CallBook, calls } from "../books.ts";
import { defined } from "../defined.ts";
import type { CallEvent, Denial, Match } from "../facts/call-facts.ts";
import type { Fall } from "../cascade.ts";
import { LISTED } from "../facts/denial-words.ts";
import type { CallId } from "../ids.ts";
import type { SourceInput, ToolDenied, ToolFailed, ToolFinished, ToolLost } from "../inputs.ts";
import { resultShows } from "./approvals/evidence.ts";
import { isClosing, isOpen, type Scene, tellCall, touch } from "./scene.ts";

export type Result = ToolFinished | ToolFailed | ToolDenied | ToolLost;

/** A short text that tells one result from another. */
export function resultOf(input: SourceInput): string {
  if (input.type === "tool.finished") return `+${input.output ?? ""}`.slice(0, RESULT_MAX);
  return input.type === "tool.failed" ? `-${input.error}`.slice(0, RESULT_MAX) : "";
}
const RESULT_MAX = 120;

/** Tells a call its result. @param match how the call was found, if others fitted as well. */
export function apply(scene: Scene, id: CallId, call: CallBook, given: Result, match?: Match): void {
  touch(scene, call.requestId);
  const input = refusedBy(given, call) ?? given;
  const told = eventOf(scene, id, call, input);
  const event = match && isGuess(match, call) && told.type !== "missed" ? { ...told, match } : told;
  const result = resultOf(input);
  const shown = resultShows(scene, id, call, input, told.type);
  const isBare = "bare" in input;
  // A source that tells only the end neither repeats nor changes the result.
  const isFirst = result !== "" && !(isBare && call.result !== "");
  const now = calls.get(scene.records, id) ?? call;
  const { bare, ...known } = now;
  const isUnnamed = result !== "" && input.call.toolUseId === undefined;
  const next = {
    ...(isFirst ? { ...known, result, ...(isBare && { bare: true as const }) } : now),
    ...(isUnnamed && { unnamedResult: true as const }),
  };
  calls.set(scene.records, id, { ...(result === "" ? next : resultHeard(scene, id, next)), ...shown });
  const isRest =
    bare === true && isFirst && result[0] === call.result[0] && !(isBareFailure(call) && isStopped(call));
  tellCall(scene, id, isRest ? restOf(scene, input) : event);
}

/**
 * C4. A failure in the client's words for a refusal counts as a denial, if the tool cannot have said them itself and nothing
 * shows that the call ran.
 */
function refusedBy(input: Result, { tool, ran }: CallBook): ToolDenied | undefined {
  if (input.type !== "tool.failed" || ran !== undefined || !input.worded?.of.includes(tool)) return undefined;
  const { error: message, worded, type: _, ...rest } = input;
  const isRejected = worded.verdict === "rejected";
  return {
    ...rest,
    type: "tool.denied",
    verdict: worded.verdict,
    message,
    byWords: true,
    ...(isRejected && { beforeRun: true }),
  };
}

/** I-18. True if the call was guessed: by its tool's name, among several, or though it has an id that the result lacks. */
const isGuess = ({ how, ambiguous }: Match, { toolUseId }: CallBook): boolean =>
  how !== "id" && (ambiguous || how === "name" || toolUseId !== undefined);

/** What a result says beyond how the call ended. */
function restOf({ at }: Scene, input: Result): CallEvent {
  const { output, durationMs } = input.type === "tool.finished" ? input : {};
  return {
    type: "amended",
    at,
    ...defined({ output, durationMs }),
    ...(input.type === "tool.failed" && { error: input.error }),
  };
}

/** I-24: once a channel has told a call's result, its later approvals are not about that call. */
function resultHeard(scene: Scene, id: CallId, call: CallBook): CallBook {
  const { channel } = scene;
  const { late, resultOn = [], ...rest } = call;
  const isUsual = call.hadPre && isOpen(call) && !isClosing(scene, id);
  const on = isUsual || resultOn.includes(channel) ? resultOn : [...resultOn, channel];
  return {
    ...rest,
    ...(late && late.channel !== channel && { late }),
    ...(on.length > 0 && { resultOn: on }),
  };
}

type ResultEvent = Extract<CallEvent, { type: "finished" | "failed" | "denied" | "missed" }>;

function eventOf(scene: Scene, id: CallId, call: CallBook, input: Result): ResultEvent {
  const { at } = scene;
  switch (input.type) {
    case "tool.finished": {
      const { output, durationMs } = input;
      const { input: shown } = input.call;
      const ranInput = shown?.hash === call.hash ? undefined : shown;
      return { type: "finished", at, ...shownBy(input), ...defined({ output, durationMs, ranInput }) };
    }
    case "tool.failed":
      return failed(call, input, at);
    case "tool.lost":
      return { type: "missed", at, cause: input.cause, evidence: "result" };
    case "tool.denied":
      return denied(scene, id, call, input);
  }
}

/** C2. Telemetry tells a failure of a call that was stopped while it ran. */
function failed(call: CallBook, { error, durationMs, bare, ...input }: ToolFailed, at: number): ResultEvent {
  return {
    type: "failed",
    at,
    error,
    ...shownBy(input),
    ...defined({ durationMs }),
    ...(bare && isStopped(call) && { stopped: true }),
  };
}

/** The client called it rejected, and did not say that it never began. */
const isStopped = ({ rejected, begun }: CallBook): boolean => rejected === true && begun !== false;

/** True if a source told only that the call failed, without the text of the failure. */
const isBareFailure = ({ bare, result }: CallBook): boolean => bare === true && result.startsWith("-");

const shownBy = ({ call, gated }: Pick<ToolFinished | ToolFailed, "call" | "gated">) =>
  defined({ shownHash: call.input?.hash, gated });

function denied(scene: Scene, id: CallId, call: CallBook, input: ToolDenied): ResultEvent {
  const { at } = scene;
  const denial =
    input.verdict === "rejected" ? rejected(scene, id, call, input) : read(scene, id, call, input);
  const better = isBareFailure(call) ? { outdoes: true as const } : {};
  if (!denial) return { type: "missed", at, cause: "interrupted", evidence: "result", ...better };
  return {
    type: "denied",
    at,
    denial: { ...denial, ...defined({ message: input.message }), ...(input.byWords && BY_WORDS) },
    ...(input.byWords && { byWords: true }),
    ...better,
  };
}

/** A denial read from a text is the engine's conclusion: evidence that the call ran takes it back. */
const BY_WORDS = { predicted: true, revisable: true } as const;

const VERDICTS = {
  user: { cause: "direct", by: "user" },
  hook: { cause: "hook", by: "hook" },
  rule: { cause: "hook", by: "client-rule" },
  listed: { cause: "direct", by: LISTED },
} as const;

function read(scene: Scene, id: CallId, call: CallBook, { verdict }: ToolDenied): Denial | undefined {
  if (verdict === "rejected") return undefined;
  if (verdict !== "listed") return { ...VERDICTS[verdict], predicted: false };
  const now = calls.get(scene.records, id) ?? call;
  calls.set(scene.records, id, { ...now, inDenials: true });
  const first = call.rejected ? batches.get(scene.records, call.batchId)?.rejected : undefined;
  return first === undefined ? LISTED_ALONE : swept(scene, id, first, true);
}

const LISTED_ALONE: Denial = { ...VERDICTS.listed, predicted: false };

/** What the general rejection does to a call that had not begun. @param first the first call that it closed. */
function swept({ records }: Scene, id: CallId, first: CallId, isListed: boolean): Denial {
  if (first === id) return isListed ? LISTED_ALONE : { cause: "direct", by: "user", predicted: false };
  if (isListed && !calls.get(records, first)?.denied) return LISTED_ALONE;
  return { cause: "cascade", callId: first, predicted: false };
}

/** C4. What the general rejection means for this call; undefined if it was interrupted, not denied. */
function rejected(scene: Scene, id: CallId, call: CallBook, input: ToolDenied): Denial | undefined {
  const first = batches.get(scene.records, call.batchId)?.rejected ?? id;
  const isFirst = first === id;
  // A denial that was only read from a text closes no other calls.
  if (isFirst && !input.byWords) remember(scene, call, id);
  learnRejected(scene, id, input.beforeRun);
  const begun = input.beforeRun ?? (call.begun === undefined ? undefined : !call.begun);
  const said = begun === undefined ? input : { ...input, beforeRun: begun };
  if (wasRunning(call, said, isFirst)) return undefined;
  const isListed = call.inDenials === true && !isFirst;
  return { ...swept(scene, id, first, isListed), ...(input.beforeRun === undefined && { revisable: true }) };
}

function learnRejected({ records }: Scene, id: CallId, beforeRun: boolean | undefined): void {
  const call = calls.get(records, id);
  if (!call) return;
  const begun = beforeRun === undefined ? {} : { begun: !beforeRun };
  calls.set(records, id, { ...call, rejected: true, ...begun });
}

/** True if the call ran: the client's word comes first, then its failure, its approval, and what else was seen of it. */
function wasRunning(
  call: CallBook,
  { beforeRun, terminal, unmarked }: ToolDenied,
  isFirst: boolean,
): boolean {
  if (beforeRun === true) return false;
  if (isBareFailure(call)) return true;
  const isAsked = call.asked && !call.allowed;
  // A person at the terminal may have allowed it. Only the client's word that it never began shows that nobody did.
  if (isAsked && !(beforeRun === false && terminal)) return false;
  if (beforeRun === false || call.hadPre || call.allowed) return true;
  return isFirst && !unmarked;
}

/** What a call is told that is denied along with another. */
export const fallen = (fall: Fall, at: number): ResultEvent =>
  fall === "interrupted"
    ? { type: "missed", at, cause: "interrupted", evidence: "interrupt" }
    : { type: "denied", at, denial: fall.denial };

/** Notes the first call of a batch whose denial closed the others. */
export function remember(scene: Scene, { batchId }: CallBook, id: CallId): void {
  const batch = batches.get(scene.records, batchId);
  if (batch && batch.rejected === undefined) batches.set(scene.records, batchId, { ...batch, rejected: id });
}
