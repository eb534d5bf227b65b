// AsyncAPI
// The NATS subjects of Signalbox as an AsyncAPI 3 document, made from the engine's own schemas and answers.
//
//   Owns:          the document's shape; the schemas of own messages (their types are not schemas).
//   Does not own:  the subjects (runtime/rows/subjects), the types (runtime/door/schemas), the queries
//                  (runtime/reading).

import { join } from "node:path";
import { z } from "zod";
import { OPS, QUERIES } from "../../../runtime/reading/query-table.ts";
import { clients } from "../../../adapters/composition/clients.ts";
import { NAMED_DECISION, SCHEMAS } from "../../../runtime/door/schemas.ts";
import { programOf, typeIn, TypeSchemas } from "./type-schemas.ts";

const ID = "^[A-Za-z0-9_-]{1,128}$";
const string = { type: "string" } as const;
const integer = { type: "integer", minimum: 0 } as const;
const time = { ...integer, description: "ms since 1970" } as const;
const id = { type: "string", pattern: ID } as const;
const anything = {} as const;

/** JSON Schema of draft 7, of which AsyncAPI's own schemas are a superset. */
export const schemaOf = (schema: z.ZodType): object => {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io: "input", target: "draft-7" });
  return rest;
};

export const envelope = (type: string, data: object): object => ({
  type: "object",
  required: ["specversion", "id", "source", "type", "subject", "data"],
  properties: {
    specversion: { const: "1.0" },
    id: { type: "string", minLength: 1, maxLength: 256 },
    source: { type: "string", minLength: 1, maxLength: 512 },
    type: { const: type },
    subject: { type: "string", description: "<workspace>/<session>, as in the NATS subject" },
    time: { type: "string", format: "date-time" },
    sequence: integer,
    datacontenttype: { const: "application/json" },
    data,
  },
});

/** A change in its published form. */
export const CHANGE = {
  type: "object",
  additionalProperties: false,
  required: [
    ...["n", "entity", "id", "workspace", "sessionId", "version", "epoch"],
    ...["turn", "part", "parts", "from", "to", "at", "view"],
  ],
  properties: {
    n: integer,
    previous: { ...integer, description: "the number of its session's change before it" },
    entity: { enum: ["session", "request", "callback", "toolcall", "approval"] },
    id,
    workspace: id,
    sessionId: id,
    requestId: id,
    version: { ...integer, description: "of its session; keep the last, and each change is seen once" },
    epoch: integer,
    turn: { ...integer, description: "the journal position of the message behind it" },
    part: integer,
    parts: integer,
    from: { type: ["string", "null"] },
    to: string,
    at: time,
    cause: anything,
    cascade: { type: "array", items: id },
    traceparent: {
      ...string,
      description: "the span that its request or call came from, as its sender named it",
    },
    view: { type: "object" },
  },
} as const;

const lettersFile = join(import.meta.dirname, "..", "..", "..", "runtime", "rows", "dead-letters.ts");

function letter(): object {
  const program = programOf(lettersFile);
  return new TypeSchemas(program).whole(typeIn(program, lettersFile, "DeadLetter"));
}

const ERROR = {
  type: "object",
  description: "With the headers Nats-Service-Error and Nats-Service-Error-Code.",
  required: ["error"],
  properties: {
    error: {
      type: "object",
      required: ["code", "message", "next"],
      properties: { code: string, message: string, next: string, path: string },
    },
  },
} as const;

const DECIDED = {
  type: "object",
  required: ["result", "approvalId"],
  properties: {
    result: { enum: ["accepted", "early", "ignored", "refused"] },
    approvalId: id,
    state: string,
    reason: string,
    position: integer,
  },
} as const;

const named = (name: string): string =>
  name.replace(/[.-](\w)/g, (_, letter: string) => letter.toUpperCase());
const ref = (path: string): object => ({ $ref: `#/${path}` });
const parameters = (...names: readonly string[]): object =>
  Object.fromEntries(names.map((name) => [name, { description: `An id: ${ID}` }]));

const TYPES = [
  ...Object.entries(SCHEMAS).map(([type, schema]) => [type, schemaOf(schema)] as const),
  ...[...clients.rawTypes].map((type) => [type, { type: "object" }] as const),
];

const channel = (address: string, messages: readonly string[], more: object = {}): object => ({
  address,
  messages: Object.fromEntries(messages.map((name) => [name, ref(`components/messages/${name}`)])),
  ...more,
});

const message = (payload: object, summary: string): object => ({
  contentType: "application/json",
  summary,
  payload,
});

const operation = (
  action: "send" | "receive",
  name: string,
  summary: string,
  reply?: readonly string[],
): object => ({
  action,
  summary,
  channel: ref(`channels/${name}`),
  ...(reply && {
    reply: {
      address: { location: "$message.header#/reply" },
      messages: reply.map((each) => ref(`channels/${name}/messages/${each}`)),
    },
  }),
});

/** @param version of the package. */
export function asyncapi(version: string): object {
  const ask = (op: (typeof OPS)[number]): object => ({
    type: "object",
    additionalProperties: false,
    properties: Object.fromEntries(
      QUERIES[op].parameters.map((name) => [name, { type: ["string", "number", "boolean"] }]),
    ),
  });
  const types = TYPES.map(([type]) => named(type));
  const asked = OPS.map((op) => named(`ask.${op}`));
  return {
    asyncapi: "3.0.0",
    info: {
      title: "Signalbox over NATS",
      version,
      description:
        "What the engine hears, says, answers and decides on NATS. docs/reference/nats.md explains it.",
    },
    defaultContentType: "application/json",
    channels: {
      in: channel("signalbox.v1.in.{workspace}.{session}.{type}", types, {
        parameters: {
          ...parameters("workspace", "session"),
          type: { description: "Two tokens.", enum: TYPES.map(([type]) => type) },
        },
      }),
      state: channel("signalbox.v1.state.{workspace}.{session}.{entity}.{id}.{state}", ["change"], {
        parameters: {
          ...parameters("workspace", "session", "id", "state"),
          entity: { enum: [...CHANGE.properties.entity.enum] },
        },
      }),
      decide: channel("signalbox.v1.decide.{workspace}.{approver}", ["decision", "decided", "error"], {
        parameters: parameters("workspace", "approver"),
      }),
      query: channel("signalbox.v1.query.{op}", [...asked, "answer", "error"], {
        parameters: { op: { enum: [...OPS] } },
      }),
      ask: channel("signalbox.v1.ask.{workspace}.{op}", [...asked, "answer", "error"], {
        parameters: { ...parameters("workspace"), op: { enum: [...OPS] } },
      }),
      deadLetter: channel("signalbox.v1.dlq.{reason}", ["letter"], { parameters: parameters("reason") }),
      recovered: channel("signalbox.v1.notice.recovered", ["recovered"]),
      checkpoint: channel("signalbox.v1.notice.checkpoint", ["checkpoint"]),
      own: { address: "signalbox.v1.own.>", description: "The engine's own words, sealed: not for others." },
    },
    operations: {
      hear: operation("receive", "in", "Services say what happens."),
      change: operation("send", "state", "Each state entered."),
      decide: operation("receive", "decide", "Answers to questions.", ["decided", "error"]),
      answer: operation("receive", "query", "A NATS service (ADR-32) named signalbox.", ["answer", "error"]),
      answerWithin: operation("receive", "ask", "The same, kept to the workspace of the subject.", [
        "answer",
        "error",
      ]),
      bury: operation("send", "deadLetter", "What was refused, and why."),
      report: operation("send", "recovered", "The report after a start."),
      copy: operation("send", "checkpoint", "Each checkpoint of the audit log, once."),
    },
    components: {
      messages: {
        ...Object.fromEntries(
          TYPES.map(([type, data]) => [named(type), message(envelope(type, data), `CloudEvent ${type}`)]),
        ),
        change: message(CHANGE, "A state change"),
        decision: message(schemaOf(NAMED_DECISION), "A person's answer; to approve, with inputHash"),
        decided: message(DECIDED, "What became of a decision"),
        ...Object.fromEntries(OPS.map((op) => [named(`ask.${op}`), message(ask(op), `The question ${op}`)])),
        answer: message({ type: "object" }, "What was asked for; lists are {items, nextCursor?}"),
        error: message(ERROR, "Why not, and what to do next"),
        letter: message(letter(), "A dead letter"),
        recovered: message({ type: "object" }, "What a start found"),
        checkpoint: { ...message({ type: "string" }, "A signed note"), contentType: "text/plain" },
      },
    },
  };
}
