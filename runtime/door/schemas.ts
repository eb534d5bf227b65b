// Schemas
// The fields of each public type of message, as docs/reference/asyncapi.yaml shows them.
//
//   Owns:          the fields of `data`, the types of these fields, which values are refused, the path that a refusal names.
//   Does not own:  the envelope around `data` (envelope), raw payloads of clients (their adapters), translating messages into
//                  inputs (translate).
//
// SCHEMAS-1. An unknown field is refused, so a sender learns of a misspelt field instead of losing its value.
// SCHEMAS-2. A source that reports an answer given elsewhere has not proved who answered. So the report is refused if the
//     answerer's name has a form that only the engine and its doors give, such as `http:ana`.
//
// Each schema is compiled once, when this file is loaded.

import { z } from "zod";
import { isFields } from "../../machines/json.ts";
import { isId } from "../../machines/index.ts";
import { RefusedError } from "../errors/errors.ts";
import { joinPath, type Shape } from "../limits.ts";
import { checkNumbers, parseBody } from "./parse.ts";

export const ID_RULE = "must be 1 to 128 of A–Z, a–z, 0–9, _ and -";
const id = z.string().refine(isId, ID_RULE);
const name = z.string().min(1).max(256);
const text = z.string();
const amount = z.number().nonnegative();
const count = z.int().nonnegative();
/** A time, ms. */
const time = count;
/** Any JSON value, even null; only a missing field is refused. */
const json = z.unknown().refine((value) => value !== undefined, "is missing");

const speaker = {
  /** The gateway's request that a message belongs to. */
  requestId: id.exactOptional(),
  agentId: id.exactOptional(),
  promptId: id.exactOptional(),
  parentToolUseId: id.exactOptional(),
};
const call = {
  toolUseId: id.exactOptional(),
  /** Another name for `toolUseId`, used in Seed 000. */
  toolInvocationId: id.exactOptional(),
  tool: name.exactOptional(),
  input: json.exactOptional(),
};
const namedCall = { ...call, ...speaker, tool: name };
const outcome = {
  requestId: id,
  model: name.exactOptional(),
  tokens: count.exactOptional(),
  exitCode: z.int().exactOptional(),
  output: text.exactOptional(),
  error: text.exactOptional(),
};
const intent = z.strictObject({
  text,
  source: z.enum(["message", "parent", "display", "description", "prompt"]),
  confidence: z.enum(["certain", "likely", "weak"]),
});

const compiled = <T extends z.core.SomeType>(schema: T): T => z.compile(schema, { strict: true });
const fields = <T extends z.core.$ZodLooseShape>(shape: T) => compiled(z.strictObject(shape));

const moved = fields(outcome);

/** The forms of names that only the engine and its doors give (SCHEMAS-2). */
const OF_A_DOOR = /^(?:local|http|nats|rule|policy):|~[0-9a-z]{12}$/;

export const SCHEMAS = {
  "session.started": fields({
    reason: z.enum(["startup", "resume", "fork", "clear", "compact", "other"]).default("startup"),
    cwd: z.string().max(1024).exactOptional(),
    model: name.exactOptional(),
    title: z.string().exactOptional(),
    branch: name.exactOptional(),
    client: name.exactOptional(),
  }),
  "session.ended": fields({ reason: name.exactOptional() }),
  "request.created": fields({
    requestId: id,
    chatId: z.union([name, z.number()], "should be a text or a number").exactOptional(),
    prompt: text.exactOptional(),
    model: name.exactOptional(),
    timeoutAt: time.exactOptional(),
  }),
  "request.queued": moved,
  "request.processing": moved,
  "request.completed": moved,
  "request.failed": moved,
  "request.cancelled": moved,
  "request.callback": fields({
    requestId: id,
    state: z.enum(["delivering", "delivered", "failed"]),
    error: text.exactOptional(),
  }),
  "tool.announced": fields({
    ...namedCall,
    messageId: name.exactOptional(),
    blockIndex: count.exactOptional(),
    intent: intent.exactOptional(),
  }),
  "tool.started": fields(namedCall),
  "tool.finished": fields({ ...namedCall, output: json.exactOptional(), durationMs: amount.exactOptional() }),
  "tool.failed": fields({ ...namedCall, error: text, durationMs: amount.exactOptional() }),
  "tool.batch": fields({ ...speaker, calls: z.array(z.strictObject(call)) }),
  "approval.requested": fields({
    ...namedCall,
    input: json,
    approvalId: id.exactOptional(),
    channel: name.default("gateway"),
    deadlineAt: time.exactOptional(),
    onDeadline: z.enum(["deny", "ask"]).exactOptional(),
  }),
  "approval.answered": fields({
    ...call,
    ...speaker,
    approvalId: id.exactOptional(),
    decision: z.enum(["approve", "deny"]),
    by: name.refine(
      (by) => !OF_A_DOOR.test(by),
      "is a form of name that only the engine gives: send the bare name",
    ),
    message: text.exactOptional(),
    interrupt: z.boolean().exactOptional(),
  }),
  "approval.withdrawn": fields({ ...call, ...speaker, approvalId: id.exactOptional() }),
  "approval.lapsed": fields({ ...speaker, approvalId: id, said: z.enum(["deny", "ask"]) }),
  "approval.taken": fields({ ...speaker, approvalId: id, by: name.default("service") }),
} as const;

export type Schemas = typeof SCHEMAS;
export type PublicType = keyof Schemas;

export const PUBLIC_TYPES = Object.keys(SCHEMAS) as readonly PublicType[];

export const isPublicType = (type: string): type is PublicType => Object.hasOwn(SCHEMAS, type);

const decision = {
  decision: z.enum(["approve", "deny"]),
  inputHash: z.string().max(128).exactOptional(),
  message: z.string().max(10_000).exactOptional(),
  interrupt: z.boolean().exactOptional(),
  updatedInput: z.unknown().refine(isFields, "should be an object").exactOptional(),
  /** Where the decision was made: `panel`, `cli`, … Views show this with the answer; nothing else depends on it. */
  via: z.string().max(32).refine(isId, ID_RULE).exactOptional(),
};

/** The body of a person's decision at a door that knows the sender and the approval. */
export const DECISION = fields(decision);

/** The body of a person's decision at a door that knows only the sender, so the body names the approval. */
export const NAMED_DECISION = fields({ approvalId: id, ...decision });

/**
 * Checks a value against a schema.
 * @param at the path of the value.
 * @throws RefusedError WRONG_SHAPE with the path of the first faulty field.
 */
export function readAs<T extends z.ZodType>(schema: T, value: unknown, at: string): z.output<T> {
  const read = schema.safeParse(value);
  if (read.success) return read.data;
  throw refusal(read.error, at);
}

/**
 * Reads a body.
 * @param isText as in `Shape` (limits): true for a key whose value is stored as text. Default: no key.
 * @throws RefusedError with the path of the fault.
 */
export function readBody<T extends z.ZodType>(
  schema: T,
  body: Uint8Array,
  isText: Shape["isText"] = () => false,
): z.output<T> {
  const value = parseBody(body, isText);
  checkNumbers(body);
  return readAs(schema, value, "");
}

function refusal(error: z.ZodError, at: string): RefusedError {
  const [issue] = error.issues;
  const extra = issue?.code === "unrecognized_keys" ? issue.keys.slice(0, 1) : [];
  const path = joinPath([...(at === "" ? [] : [at]), ...(issue?.path ?? []), ...extra]);
  const reason =
    extra.length > 0 ? "is not a known field" : reasonOf(issue?.message ?? "has the wrong shape");
  return new RefusedError(
    "WRONG_SHAPE",
    `${path === "" ? "The value" : path} ${reason}.`,
    "docs/reference/nats.md, Types, has the fields; nothing was applied.",
    path,
  );
}

function reasonOf(message: string): string {
  if (message.endsWith(", received undefined")) return "is missing";
  const [, expected, received] = /^Invalid input: expected (.*), received (.*)$/.exec(message) ?? [];
  if (expected !== undefined) return `should be of type ${expected}, not ${received ?? "this"}`;
  const [, options] = /^Invalid option: expected (.*)$/.exec(message) ?? [];
  if (options !== undefined) return `should be ${options}`;
  return /^(must|should|is) /.test(message) ? message : `is not right: ${message}`;
}
