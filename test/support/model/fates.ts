// Model: fates
// C1, C2, C5, answers and the cascade restated: what becomes of a call and its approval, and of other calls.

import type { CallRef } from "../../../machines/index.ts";
import { type Call, type Closed, isOpen, MAIN, type Question, type Request, type World } from "./world.ts";

export interface Denial {
  readonly cause: string;
  readonly interrupt?: boolean;
  readonly follows?: Call;
  /** The client's list of denials says so, and does not say by whom. */
  readonly listed?: boolean;
  /** Its own result takes it back. */
  readonly isForeseen?: boolean;
  /** Nobody said so of this very call. */
  readonly isConcluded?: boolean;
  /** It was heard of a call that telemetry alone calls failed. */
  readonly outdoes?: boolean;
  /** It was said in answer to a question that was heard of here. */
  readonly isAnswer?: boolean;
}

export function close(world: World, call: Call, state: Closed, cause: string | undefined): void {
  const wasOpen = isOpen(call);
  if (!wasOpen) call.was = true;
  call.state = state;
  call.cause = cause;
  call.follows = undefined;
  if (!wasOpen) return;
  call.closedAs = ++world.closings;
  call.place = ++world.place;
  // Waiting is not silence: the request's hour starts again.
  if (call.deferred) call.request.heardAt = world.at;
  call.deferred = false;
  if (call.question) settle(world, call.question, "withdrawn");
}

export function missing(world: World, call: Call, cause: string, evidence: string): void {
  if (isOpen(call) || (isInferred(call) && evidence === "loss")) {
    close(world, call, "missing-post", cause);
    call.evidence = evidence;
  } else if ((isTentative(call) || (call.state === "denied" && call.isConcluded)) && evidence === "result") {
    close(world, call, "missing-post", cause);
    call.evidence = evidence;
  } else if (call.state === "missing-post" && evidence === "result" && call.evidence !== "result") {
    call.cause = cause;
    call.evidence = evidence;
  }
}

const isInferred = ({ state, cause }: Call): boolean => state === "denied" && cause === "inferred";

/** Denied, as far as anybody can conclude; a result says better. */
export const isTentative = (call: Call): boolean =>
  isInferred(call) || (call.state === "denied" && call.isForeseen);

/** C4: nobody said so, but a denial is all it can be; any word of what became of it is better. */
function infer(world: World, call: Call): void {
  if (call.result !== "" || call.useId === undefined) return;
  if (isOpen(call) || (call.state === "missing-post" && call.evidence !== "result"))
    close(world, call, "denied", "inferred");
}

/** C4: if all listed calls of a request were seen to start, those without a result that were refused were denied. */
export function conclude(world: World, request: Request): void {
  const listed = world.calls.filter((call) => call.request === request && call.listed);
  const isWhole = listed.every(({ hadPre }) => hadPre);
  for (const call of listed) {
    if (isWhole && mayBeRefused(call)) infer(world, call);
    else if (isInferred(call)) missing(world, call, "unreported", "loss");
  }
}

/** By what the model was told of it, and by what was asked and put off. */
function mayBeRefused({ told, question, allowed, deferredOn }: Call): boolean {
  if (deferredOn.size > 0 || told === "output") return false;
  if (told === "refusal") return true;
  return !allowed && (told === undefined || question !== undefined);
}

export function deny(world: World, call: Call, denial: Denial, observed = false): void {
  if (call.state === "denied" && observed) refine(call, denial);
  const outdoes = call.state === "failed" && denial.outdoes === true;
  if (!isOpen(call) && !outdoes && !(observed && call.state === "missing-post")) return;
  if (outdoes) call.ranAfterDenial = true;
  close(world, call, "denied", denial.cause);
  call.hasDenial = true;
  call.isAnswered = denial.isAnswer === true;
  call.isListed = denial.listed === true;
  call.isForeseen = denial.isForeseen === true;
  call.isConcluded = denial.isConcluded === true || call.isForeseen;
  call.isPredicted = denial.cause === "cascade" && !observed;
  call.follows = denial.follows;
  if (denial.interrupt === true) world.later.push(() => (call.batch.rejected ??= call));
  world.later.push(() => {
    for (const other of swept(world, call, denial)) fall(world, call, other);
  });
}

/** I-10: a call that was held back is denied as well; of any other nobody knows whether it ran. */
function fall(world: World, denied: Call, other: Call): void {
  const isBehind = other.batch === denied.batch && other.index > denied.index;
  const isHeldBack = other.question?.state === "pending" || (isBehind && !other.hadPre);
  const isStrict = world.policy === "strict";
  if (!isStrict && !isHeldBack) return missing(world, other, "interrupted", "interrupt");
  deny(world, other, { cause: "cascade", follows: denied, isForeseen: !isStrict || other.hadPre });
}

/** I-11: the same for a call of the batch that is seen only now. @param isDenied a denial of its own waits for it. */
export function fallLate(world: World, call: Call, announcedOn: string | undefined, isDenied: boolean): void {
  const { denial } = call.batch;
  if (!denial) return;
  const follows = denial.call;
  if (world.policy === "strict") {
    if (call.index > denial.index) deny(world, call, { cause: "cascade", follows });
  } else if (announcedOn !== undefined && follows.announcedBy.has(announcedOn)) {
    deny(world, call, { cause: "cascade", follows, isForeseen: true });
  } else if (!isDenied) {
    missing(world, call, "interrupted", "interrupt");
  }
}

/** What a further word about a denied call adds: who denied it, where that was not known, or known less well. */
function refine(call: Call, denial: Denial): void {
  const { cause, follows, listed = false, isAnswer = false, isConcluded = false } = denial;
  const { cause: known } = call;
  // An answer given to the engine stays what it is: to the client it is a hook's.
  const isOurs = call.isAnswered;
  const isBetter =
    known === "inferred" ||
    (known === "direct" && cause === "hook" && !isOurs) ||
    (known === "cascade" && (listed || (cause === "hook" && call.isPredicted))) ||
    (call.isListed && (cause === "cascade" || cause === "expired"));
  call.isForeseen = false;
  call.isPredicted = false;
  if (!isBetter) return;
  call.isListed = listed;
  if (known === "inferred") call.isAnswered = isAnswer;
  // Somebody said so of this very call, where nobody had.
  if (known === "inferred" || known === "cascade") call.isConcluded = isConcluded;
  call.cause = cause;
  call.follows = follows;
}

/** The calls that a denial brings down, and those that come later if they belong there. */
function swept(world: World, call: Call, denial: Denial): readonly Call[] {
  const { policy } = world;
  if (denial.cause === "cascade" || policy === "none") return [];
  if (policy === "interrupt" && denial.interrupt !== true) return [];
  const inFront = (agent: string, below: readonly string[] = []): boolean => {
    const startedBy = world.agents.get(agent)?.startedBy;
    const parent = world.calls.find(({ useId }) => useId !== undefined && useId === startedBy);
    // What the same message closes after the denial was open when it came.
    const isThere = parent && (isOpen(parent) || parent.closedAs > call.closedAs);
    if (agent === MAIN || !isThere || below.includes(agent)) return agent === MAIN;
    return inFront(parent.agent, [...below, agent]);
  };
  if (policy === "interrupt" && !inFront(call.agent)) return [];
  call.batch.denial ??= { call, index: call.index };
  return world.open((other) =>
    policy === "interrupt"
      ? inFront(other.agent) && other.request === call.request && !other.deferred
      : other.batch === call.batch && other.index > call.index,
  );
}

export function bind(question: Question, call: Call): void {
  question.call = call;
  call.question = question;
  call.askedOver = false;
  call.allowed = false;
  call.mirror = "pending";
}

/** What an answer, or no answer, means for the approval and its call. */
export function settle(
  world: World,
  question: Question,
  state: "approved" | "denied" | "expired" | "withdrawn",
  denial: { readonly cause: string; readonly interrupt?: boolean } = { cause: "direct" },
): void {
  if (question.state !== "pending") return;
  question.state = state;
  question.request.heardAt = world.at;
  const { call } = question;
  const { interrupt = false } = denial;
  if (!call && state !== "approved") question.place = ++world.place;
  if (!call && state === "denied") waits(world, question, { cause: denial.cause, interrupt });
  if (!call && state === "expired" && question.onDeadline === "deny")
    waits(world, question, { cause: "expired", interrupt: false });
  if (call?.question !== question) return;
  call.mirror = state;
  call.allowed = state === "approved";
  if (call.allowed) conclude(world, call.request);
  if (state === "denied" && isOpen(call)) deny(world, call, { ...denial, isAnswer: true });
  if (state === "expired" && question.onDeadline === "deny" && isOpen(call))
    deny(world, call, { cause: "expired" });
}

/** A denial without a call waits for it, unless the call it names is there under another approval. */
function waits(world: World, question: Question, denied: NonNullable<Question["denied"]>): void {
  question.denied = denied;
  question.place = ++world.place;
  const named = world.calls.find(({ useId }) => useId !== undefined && useId === question.useId);
  if (named) world.later.push(() => bindLate(world, question, named));
}

/** I-24: a call whose start is told after its end takes up what was asked before that start. */
export function bindEnded(world: World, call: Call, ref: CallRef, request: Request): void {
  const question = call.question ? undefined : world.waiting(call.agent, ref, request);
  if (!question) return;
  const { state, denied } = question;
  bind(question, call);
  call.mirror = state;
  call.allowed = state === "approved";
  if (denied && !isOpen(call)) deny(world, call, { ...denied, isAnswer: true }, true);
  conclude(world, call.request);
  settle(world, question, "withdrawn");
}

/** A denial that names a call with another approval: it counts while the call is open. */
function bindLate(world: World, question: Question, call: Call): void {
  const { denied } = question;
  if (!denied) return;
  if (!isOpen(call)) {
    question.denied = undefined;
    question.isUsed = true;
    return;
  }
  if (call.question) settle(world, call.question, "withdrawn");
  bind(question, call);
  call.mirror = question.state;
  conclude(world, call.request);
  deny(world, call, { ...denied, isAnswer: true });
}
