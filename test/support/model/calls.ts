// Model: calls
// B1, C1, C3, C4 and correlation restated: which call a message means, and what it says about the call.

import type { AgentId, CallRef, Input, SourceInput } from "../../../machines/index.ts";
import { bind, bindEnded, conclude, deny, fallLate, missing } from "./fates.ts";
import { apply, joinOrphan, type Result, textOf } from "./results.ts";
import { knownRequest, requestFor } from "./requests.ts";
import { speaker } from "./speakers.ts";
import {
  type Batch,
  type Call,
  isOpen,
  isOver,
  MAIN,
  type Request,
  Turned,
  workOf,
  type World,
} from "./world.ts";

type Of<T extends Input["type"]> = Extract<Input, { type: T }>;

interface Place {
  /** In its batch, if the client has told it. */
  readonly place?: number;
  /** The request it belonged to when it was first heard of. */
  readonly before?: Request | undefined;
}

export function enter(
  world: World,
  agent: string,
  ref: CallRef,
  input: SourceInput,
  { place, before }: Place = {},
): Call {
  const message = input.type === "tool.announced" ? input.messageId : undefined;
  const home = ofMessage(world, agent, message);
  const request = home?.request ?? requestFor(world, agent, input, before);
  const batch = home ?? batchFor(world, agent, request, message);
  const startedBy = world.agents.get(agent)?.startedBy;
  const parent = world.calls.find(({ useId }) => useId !== undefined && useId === startedBy);
  const call: Call = {
    parent: parent?.agent === agent ? undefined : parent,
    useId: ref.toolUseId,
    agent,
    tool: ref.tool ?? "unknown",
    hash: ref.input?.hash,
    request,
    batch,
    index: place ?? batch.size,
    state: "queued",
    cause: undefined,
    evidence: undefined,
    follows: undefined,
    was: false,
    ranAfterDenial: false,
    hadPre: false,
    listed: false,
    told: undefined,
    hasDenial: false,
    isAnswered: false,
    isListed: false,
    isForeseen: false,
    isPredicted: false,
    deferredOn: new Set(),
    isAgain: false,
    unaskedAs: ++world.place,
    late: undefined,
    resultOn: new Set(),
    begun: undefined,
    isConcluded: false,
    isRejected: false,
    isInDenials: false,
    isBare: false,
    hasUnnamedResult: false,
    announcedBy: new Set(input.type === "tool.announced" ? [world.channel] : []),
    deferred: false,
    allowed: false,
    question: undefined,
    askedOver: false,
    mirror: "none",
    result: "",
    place: ++world.place,
    closedAs: 0,
  };
  batch.size += 1;
  world.calls.push(call);
  if (agent !== MAIN) world.agent(agent).running = true;
  const waiting = world.waiting(agent, ref, request);
  if (waiting) bind(waiting, call);
  if (waiting) Object.assign(call, { mirror: waiting.state, allowed: waiting.state === "approved" });
  const isNamed = ref.toolUseId !== undefined && waiting?.useId === ref.toolUseId;
  call.askedOver =
    waiting !== undefined &&
    !isNamed &&
    (waiting.state === "withdrawn" || (waiting.state === "expired" && !waiting.denied));
  const isDenied = waiting?.denied !== undefined;
  fallLate(world, call, input.type === "tool.announced" ? world.channel : undefined, isDenied);
  if (waiting?.denied) deny(world, call, { ...waiting.denied, isAnswer: true });
  if (isOpen(call) && isOver(request) && batch.closed) {
    const { cause, evidence } = batch.lost ?? { cause: "unknown", evidence: "request-closed" };
    missing(world, call, cause, evidence);
  }
  return call;
}

const ofMessage = (world: World, agent: string, message: string | undefined): Batch | undefined =>
  message === undefined
    ? undefined
    : world.batches.find((batch) => batch.agent === agent && batch.message === message);

/** B1 */
function batchFor(world: World, agent: string, request: Request, message: string | undefined): Batch {
  const book = world.agent(agent);
  const { batch } = book;
  const fits = batch?.message === undefined || message === undefined || batch.message === message;
  if (batch?.request === request && !batch.closed && fits) {
    batch.message ??= message;
    return batch;
  }
  if (batch) batch.closed = true;
  const next: Batch = {
    agent,
    request,
    message,
    size: 0,
    ordered: false,
    closed: false,
    denial: undefined,
    rejected: undefined,
    lost: undefined,
  };
  world.batches.push(next);
  book.batch = next;
  return next;
}

export function announced(world: World, input: Of<"tool.announced">): void {
  const { call: ref } = input;
  const agent = speaker(world, input);
  const known = world.named(ref);
  if (!known) {
    const call = enter(world, agent, ref, input);
    call.request.heardAt = world.at;
    joinOrphan(world, ref, call);
    if (isOpen(call)) world.revive();
  } else {
    if (input.messageId !== undefined && !ofMessage(world, agent, input.messageId))
      known.batch.message ??= input.messageId;
    known.request.heardAt = world.at;
    known.announcedBy.add(world.channel);
    if (isOpen(known)) joinOrphan(world, ref, known);
  }
}

export function began(world: World, input: Of<"tool.started">): void {
  const { call: ref } = input;
  const agent = speaker(world, input);
  const known = world.named(ref) ?? (ref.toolUseId === undefined ? taken(world, agent, input) : undefined);
  const call = known ?? enter(world, agent, ref, input);
  call.request.heardAt = world.at;
  const isLate = call.listed && !call.hadPre;
  if (call.hadPre && !isOpen(call) && call.result === "") call.isAgain = true;
  call.hadPre = true;
  const hasEnded = known && !isOpen(known);
  const request = knownRequest(world, call.agent, input) ?? call.request;
  const isGuess = ref.toolUseId === undefined && !isOver(call.request);
  if (hasEnded && !call.resultOn.has(world.channel)) call.late = { channel: world.channel, request, isGuess };
  if (isLate) conclude(world, call.request);
  if (hasEnded) return bindEnded(world, call, ref, request);
  if (call.state === "queued") {
    call.state = "processing";
    call.place = ++world.place;
  }
  call.deferred = false;
  if (joinOrphan(world, ref, call)) bindEnded(world, call, ref, call.request);
  if (isOpen(call)) world.revive();
}

/** The announced call that a start without an id takes up; a late one may mean a closed call of its work. */
function taken(world: World, agent: string, input: Of<"tool.started">): Call | undefined {
  const { call: ref } = input;
  const found = world.first(agent, ref, ["queued"]);
  if (found && (found.by === "input" || ref.input === undefined)) return found.call;
  const known = knownRequest(world, agent, input);
  const isAwaited = known !== undefined && world.waiting(agent, ref, known) !== undefined;
  return world.closed(agent, ref).find((call) => {
    const isTold = call.useId !== undefined && !call.listed && (call.hasDenial || call.result[0] === "+");
    const isInHand = !call.batch.closed && world.agents.get(agent)?.batch === call.batch;
    const isLate = isOver(call.request) || (isTold && isInHand && !isAwaited);
    return !call.hadPre && isLate && known && workOf(call.request) === workOf(known);
  });
}

function resulted(world: World, agent: string, input: Result | Of<"tool.deferred">): Call | undefined {
  const ref = input.call;
  if (ref.toolUseId !== undefined) return world.named(ref);
  const found = world.first(agent, ref, ["processing", "queued"]);
  if (found?.by === "input") return found.call;
  const text = textOf(input);
  const fits = world.closed(agent, ref).filter((call) => call.result === "" || call.result === text);
  const closed = fits.find(({ hasDenial }) => !hasDenial) ?? fits[0];
  if (closed) return closed;
  const request = knownRequest(world, agent, input);
  const isGated = "gated" in input && input.gated === "all";
  const isAwaited = request !== undefined && world.waiting(agent, ref, request) !== undefined;
  const told = world
    .closed(agent, ref)
    .find(
      (call) =>
        call.useId !== undefined &&
        !isAwaited &&
        !(isGated && call.question && !call.hadPre) &&
        !call.hasUnnamedResult &&
        text !== "" &&
        call.result[0] === text[0] &&
        (!request || workOf(call.request) === workOf(request)),
    );
  if (told) return told;
  // What shows another input is another call.
  return found && (ref.input === undefined || found.call.hash === undefined) ? found.call : undefined;
}

export function result(world: World, input: Result): void {
  const agent = speaker(world, input);
  const call = resulted(world, agent, input);
  if (call) return apply(world, call, input);
  world.orphans.push({ agent, at: world.at, input, request: knownRequest(world, agent, input) });
}

export function deferred(world: World, input: Of<"tool.deferred">): void {
  const call = resulted(world, speaker(world, input), input);
  if (!call) throw new Turned();
  const isTakenUp = call.hadPre && !call.deferred;
  const isLater = isTakenUp && !isFile(world.channel) && [...call.deferredOn].every(isFile);
  const isTold = call.deferredOn.size > 0 && !call.deferredOn.has(world.channel) && !isLater;
  if (!isTold) call.deferredOn.clear();
  call.deferredOn.add(world.channel);
  if (isTold) return;
  conclude(world, call.request);
  const isFinal = call.evidence === "result" || call.evidence === "time-limit" || call.cause === "deferred";
  if (call.state === "missing-post" && !isFinal) {
    if (call.agent === MAIN && call.request !== world.newest)
      Object.assign(call, { cause: "deferred", evidence: "deferral" });
    else {
      reopen(world, call);
      if (call.isAgain && isFile(world.channel)) return takeUp(world, call);
    }
  }
  call.isAgain = false;
  if (!isOpen(call)) return;
  call.request.heardAt = world.at;
  call.deferred = true;
  if (call.state === "processing") {
    call.state = "queued";
    call.place = ++world.place;
  }
}

/** C2: nothing but the end of its process had closed it. */
function reopen(world: World, call: Call): void {
  call.was = true;
  call.state = "queued";
  call.cause = undefined;
  call.evidence = undefined;
  call.place = ++world.place;
  call.unaskedAs = ++world.place;
}

/** C2: it had begun anew before this was heard. */
function takeUp(world: World, call: Call): void {
  call.isAgain = false;
  call.state = "processing";
  call.place = ++world.place;
  call.request.heardAt = world.at;
}

/** Of a file that lags. */
const isFile = (channel: string): boolean => channel.endsWith(".transcript");

/** S0.11: results that waited long enough become calls of their own. */
export function release(world: World, minAgeMs: number): void {
  const due = world.orphans.filter(({ at }) => world.at - at >= minAgeMs);
  world.orphans = world.orphans.filter((each) => !due.includes(each));
  for (const { agent: name, input, request: before } of due) {
    const agent = speaker(world, { ...input, agentId: name as AgentId });
    const call = world.named(input.call) ?? enter(world, agent, input.call, input, { before });
    apply(world, call, input as Result);
  }
}
