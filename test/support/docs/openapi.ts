// OpenAPI
// The HTTP routes of Signalbox as an OpenAPI 3.1 document, made from the engine's own schemas and answers.
//
//   Owns:          the document's shape.
//   Does not own:  the routes (openapi-routes), the types that come in (runtime/door/schemas), the answers (answers).

import { join } from "node:path";
import { QUERY_ROUTES } from "../../../adapters/http/reading.ts";
import { clients } from "../../../adapters/composition/clients.ts";
import { SERVICE_CALL } from "../../../runtime/gate/service-call.ts";
import { ASSIGNMENT } from "../../../runtime/door/assignment.ts";
import { DISMISSAL } from "../../../runtime/door/dismissal.ts";
import { FORGETTING } from "../../../runtime/door/forget-door.ts";
import { isOp } from "../../../runtime/reading/query-table.ts";
import { RULE, RULE_FILE, RULE_TRIAL } from "../../../runtime/door/rule-terms.ts";
import { DECISION, SCHEMAS } from "../../../runtime/door/schemas.ts";
import { envelope, schemaOf } from "./asyncapi.ts";
import { inPath } from "./openapi-parameters.ts";
import { json, ref } from "./openapi-parts.ts";
import type { Route } from "./openapi-access.ts";
import { ROUTES } from "./openapi-routes.ts";
import { programOf, typeIn, TypeSchemas } from "./type-schemas.ts";

const answersFile = join(import.meta.dirname, "answers.ts");
const ERROR = { description: "Why not, and what to do next.", content: json(ref("Error")) };

const operationOf = (path: string, { summary, parameters, body, answers, isOpen }: Route): object => ({
  summary,
  parameters: [...inPath(path), ...(parameters ?? [])],
  ...(isOpen && { security: [] }),
  ...(body && { requestBody: { required: true, content: json(body) } }),
  responses: { ...answers, default: ERROR },
});

function paths(): object {
  const all: Record<string, object> = {};
  for (const [route, how] of Object.entries(ROUTES)) {
    const [method = "", path = ""] = route.split(" ");
    const name = path.replace(/:(\w+)/g, "{$1}");
    all[name] = { ...all[name], [method.toLowerCase()]: operationOf(path, how) };
  }
  return all;
}

function answerSchemas(): object {
  const program = programOf(answersFile);
  const made = new TypeSchemas(program);
  const others = made.name(typeIn(program, answersFile, "OtherAnswers"));
  const queries = made.name(typeIn(program, answersFile, "QueryAnswers"));
  const shown = [...others, ...[...queries].filter(([op]) => isOp(op) && QUERY_ROUTES[op])];
  return Object.fromEntries(shown.map(([name, type]) => [name, made.whole(type)]));
}

function eventSchemas(): Readonly<Record<string, object>> {
  const types = [
    ...Object.entries(SCHEMAS).map(([type, schema]) => [type, schemaOf(schema)] as const),
    ...[...clients.rawTypes].map((type) => [type, { type: "object" }] as const),
  ];
  return Object.fromEntries(types.map(([type, data]) => [`event.${type}`, envelope(type, data)]));
}

/** @param version of the package. */
export function openapi(version: string): object {
  const events = eventSchemas();
  return {
    openapi: "3.1.0",
    info: {
      title: "Signalbox over HTTP",
      version,
      description: "What the engine takes in and answers over HTTP. docs/reference/http.md explains it.",
    },
    servers: [{ url: "http://127.0.0.1:4280" }],
    security: [{ token: [] }, { cookie: [] }],
    paths: paths(),
    components: {
      securitySchemes: {
        token: { type: "http", scheme: "bearer" },
        cookie: { type: "apiKey", in: "cookie", name: "signalbox-4280" },
      },
      schemas: {
        Decision: schemaOf(DECISION),
        ServiceCall: schemaOf(SERVICE_CALL),
        Dismissal: schemaOf(DISMISSAL),
        Assignment: schemaOf(ASSIGNMENT),
        Forgetting: schemaOf(FORGETTING),
        Rule: schemaOf(RULE),
        RuleFile: schemaOf(RULE_FILE),
        RuleTrial: schemaOf(RULE_TRIAL),
        Event: {
          oneOf: Object.keys(events).map(ref),
          discriminator: {
            propertyName: "type",
            mapping: Object.fromEntries(
              Object.keys(events).map((name) => [name.slice("event.".length), ref(name)["$ref"]]),
            ),
          },
        },
        Events: { oneOf: [ref("Event"), { type: "array", maxItems: 1000, items: ref("Event") }] },
        TakenOrList: { anyOf: [ref("Taken"), ref("TakenList")] },
        ...answerSchemas(),
        ...events,
      },
    },
  };
}
