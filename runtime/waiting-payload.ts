// Waiting payload
// Reads the payload of a waiting hook strictly, from a client of any version.
//
//   Owns:          which fields an approval needs, and the words for a payload without them.
//   Does not own:  the rest of the payload (the engine reads it), the words for the answer (the client's adapter), the
//                  process (adapters/gate-main.ts).
//
// WAITING-PAYLOAD-1. A payload that is not understood is refused in words, and nothing is asked or allowed.
// WAITING-PAYLOAD-2. Unknown fields change nothing, and are passed to the engine as they came.

import { isFields, jsonIn } from "../machines/json.ts";
import { toolInput } from "./canonical.ts";
import type { Verdict, WaitingHook } from "./gate-form.ts";

const NEXT =
  "Nothing is allowed. Install the hooks again with `npx signalbox install`; if the error remains, this version of the client is too new or too old.";

/**
 * @param events the events that can be answered. @param printed the client's words for an answer to one of them.
 * @throws Error in words (WAITING-PAYLOAD-1).
 */
export function waitingHook<E extends string>(
  body: Uint8Array,
  events: readonly E[],
  printed: (event: E, verdict: Verdict) => string,
): WaitingHook {
  const payload = objectIn(body);
  const { hook_event_name: name, tool_name: tool, tool_input: input, session_id: session } = payload;
  const event = events.find((each) => each === name);
  if (event === undefined)
    throw refused(`hook_event_name is ${shown(name)}, and only ${events.join(" and ")} can be answered`);
  if (typeof session !== "string" || session === "") throw refused(`session_id is ${shown(session)}`);
  if (typeof tool !== "string" || tool === "") throw refused(`tool_name is ${shown(tool)}`);
  if (!isFields(input)) throw refused(`tool_input is ${shown(input)}`);
  return { inputHash: toolInput(input).hash, printed: (verdict) => printed(event, verdict) };
}

function objectIn(body: Uint8Array): Readonly<Record<string, unknown>> {
  const payload = jsonIn(Buffer.from(body).toString("utf8"));
  if (payload === undefined) throw refused("it is no JSON");
  if (!isFields(payload)) throw refused("it is no JSON object");
  return payload;
}

/** A short text, because the value may be anything. */
function shown(value: unknown): string {
  if (value === undefined) return "missing";
  if (value === "") return "empty";
  if (typeof value === "string") return JSON.stringify(value.slice(0, 64));
  if (value === null) return "null";
  return Array.isArray(value) ? "a list" : `of type ${typeof value}`;
}

const refused = (why: string): Error =>
  new Error(`Signalbox does not understand the payload that the client sent to this hook: ${why}. ${NEXT}`);
