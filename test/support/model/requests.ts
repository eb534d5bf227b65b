// Model: requests
// R1–R3 and C3 restated: which request work belongs to, what ends it, what its end and other evidence close.

import type { Input, SourceInput } from "../../../machines/index.ts";
import { missing, settle } from "./fates.ts";
import { speaker, whole } from "./speakers.ts";
import {
  type Batch,
  type Call,
  isOpen,
  isOver,
  MAIN,
  type Question,
  type Request,
  Turned,
  type World,
} from "./world.ts";

type Of<T extends Input["type"]> = Extract<Input, { type: T }>;
export type Moved = Of<
  "request.queued" | "request.processing" | "request.completed" | "request.failed" | "request.cancelled"
>;
const HOUR_MS = 60 * 60 * 1_000;
const DAY_MS = 24 * HOUR_MS;

function open(world: World, given: Pick<Request, "id" | "origin" | "prompt" | "root">): Request {
  const { at, newest } = world;
  const request: Request = {
    ...given,
    state: "created",
    error: undefined,
    begun: false,
    continued: 0,
    heardAt: at,
  };
  world.requests.push(request);
  const waits = given.origin === "gateway" && newest !== undefined && !isOver(newest);
  if (!waits) world.newest = request;
  if (given.prompt !== undefined) world.byPrompt.set(given.prompt, request);
  world.revive();
  return request;
}

function begin(world: World, request: Request): void {
  request.heardAt = world.at;
  if (isOver(request)) return;
  request.state = "processing";
  request.begun = true;
  world.newest = request;
}

function end(request: Request, state: "completed" | "failed" | "timeout", error?: string): void {
  if (isOver(request)) return;
  request.state = state;
  request.error = error;
}

/** A gateway's request that nobody has begun outlives the client's process and its prompts. */
const waitsItsTurn = ({ origin, prompt, begun }: Request): boolean =>
  origin === "gateway" && prompt === undefined && !begun;

export function prompted(world: World, { promptId }: Of<"prompt.submitted">): void {
  world.promptBy.set(world.channel, promptId);
  const known = world.byPrompt.get(promptId);
  const joins = (request: Request): boolean =>
    request.origin === "gateway" && !request.root && !isOver(request) && request.prompt === undefined;
  if (known && !joins(known)) {
    known.heardAt = world.at;
    return;
  }
  const gateway = known ?? world.requests.find(joins);
  lose(world, (of) => of.agent === MAIN, "interrupted", "prompt");
  closeBatch(world, MAIN, { cause: "interrupted", evidence: "prompt" });
  for (const request of world.requests) {
    if (request !== gateway && !waitsItsTurn(request)) end(request, "failed", "interrupted");
  }
  world.revive();
  if (gateway) {
    gateway.prompt = promptId;
    world.byPrompt.set(promptId, gateway);
  }
  begin(world, gateway ?? open(world, { id: promptId, origin: "prompt", prompt: promptId, root: undefined }));
}

export function created(world: World, { requestId: id }: Of<"request.created">): void {
  if (world.requests.some((request) => request.id === id)) throw new Turned();
  world.byPrompt.set(id, open(world, { id, origin: "gateway", prompt: undefined, root: undefined }));
}

export function moved(world: World, { type, requestId }: Moved): void {
  const request = world.requests.find(({ id }) => id === requestId);
  if (!request) throw new Turned();
  if (type === "request.queued" && !isOver(request) && request.state !== "created") throw new Turned();
  if (type === "request.completed" && !isOver(request) && request.state !== "processing") throw new Turned();
  request.heardAt = world.at;
  if (type === "request.cancelled") {
    for (const question of world.pending((each) => each.request === request))
      settle(world, question, "withdrawn");
    end(request, "failed", "cancelled");
  }
  if (type === "request.queued" && !isOver(request)) request.state = "queued";
  if (type === "request.processing") begin(world, request);
  if (type === "request.completed") end(request, "completed");
  if (type === "request.failed") end(request, "failed", "failed");
}

/** The request that a message about a call belongs to, if there is one. */
export function knownRequest(world: World, agent: string, input: SourceInput): Request | undefined {
  const own = agent === MAIN ? undefined : world.agents.get(agent)?.request;
  const prompt = input.promptId ?? world.promptBy.get(world.channel);
  return own ?? (prompt === undefined ? world.newest : world.byPrompt.get(prompt));
}

/** @param before the request it belonged to when it came, if it was kept waiting. */
export function requestFor(world: World, agent: string, input: SourceInput, before?: Request): Request {
  const own = agent === MAIN ? undefined : world.agent(agent).request;
  if (own) return own;
  const prompt = input.promptId ?? world.promptBy.get(world.channel);
  const known = before ?? knownRequest(world, agent, input);
  const request = known
    ? continued(world, agent, known, input)
    : open(world, { id: prompt, origin: "implied", prompt, root: undefined });
  if (!known) begin(world, request);
  if (agent !== MAIN) world.agent(agent).request = request;
  return request;
}

/** R1: work after the end is a continuation; a late result is not work, and an agent keeps its request. */
function continued(world: World, agent: string, known: Request, { type }: SourceInput): Request {
  const late = ["tool.finished", "tool.failed", "tool.denied", "tool.lost"].includes(type);
  if (agent !== MAIN || late || !isOver(known)) return known;
  const root = known.root ?? known;
  root.continued += 1;
  const id = root.id === undefined ? undefined : `${root.id}_${root.continued + 1}`;
  const next = open(world, { id, origin: known.origin, prompt: known.prompt, root });
  begin(world, next);
  return next;
}

// C3: each piece of evidence closes what it is evidence for.

export function stopped(world: World, input: Of<"turn.stopped">): void {
  const { outcome, error } = input;
  const agent = speaker(world, input);
  const lost = {
    cause: outcome === "interrupted" ? "interrupted" : "unreported",
    evidence: agent === MAIN ? "stop" : "agent-stop",
  };
  if (agent !== MAIN) {
    const both = whole(world, agent);
    lose(world, (of) => both.includes(of.agent), lost.cause, lost.evidence);
    for (const each of both) {
      closeBatch(world, each, lost);
      world.agent(each).running = false;
    }
    return;
  }
  const prompt = input.promptId ?? world.promptBy.get(world.channel);
  const request = prompt === undefined ? world.newest : world.byPrompt.get(prompt);
  if (outcome === "completed" && (request?.state === "created" || request?.state === "queued"))
    throw new Turned();
  const all = request === undefined || request === world.newest;
  lose(world, (of) => of.agent === MAIN && (all || of.request === request), lost.cause, lost.evidence);
  if (all) closeBatch(world, MAIN, lost);
  if (!request) return;
  if (outcome === "completed") end(request, "completed");
  if (outcome === "interrupted") end(request, "failed", "interrupted");
  if (outcome === "failed") end(request, "failed", error ?? "failed");
}

/** The client's process is gone, or another one has taken its place. */
export function giveUp(world: World, cause: string, evidence: string): void {
  lose(world, () => true, cause, evidence);
  for (const [agent, book] of world.agents) {
    if (agent === MAIN || book.running) closeBatch(world, agent, { cause, evidence });
    book.running = false;
  }
  for (const request of world.requests) {
    const deferred = world.open((call) => call.request === request && call.deferred).length > 0;
    if (!deferred && !waitsItsTurn(request)) end(request, "failed", "interrupted");
  }
}

export function hung(world: World, request: Request): void {
  const isBegun = request.state === "processing";
  if (isOver(request) || world.at - request.heardAt < (isBegun ? HOUR_MS : DAY_MS)) return;
  if (request.state === "processing" && world.waits(request)) return;
  end(request, "timeout");
  lose(world, (of) => of.request === request, "lost", "time-limit");
}

/** I-48: nothing was heard for a day; what is under way ends by its own rules. */
export function quiet(world: World): void {
  if (world.ended) throw new Turned();
  const atWork = world.requests.some((request) => !isOver(request)) || world.pending(() => true).length > 0;
  if (atWork || world.at - world.heardAt < DAY_MS) return;
  giveUp(world, "lost", "time-limit");
  world.ended = true;
}

/** C2: a deferred call is not resumed any more. */
export function forgone(world: World, call: Call): void {
  if (call.deferred && isOpen(call)) missing(world, call, "deferred", "time-limit");
}

/** Gives up open calls without a result, and withdraws approvals. A deferred call may still be resumed. */
function lose(world: World, which: (of: Call | Question) => boolean, cause: string, evidence: string): void {
  const lost = world
    .open(which)
    .filter(({ deferred }) => !deferred || evidence === "prompt" || evidence === "time-limit");
  for (const question of world.pending(which)) settle(world, question, "withdrawn");
  for (const call of lost) missing(world, call, call.deferred ? "deferred" : cause, evidence);
}

function closeBatch(world: World, agent: string, lost: Batch["lost"]): void {
  const batch = world.agents.get(agent)?.batch;
  if (!batch || batch.lost) return;
  batch.closed = true;
  batch.lost = lost;
}
