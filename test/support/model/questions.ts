// Model: questions
// Seed 003 and design §3 restated: which call a question belongs to, which answer counts, what an answer does.

import type { CallRef, Decision, Input } from "../../../machines/index.ts";
import { bind, settle } from "./fates.ts";
import { requestFor } from "./requests.ts";
import { type Call, isOpen, isOver, MAIN, type Question, Turned, type World } from "./world.ts";

type Of<T extends Input["type"]> = Extract<Input, { type: T }>;

export function asked(world: World, input: Of<"approval.requested">): void {
  const { call: ref, channel, approvalId: id } = input;
  const agent = input.agentId ?? MAIN;
  const shared = byId(world, id) ?? sharing(world, agent, ref, channel);
  if (shared) {
    shared.channels.add(channel);
    shared.request.heardAt = world.at;
    return;
  }
  const prompt = input.promptId;
  const own =
    world.named(ref)?.request ??
    (agent === MAIN ? undefined : world.agent(agent).request) ??
    (prompt === undefined ? world.newest : world.byPrompt.get(prompt)) ??
    requestFor(world, agent, input);
  const late = isOver(own);
  const found = meant(world, agent, ref);
  const call =
    found?.call ??
    (late ? world.closed(agent, ref).find((each) => each.request === own && !each.question) : undefined);
  const question: Question = {
    id,
    agent,
    request: call?.request ?? own,
    tool: ref.tool,
    hash: ref.input?.hash,
    useId: ref.toolUseId,
    onDeadline: input.onDeadline ?? "ask",
    channels: new Set([channel]),
    call: undefined,
    state: "pending",
  };
  world.questions.push(question);
  if (!late) world.revive();
  question.request.heardAt = world.at;
  if (call) bind(question, call);
  if (call && !isOpen(call)) return settle(world, question, "withdrawn");
  const early = id === undefined ? undefined : world.early.get(id);
  if (id === undefined || !early) return;
  world.early.delete(id);
  const ambiguous = (found?.of ?? 1) > 1;
  if (!ambiguous) decide(world, question, early);
}

const byId = (world: World, id: string | undefined): Question | undefined =>
  id === undefined ? undefined : world.questions.find((question) => question.id === id);

/** The call a new question is about: by id; else by input, else by tool, the oldest nobody has asked about. */
function meant(
  world: World,
  agent: string,
  ref: CallRef,
): { readonly call: Call; readonly of: number } | undefined {
  const named = world.named(ref);
  if (named) return { call: named, of: 1 };
  const found = world.unasked(agent, ref);
  if (found?.by === "name" && ref.input && found.call.hash !== undefined) return undefined;
  if (ref.toolUseId === undefined) return found;
  return found?.by === "input" && found.call.useId === undefined ? found : undefined;
}

/** Two channels that ask about one call share a question; two questions of one channel are two. */
function sharing(world: World, agent: string, ref: CallRef, channel: string): Question | undefined {
  const named = world.named(ref);
  if (named) return named.question?.state === "pending" ? named.question : undefined;
  return world.asked(agent, ref).find(({ channels }) => !channels.has(channel));
}

/** The question an answer is about. @throws Turned when there is none. */
function answeredQuestion(
  world: World,
  { approvalId: id, call: ref, agentId = MAIN as never }: Of<"approval.answered" | "approval.withdrawn">,
): Question {
  const named = world.named(ref);
  const found = id !== undefined ? byId(world, id) : named ? named.question : world.asked(agentId, ref)[0];
  if (!found) throw new Turned();
  return found;
}

export function answered(world: World, input: Of<"approval.answered">): void {
  const { decision, by, interrupt = false } = input;
  const question = answeredQuestion(world, input);
  const cause = by === "hook" ? "hook" : "direct";
  settle(world, question, decision === "approve" ? "approved" : "denied", { cause, interrupt });
}

export function withdrawn(world: World, input: Of<"approval.withdrawn">): void {
  settle(world, answeredQuestion(world, input), "withdrawn");
}

/** @param question the one meant, where it has been asked. */
export function decided(world: World, question: Question | undefined, decision: Decision): void {
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
  settle(world, question, decision === "approve" ? "approved" : "denied", { cause: "direct", interrupt });
}
