// Translate
// Translates what a source said into inputs of a session.
//
//   Owns:          the meaning of each public type; finding the translator of a client's raw payload.
//   Does not own:  the raw formats (adapters, handed in by compose); the effects of an input (machines).
//
// DOOR-TRANSLATE-1. Pure, and total over journal entries: what cannot be read is refused, never guessed.

import type { z } from "zod";
import type { CallRef, SourceInput } from "../../machines/index.ts";
import type { AgentId, ApprovalId, RequestId } from "../../machines/index.ts";
import type { SourceMessage, Translate } from "../message.ts";
import type { Clients } from "../clients.ts";
import { canonicalText, toolInput } from "../canonical.ts";
import { unknownType } from "./envelope.ts";
import { dataOf } from "./inputs/lift.ts";
import { type PublicType, isPublicType, readAs, type Schemas, SCHEMAS } from "./schemas.ts";

/** @returns the engine's translator of journal entries. */
export function translator(clients: Clients): Translate {
  return (message) => {
    const raw = clients.ofType(message.type)?.translators[message.type];
    const inputs = raw?.(dataOf(message)) ?? translateEvent(message, clients);
    return message.time === undefined ? inputs : inputs.map((input) => observed(input, message.time ?? 0));
  };
}

const observed = (input: SourceInput, at: number): SourceInput =>
  input.observedAt === undefined ? { ...input, observedAt: at } : input;

/** A message of a public type. @throws RefusedError with the path. */
export function translateEvent({ type, data }: SourceMessage, clients: Clients): readonly SourceInput[] {
  if (isPublicType(type)) return [TYPES[type](data)];
  throw unknownType(type, clients);
}

type Read<Type extends PublicType> = z.output<Schemas[Type]>;

function as<Type extends PublicType>(type: Type, make: (data: Read<Type>) => SourceInput) {
  // A schema's output is what `Read` names: TypeScript does not resolve one indexed by a type parameter.
  return (data: unknown): SourceInput => make(readAs(SCHEMAS[type], data, "data") as Read<Type>);
}

type Speaker = { agentId?: string; requestId?: string; promptId?: string; parentToolUseId?: string };

/** Who spoke, and within which request: the schema checked the ids. */
const speaker = ({ agentId, requestId, promptId = requestId, parentToolUseId }: Speaker) => ({
  ...(agentId !== undefined && { agentId: agentId as AgentId }),
  ...(promptId !== undefined && { promptId }),
  ...(parentToolUseId !== undefined && { parentToolUseId }),
});

type Call = { toolUseId?: string; toolInvocationId?: string; tool?: string; input?: unknown };

function callRef({ toolUseId, toolInvocationId, tool, input }: Call): CallRef {
  const id = toolUseId ?? toolInvocationId;
  return {
    ...(id !== undefined && { toolUseId: id }),
    ...(tool !== undefined && { tool }),
    ...(input !== undefined && { input: toolInput(input) }),
  };
}

/** The approval an answer is for. */
const approvalNamed = ({ approvalId }: { approvalId?: string }) =>
  approvalId === undefined ? {} : { approvalId: approvalId as ApprovalId };

const textOf = (output: unknown): string => (typeof output === "string" ? output : canonicalText(output));

type Moved =
  "request.queued" | "request.processing" | "request.completed" | "request.failed" | "request.cancelled";

const moved = (type: Moved) =>
  as(type, ({ requestId, ...facts }) => ({ type, requestId: requestId as RequestId, ...facts }));

/** How many characters of a title are kept: a long title is no reason to lose the rest. */
const TITLE_MAX = 200;

const TYPES: Readonly<Record<PublicType, (data: unknown) => SourceInput>> = {
  "session.started": as("session.started", ({ title, ...data }) => ({
    type: "session.started",
    ...data,
    ...(title !== undefined && { title: Array.from(title).slice(0, TITLE_MAX).join("") }),
  })),
  "session.ended": as("session.ended", (data) => ({ type: "session.ended", ...data })),
  "request.created": as("request.created", ({ requestId, ...facts }) => ({
    type: "request.created",
    requestId: requestId as RequestId,
    ...facts,
  })),
  "request.queued": moved("request.queued"),
  "request.processing": moved("request.processing"),
  "request.completed": moved("request.completed"),
  "request.failed": moved("request.failed"),
  "request.cancelled": moved("request.cancelled"),
  "request.callback": as("request.callback", ({ requestId, ...facts }) => ({
    type: "request.callback",
    requestId: requestId as RequestId,
    ...facts,
  })),
  "tool.announced": as("tool.announced", (data) => ({
    type: "tool.announced",
    ...speaker(data),
    call: callRef(data),
    ...(data.messageId !== undefined && { messageId: data.messageId }),
    ...(data.blockIndex !== undefined && { blockIndex: data.blockIndex }),
    ...(data.intent && { intent: data.intent }),
  })),
  "tool.started": as("tool.started", (data) => ({
    type: "tool.started",
    ...speaker(data),
    call: callRef(data),
  })),
  "tool.finished": as("tool.finished", (data) => ({
    type: "tool.finished",
    ...speaker(data),
    call: callRef(data),
    ...(data.output !== undefined && { output: textOf(data.output) }),
    ...(data.durationMs !== undefined && { durationMs: data.durationMs }),
  })),
  "tool.failed": as("tool.failed", (data) => ({
    type: "tool.failed",
    ...speaker(data),
    call: callRef(data),
    error: data.error,
    ...(data.durationMs !== undefined && { durationMs: data.durationMs }),
  })),
  "tool.batch": as("tool.batch", (data) => ({
    type: "tool.batch",
    ...speaker(data),
    calls: data.calls.map(callRef),
  })),
  "approval.requested": as("approval.requested", (data) => ({
    type: "approval.requested",
    ...speaker(data),
    ...approvalNamed(data),
    call: callRef(data),
    channel: data.channel,
    ...(data.deadlineAt !== undefined && { deadlineAt: data.deadlineAt }),
    ...(data.onDeadline && { onDeadline: data.onDeadline }),
  })),
  "approval.answered": as("approval.answered", (data) => ({
    type: "approval.answered",
    ...speaker(data),
    ...approvalNamed(data),
    call: callRef(data),
    decision: data.decision,
    by: data.by,
    ...(data.message !== undefined && { message: data.message }),
    ...(data.interrupt !== undefined && { interrupt: data.interrupt }),
  })),
  "approval.lapsed": as("approval.lapsed", ({ approvalId, said, ...from }) => ({
    type: "approval.lapsed",
    approvalId: approvalId as ApprovalId,
    said,
    ...speaker(from),
  })),
  "approval.taken": as("approval.taken", ({ approvalId, by, ...said }) => ({
    type: "approval.taken",
    approvalId: approvalId as ApprovalId,
    by,
    ...speaker(said),
  })),
  "approval.withdrawn": as("approval.withdrawn", (data) => ({
    type: "approval.withdrawn",
    ...speaker(data),
    ...approvalNamed(data),
    call: callRef(data),
  })),
};
