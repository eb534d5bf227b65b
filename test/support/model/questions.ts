// Model: questions
// The approval rules of machines/SPEC.md restated: which call an approval belongs to, which answer counts, and its
// effect.

import type { CallRef, Decision, Input } from "../../../machines/index.ts";
import { bind, conclude, settle } from "./fates.ts";
import { requestFor } from "./requests.ts";
import { speaker } from "./speakers.ts";
import {
  type Call,
  isOpen,
  isOver,
  MAIN,
  type Question,
  type Request,
  Turned,
  workOf,
  type World,
} from "./world.ts";

type Of<T extends Input["type"]> = Extract<Input, { type: T }>;

export function asked(world: World, input: Of<"approval.requested">): void {
  const { call: ref, channel, approvalId: id } = input;
  const own = byId(world, id);
  const now = wholeQuestion(input);
  if (own && id !== undefined && world.asks.get(id) !== now) throw new Turned();
  const asking = own ? undefined : world.named(ref)?.question;
  if (asking?.state === "pending" && isOther(asking, ref)) throw new Turned();
  if (id !== undefined) world.asks.set(id, now);
  const agent = speaker(world, input);
  const prompt = input.promptId;
  const known =
    world.named(ref)?.request ??
    (agent === MAIN ? undefined : world.agents.get(agent)?.request) ??
    (prompt === undefined ? world.newest : world.byPrompt.get(prompt));
  const shared = own ? { question: own, of: 1 } : sharing(world, agent, ref, channel, known && workOf(known));
  if (shared) {
    const { question, of } = shared;
    question.channels.add(channel);
    question.request.heardAt = world.at;
    if (own || id === undefined) return;
    world.aliases.set(id, question);
    return applyEarly(world, id, question, of > 1 || question.ambiguous);
  }
  const home = known ?? requestFor(world, agent, input);
  // An agent keeps its request.
  if (agent !== MAIN) world.agent(agent).request ??= home;
  const late = isOver(home);
  const found = meant(world, agent, ref);
  const call = found && found.by !== "name" ? found.call : (ended(world, agent, input, home) ?? found?.call);
  const ambiguous = (found?.of ?? 1) > 1;
  const question: Question = {
    id,
    agent,
    request: call?.request ?? home,
    tool: ref.tool,
    hash: ref.input?.hash,
    useId: ref.toolUseId,
    onDeadline: input.onDeadline ?? "ask",
    channels: new Set([channel]),
    ambiguous,
    denied: undefined,
    place: ++world.place,
    isUsed: false,
    call: undefined,
    state: "pending",
  };
  world.questions.push(question);
  if (!late) world.revive();
  question.request.heardAt = world.at;
  if (call) bind(question, call);
  if (call) conclude(world, call.request);
  if (call && !isOpen(call)) settle(world, question, "withdrawn");
  if (id !== undefined) applyEarly(world, id, question, ambiguous);
}

/** I-53: all that makes a question what it is. */
const wholeQuestion = ({
  promptId,
  agentId,
  parentToolUseId,
  call: { toolUseId, tool, input },
}: Of<"approval.requested">): string =>
  JSON.stringify(
    [promptId, agentId ?? parentToolUseId, toolUseId, tool, input?.hash].map((it) => it ?? null),
  );

/** I-53: a person is shown another tool, or another input. */
const isOther = ({ tool, hash }: Question, ref: CallRef): boolean =>
  (tool ?? ref.tool) !== (ref.tool ?? tool) || (hash ?? ref.input?.hash) !== (ref.input?.hash ?? hash);

function applyEarly(world: World, id: string, question: Question, ambiguous: boolean): void {
  const early = world.early.get(id);
  world.early.delete(id);
  if (early && !ambiguous) decide(world, question, early);
}

const byId = (world: World, id: string | undefined): Question | undefined =>
  id === undefined
    ? undefined
    : (world.questions.find((question) => question.id === id) ?? world.aliases.get(id));

/**
 * The call a new approval is about: by id; else by input the oldest call without an approval, else the oldest whose
 * approval was over before it came; else by tool.
 */
function meant(
  world: World,
  agent: string,
  ref: CallRef,
): { readonly call: Call; readonly by: "id" | "input" | "name"; readonly of: number } | undefined {
  const named = world.named(ref);
  if (named) return { call: named, by: "id", of: 1 };
  const unasked = world.unasked(agent, ref);
  const again = unasked?.by === "input" ? undefined : world.askedOver(agent, ref);
  const found = again ? { call: again, by: "input" as const, of: 1 } : unasked;
  if (found?.by === "name" && ref.input && found.call.hash !== undefined) return undefined;
  if (ref.toolUseId === undefined) return found;
  return found?.by === "input" && found.call.useId === undefined ? found : undefined;
}

/** I-24: a call that is over: one that began, but has not ended, on this channel; any, if the request is over. */
function ended(
  world: World,
  agent: string,
  { call: ref, channel: asker }: Of<"approval.requested">,
  home: Request,
): Call | undefined {
  const unasked = world
    .closed(agent, ref)
    .filter(({ question, askedOver }) => !question || askedOver)
    .filter(({ useId }) => ref.toolUseId === undefined || useId === undefined);
  const begun = unasked.find(
    ({ late }) =>
      late?.channel === world.channel &&
      !(late.isGuess && asker.startsWith("gate")) &&
      workOf(late.request) === workOf(home),
  );
  return begun ?? (isOver(home) ? unasked.find(({ request }) => request === home) : undefined);
}

/** Two channels that ask about one call share an approval; two approvals of one channel are two. */
function sharing(
  world: World,
  agent: string,
  ref: CallRef,
  channel: string,
  work: Request | undefined,
): { readonly question: Question; readonly of: number } | undefined {
  const named = world.named(ref);
  if (named) return named.question?.state === "pending" ? { question: named.question, of: 1 } : undefined;
  const fits = world.asked(agent, ref, work).filter(({ channels }) => !channels.has(channel));
  return fits[0] && { question: fits[0], of: fits.length };
}

/** The approval that an answer is about. @throws Turned if there is none. */
function answeredQuestion(world: World, input: Of<"approval.answered" | "approval.withdrawn">): Question {
  const { approvalId: id, call: ref, promptId } = input;
  const agent = speaker(world, input);
  const named = world.named(ref);
  const own = agent === MAIN ? undefined : world.agents.get(agent)?.request;
  const said = own ?? (promptId === undefined ? undefined : world.byPrompt.get(promptId));
  const about = (): Question | undefined => world.asked(agent, ref, said && workOf(said))[0];
  const found = id !== undefined ? byId(world, id) : named ? named.question : about();
  if (!found) throw new Turned();
  return found;
}

export function answered(world: World, input: Of<"approval.answered">): void {
  const { decision, by, interrupt = false } = input;
  const question = answeredQuestion(world, input);
  const cause = by === "hook" ? "hook" : "direct";
  const wasPending = question.state === "pending";
  settle(world, question, decision === "approve" ? "approved" : "denied", { cause, interrupt });
  const { call } = question;
  if (wasPending || decision !== "approve" || call?.question !== question || call.hasDenial) return;
  call.allowed = true;
  conclude(world, call.request);
}

export function withdrawn(world: World, input: Of<"approval.withdrawn">): void {
  settle(world, answeredQuestion(world, input), "withdrawn");
}

/** @param question the approval that is meant, if it has been requested. */
export function decided(world: World, given: Question | undefined, decision: Decision): void {
  const question = given ?? byId(world, decision.approvalId);
  if (question) return decide(world, question, decision);
  if (!world.early.has(decision.approvalId)) world.early.set(decision.approvalId, decision);
}

function decide(
  world: World,
  question: Question,
  { decision, inputHash, interrupt = false }: Decision,
): void {
  question.request.heardAt = world.at;
  if (decision === "approve" && (question.hash === undefined || inputHash !== question.hash)) return;
  settle(world, question, decision === "approve" ? "approved" : "denied", {
    cause: "direct",
    interrupt,
  });
}
