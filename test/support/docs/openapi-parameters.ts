// OpenAPI parameters
// The parameters in the address and the headers of a request, as OpenAPI describes them.
//
//   Owns:          the schema and the meaning of each parameter.
//   Does not own:  which route has which (openapi-routes).

import { CALL_STATES } from "../../../runtime/rows/call-states.ts";
import { REQUEST_STATES } from "../../../runtime/reading/filters.ts";
import { RULE_STATES } from "../../../runtime/reading/rules.ts";
import { ENDERS, TABLES } from "../../../runtime/reading/figures/counted.ts";
import { STATES } from "../../../runtime/reading/figures/stats.ts";
import type { Schema } from "./type-schemas.ts";

export const text = { type: "string" } as const;

/** The parameter `limit`, without its greatest value. */
export const COUNT = { type: "integer", minimum: 1, description: "How many at most." } as const;

const PARAMETERS: Readonly<Record<string, Schema>> = {
  limit: { ...COUNT, maximum: 1000 },
  cursor: { ...text, description: "`nextCursor` of the page before." },
  since: { ...text, description: "A time: ms since 1970, or as 2026-01-31T12:00:00Z." },
  until: { ...text, description: "A time, as `since`." },
  workspace: { ...text, description: "Only what is in this workspace." },
  session: { ...text, description: "Only what is of this session." },
  request: { ...text, description: "Only what is of this request." },
  chatId: { ...text, description: "Only requests with this chat id." },
  order: { enum: ["newest", "oldest"], description: "Which come first." },
  with: {
    ...text,
    description: "What stands beside each approval: `call`, `session`, or both with a comma.",
  },
  entity: {
    enum: ["session", "request", "toolcall", "approval", "callback"],
    description: "Only changes of this kind.",
  },
  id: { ...text, description: "Only changes of the thing with this id." },
  text: { ...text, description: "Only what has this somewhere in it, in whatever case." },
  call: { ...text, description: "Only the changes of this call and of its approvals." },
  standing: { type: "boolean", description: "Whether views of what the changes leave open come, too." },
  entries: { type: "boolean", description: "Whether the journal entries behind the changes come with them." },
  span: { enum: ["15m", "1h", "6h", "24h"], description: "How far back; an hour, if left out." },
  interrupt: { type: "boolean", description: "Whether the denial would interrupt the session." },
  after: { ...text, description: "The id of the last change seen." },
  table: { enum: [...TABLES], description: "Only what is counted in a row of this table; with `name`." },
  name: { ...text, description: "The row's name; with `table`." },
  column: {
    enum: ["allowed", "denied", ...ENDERS],
    description: "Only what is counted in this column.",
  },
  project: { type: "string", description: "Only sessions that worked in this folder." },
  upgrade: {
    type: "integer",
    minimum: 0,
    maximum: 3_600,
    description: "Ends the term instead, and leaves the next one to another version for so many seconds.",
  },
  looking: { type: "boolean", description: "Whether events `looking` come, too." },
  behindMax: {
    type: "integer",
    minimum: 0,
    description: "With more to catch up on, `resync` comes instead.",
  },
};

/** The states that each list can be asked for. */
export const STATES_OF: Readonly<Record<string, readonly string[]>> = {
  "request.list": REQUEST_STATES,
  "session.list": STATES.sessions.states,
  "approval.list": STATES.approvals.states,
  "alarm.list": STATES.alarms.states,
  "rule.list": RULE_STATES,
  "toolcall.list": CALL_STATES,
};

export const query = (name: string, schema: Schema | undefined = PARAMETERS[name]): object => {
  if (!schema) throw new Error(`The parameter ${name} has no schema.`);
  const { description, ...rest } = schema;
  return { name, in: "query", description, schema: rest };
};
export const inHeader = (name: string, description: string): object => ({
  name,
  in: "header",
  description,
  schema: text,
});
export const inPath = (path: string): readonly object[] =>
  [...path.matchAll(/:(\w+)/g)].map(([, name]) => ({ name, in: "path", required: true, schema: text }));
