// Waiting payload
// Reads the payload of a waiting hook strictly, from a client of any version.
//
//   Owns:          which fields an approval needs, and the error text for a payload that lacks one of them.
//   Does not own:  the other fields of the payload (engine), the text of the answer (the client's adapter), the hook's process
//                  (adapters).
//
// WAITING-PAYLOAD-1. If a payload cannot be understood, it is refused with an error text, no approval is requested, and nothing
//     is allowed.
// WAITING-PAYLOAD-2. Unknown fields of a payload have no effect, and are passed to the engine unchanged.

import { isFields, jsonIn } from "../machines/json.ts";
import { toolInput } from "./canonical.ts";
import { inexactNumberIn } from "./text/exact-numbers.ts";
import type { Verdict, WaitingHook } from "./gate-form.ts";

const NEXT =
  "The call is not allowed. Install the hooks again with `npx signalbox install`; if the error remains, this version of the client is too new or too old.";

/**
 * Reads a waiting hook's payload. @param events the events that can be answered. @param printed returns what the hook must print
 * for an answer to an event. @throws Error whose text says what is wrong (WAITING-PAYLOAD-1).
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
  const inexact = inexactNumberIn(body);
  if (inexact !== undefined) throw refused(`its number ${inexact.slice(0, 64)} has too many digits`);
  return payload;
}

/** A short text that shows a value in an error; the value may be of any type and length. */
function shown(value: unknown): string {
  if (value === undefined) return "missing";
  if (value === "") return "empty";
  if (typeof value === "string") return JSON.stringify(value.slice(0, 64));
  if (value === null) return "null";
  return Array.isArray(value) ? "a list" : `of type ${typeof value}`;
}

const refused = (why: string): Error =>
  new Error(`Signalbox does not understand the payload that the client sent to this hook: ${why}. ${NEXT}`);
