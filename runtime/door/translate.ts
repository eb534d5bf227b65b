// Translate
// Translates a source's message into inputs of a session.
//
//   Owns:          the meaning of each public type; finding the translator of a client's raw payload.
//   Does not own:  the raw formats (adapters, passed in by compose); the effects of an input (machines).
//
// DOOR-TRANSLATE-1. The translation depends only on the message, and covers every message: an unreadable message is refused, and
//     its meaning never guessed.

import type { z } from "zod";
import { type CallRef, defined, shellCallOf, type SourceInput } from "../../machines/index.ts";
import type { AgentId, ApprovalId, RequestId } from "../../machines/index.ts";
import type { SourceMessage, Translate } from "../message.ts";
import type { ClientProfile } from "../client-profile.ts";
import type { Clients } from "../clients.ts";
import { canonicalText, toolInput } from "../canonical.ts";
import { unknownType } from "./envelope.ts";
import { dataOf } from "./inputs/lift.ts";
import { type PublicType, isPublicType, readAs, type Schemas, SCHEMAS } from "./schemas.ts";

export function translator(clients: Clients): Translate {
  return (message) => {
    const profile = clients.ofType(message.type);
    const said = profile?.translators[message.type]?.(dataOf(message));
    const inputs = (said?.map((input) => withShell(input, profile)) ?? translateEvent(message, clients)).map(
      (input) => withSender(input, message, profile !== undefined),
    );
    return message.time === undefined ? inputs : inputs.map((input) => observed(input, message.time ?? 0));
  };
}

const observed = (input: SourceInput, at: number): SourceInput =>
  input.observedAt === undefined ? { ...input, observedAt: at } : input;

/**
 * Names the sender of a request for an approval, as the door noted it. If no door did, a service wrote the message into the
 * journal itself, and the sender is the message's source.
 */
function withSender(input: SourceInput, { sender, source }: SourceMessage, isClients: boolean): SourceInput {
  if (input.type !== "approval.requested") return input;
  return { ...input, ...defined({ sender: sender ?? (isClients ? undefined : source) }) };
}

/** Adds to a request for an approval what its shell call runs, in one form for the shells of all clients (SHELL-CALL-1). */
function withShell(input: SourceInput, { shells = {} }: Pick<ClientProfile, "shells"> = {}): SourceInput {
  if (input.type !== "approval.requested") return input;
  const { tool = "", input: given } = input.call;
  const form = Object.hasOwn(shells, tool) ? shells[tool] : undefined;
  if (!form) return input;
  const shell = given && "text" in given ? shellCallOf(form, JSON.parse(given.text)) : {};
  return { ...input, call: { ...input.call, shell } };
}

/** The inputs of a message of a public type. @throws RefusedError with the path of the faulty field. */
export function translateEvent({ type, data }: SourceMessage, clients: Clients): readonly SourceInput[] {
  if (!isPublicType(type)) throw unknownType(type, clients);
  // The cast is safe: each function in MEANINGS takes what its type's schema has read, and returns the fields of that type's
  // input.
  const meaning = MEANINGS[type] as (read: unknown) => object;
  return [{ type, ...meaning(readAs(SCHEMAS[type], data, "data")) } as SourceInput];
}

type Read<Type extends PublicType> = z.output<Schemas[Type]>;

type Said<Type, Any = SourceInput> = Any extends { readonly type: infer Types }
  ? Type extends Types
    ? Omit<Any, "type">
    : never
  : never;

type Speaker = { agentId?: string; requestId?: string; promptId?: string; parentToolUseId?: string };

/** The agent and the request that a message names. The schema has checked these ids. */
const speaker = ({ agentId, requestId, promptId = requestId, parentToolUseId }: Speaker) =>
  defined({ agentId: agentId as AgentId | undefined, promptId, parentToolUseId });

type Call = { toolUseId?: string; toolInvocationId?: string; tool?: string; input?: unknown };

const callRef = ({ toolUseId, toolInvocationId, tool, input }: Call): CallRef =>
  defined({
    toolUseId: toolUseId ?? toolInvocationId,
    tool,
    input: input === undefined ? undefined : toolInput(input),
  });

const ofCall = (data: Speaker & Call) => ({ ...speaker(data), call: callRef(data) });

const ofApproval = ({ approvalId, ...data }: Speaker & Call & { approvalId?: string }) => ({
  ...speaker(data),
  ...defined({ approvalId: approvalId as ApprovalId | undefined }),
  call: callRef(data),
});

const ofRequest = <Data extends { requestId: string }>({ requestId, ...facts }: Data) => ({
  requestId: requestId as RequestId,
  ...facts,
});

const textOf = (output: unknown): string => (typeof output === "string" ? output : canonicalText(output));

/** How many characters of a title are stored. A longer title is cut, because otherwise its message would be refused. */
const TITLE_MAX = 200;

const MEANINGS: { readonly [Type in PublicType]: (data: Read<Type>) => Said<Type> } = {
  "session.started": ({ title, ...data }) => ({
    ...data,
    ...defined({ title: title && Array.from(title).slice(0, TITLE_MAX).join("") }),
  }),
  "session.ended": (data) => data,
  "request.created": ofRequest,
  "request.queued": ofRequest,
  "request.processing": ofRequest,
  "request.completed": ofRequest,
  "request.failed": ofRequest,
  "request.cancelled": ofRequest,
  "request.callback": ofRequest,
  "tool.announced": ({ messageId, blockIndex, intent, ...data }) => ({
    ...ofCall(data),
    ...defined({ messageId, blockIndex, intent }),
  }),
  "tool.started": ofCall,
  "tool.finished": ({ output, durationMs, ...data }) => ({
    ...ofCall(data),
    ...defined({ output: output === undefined ? undefined : textOf(output), durationMs }),
  }),
  "tool.failed": ({ error, durationMs, ...data }) => ({ ...ofCall(data), error, ...defined({ durationMs }) }),
  "tool.batch": ({ calls, ...data }) => ({ ...speaker(data), calls: calls.map(callRef) }),
  "approval.requested": ({ channel, deadlineAt, onDeadline, ...data }) => ({
    ...ofApproval(data),
    channel,
    ...defined({ deadlineAt, onDeadline }),
  }),
  "approval.answered": ({ decision, by, message, interrupt, ...data }) => ({
    ...ofApproval(data),
    decision,
    by,
    ...defined({ message, interrupt }),
  }),
  "approval.lapsed": ({ approvalId, said, ...from }) => ({
    approvalId: approvalId as ApprovalId,
    said,
    ...speaker(from),
  }),
  "approval.taken": ({ approvalId, by, ...from }) => ({
    approvalId: approvalId as ApprovalId,
    by,
    ...speaker(from),
  }),
  "approval.withdrawn": ofApproval,
};
