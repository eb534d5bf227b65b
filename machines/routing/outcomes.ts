// Outcomes
// Decides what a result means for its call: success, failure, denial or interruption.
//
//   Owns:          reading results, above all results that show a denial (C4).
//   Does not own:  finding the call of a result (results), the states of a call (tool-call).
//
// C4. If the client says "user rejected" about a running call, the call counts as interrupted. Of a batch's calls that were not
//       running, the first counts as denied, and the others as denied because of the first. The client's list of denials also
//       names calls that were pending when the first call was denied. If the first call is known to be denied, such a call counts
//       as denied because of it; otherwise the call counts as denied itself.
// I-18. For a result without an id, the engine records how many calls the result could have been about.

import { batches, type CallBook, calls, change } from "../books.ts";
import { defined } from "../defined.ts";
import type { CallEvent, Denial, Match } from "../facts/call-facts.ts";
import type { Fall } from "../cascade.ts";
import { LISTED } from "../facts/denial-words.ts";
import type { CallId } from "../ids.ts";
import type { SourceInput, ToolDenied, ToolFailed, ToolFinished, ToolLost } from "../inputs.ts";
import { resultShows } from "./approvals/evidence.ts";
import { isClosing, isOpen, type Scene, tellCall, touch } from "./scene.ts";

export type Result = ToolFinished | ToolFailed | ToolDenied | ToolLost;

/** The beginning of a result, with `+` for a success and `-` for a failure. By this text a repeat of the result is recognised. */
export function resultOf(input: SourceInput): string {
  if (input.type === "tool.finished") return `+${input.output ?? ""}`.slice(0, RESULT_MAX);
  return input.type === "tool.failed" ? `-${input.error}`.slice(0, RESULT_MAX) : "";
}
const RESULT_MAX = 120;

/** Applies a result to its call. @param match how the call was found, if other calls fitted as well. */
export function apply(scene: Scene, id: CallId, call: CallBook, given: Result, match?: Match): void {
  touch(scene, call.requestId);
  const input = refusedBy(given, call) ?? given;
  const told = eventOf(scene, id, call, input);
  const event = match && isGuess(match, call) && told.type !== "missed" ? { ...told, match } : told;
  const result = resultOf(input);
  const shown = resultShows(scene, id, call, input, told.type);
  const isBare = "bare" in input;
  // A source that reports only how a call ended (`bare`), without the result itself, does not replace a result that is already
  // known.
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

/** C4. Reads a denial from a failure's text, if the tool cannot write these words itself and nothing shows that the call ran. */
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

/** I-18. True if a match is uncertain: by tool name, with one of several calls, or with a call whose id the message lacks. */
const isGuess = ({ how, ambiguous }: Match, { toolUseId }: CallBook): boolean =>
  how !== "id" && (ambiguous || how === "name" || toolUseId !== undefined);

function restOf({ at }: Scene, input: Result): CallEvent {
  const { output, durationMs } = input.type === "tool.finished" ? input : {};
  return {
    type: "amended",
    at,
    ...defined({ output, durationMs }),
    ...(input.type === "tool.failed" && { error: input.error }),
  };
}

/** I-24. Records the channel of a result: approvals that this channel requests later are not about the same call. */
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

/**
 * The event that a call gets for a failure. C2: telemetry reports a failure, without its text, even for a call that was stopped
 * while it ran. The event of such a call says `stopped`.
 */
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

/** True if the client reported the call as rejected, and did not report that the call never began. */
const isStopped = ({ rejected, begun }: CallBook): boolean => rejected === true && begun !== false;

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

/** Marks a denial that the engine concluded from a text: evidence that the call ran takes such a denial back. */
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

/**
 * The denial that the client's general text "user rejected" means for a call that had not begun.
 * @param first the first call of the batch that got this text.
 */
function swept({ records }: Scene, id: CallId, first: CallId, isListed: boolean): Denial {
  if (first === id) return isListed ? LISTED_ALONE : { cause: "direct", by: "user", predicted: false };
  if (isListed && !calls.get(records, first)?.denied) return LISTED_ALONE;
  return { cause: "cascade", callId: first, predicted: false };
}

function rejected(scene: Scene, id: CallId, call: CallBook, input: ToolDenied): Denial | undefined {
  const first = batches.get(scene.records, call.batchId)?.rejected ?? id;
  const isFirst = first === id;
  // `remember` makes the batch's further rejected calls count as denied because of this one. A denial that was only read from a
  // text has no such effect.
  if (isFirst && !input.byWords) remember(scene, call, id);
  learnRejected(scene, id, input.beforeRun);
  const begun = input.beforeRun ?? (call.begun === undefined ? undefined : !call.begun);
  const said = begun === undefined ? input : { ...input, beforeRun: begun };
  if (wasRunning(call, said, isFirst)) return undefined;
  const isListed = call.inDenials === true && !isFirst;
  return { ...swept(scene, id, first, isListed), ...(input.beforeRun === undefined && { revisable: true }) };
}

function learnRejected({ records }: Scene, id: CallId, beforeRun: boolean | undefined): void {
  const begun = beforeRun === undefined ? {} : { begun: !beforeRun };
  change(calls, records, id, { rejected: true, ...begun });
}

/**
 * True if the call was already running when it was rejected. The client's report decides first, then the call's approval, then
 * other evidence.
 */
function wasRunning(
  call: CallBook,
  { beforeRun, terminal, unmarked }: ToolDenied,
  isFirst: boolean,
): boolean {
  if (beforeRun === true) return false;
  if (isBareFailure(call)) return true;
  const isAsked = call.asked && !call.allowed;
  // An approval was requested for the call, and is not known to be allowed. A person may have allowed the call at the client's
  // terminal, unseen by the engine, so the call counts as running only if such a client reports that it began.
  if (isAsked && !(beforeRun === false && terminal)) return false;
  if (beforeRun === false || call.hadPre || call.allowed) return true;
  return isFirst && !unmarked;
}

export const fallen = (fall: Fall, at: number): ResultEvent =>
  fall === "interrupted"
    ? { type: "missed", at, cause: "interrupted", evidence: "interrupt" }
    : { type: "denied", at, denial: fall.denial };

export function remember(scene: Scene, { batchId }: CallBook, id: CallId): void {
  const batch = batches.get(scene.records, batchId);
  if (batch && batch.rejected === undefined) batches.set(scene.records, batchId, { ...batch, rejected: id });
}
