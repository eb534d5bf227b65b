// Named session
// Finds the session that a refused message names, even if only the message's beginning was stored, or the message is not JSON.
//
//   Owns:          which fields of a message name its session.
//   Does not own:  reading a valid message (door), which dead letters are about a session (dead-letters).
//
// NAMED-SESSION-1. Only the outer fields of a message name its session: those of an envelope, of a payload, or of a payload in
//     the field `hook`. An agent's text, such as a tool input, names none.
// NAMED-SESSION-2. The session's id is made from the name in the same way as the doors make the id for a valid message
//     (`toId`).

import { isId } from "../../machines/index.ts";
import { jsonIn } from "../../machines/json.ts";
import { toId } from "../foreign-id.ts";
import { endOfString } from "../text/exact-numbers.ts";

/** The fields of clients' payloads, of transcripts' lines and of services' requests that name a session. */
const NAMES = ["session_id", "sessionId", "session", "run_id", "hook.session_id", "hook.session"];

/** @returns the session's address, or its id if the message names no workspace; undefined if it names no session. */
export function sessionNamed(body: Uint8Array): string | undefined {
  const fields = outerFields(body);
  const address = addressIn(fields.get("subject") ?? "", fields.get("data.requestId"));
  const name = NAMES.map((each) => fields.get(each)).find((each) => each !== undefined);
  const id = name !== undefined && name !== "" && name.isWellFormed() ? toId(name) : undefined;
  if (fields.has("specversion") || id === undefined) return address ?? id;
  const workspace = fields.get("workspace");
  return workspace !== undefined && isId(workspace) ? `${workspace}/${id}` : id;
}

/** The address in an envelope's subject. A request without a session has a session of its own (R3). */
function addressIn(subject: string, requestId: string | undefined): string | undefined {
  const [workspace = "", session = requestId === undefined ? "" : `r_${requestId}`, ...rest] =
    subject.split("/");
  return rest.length === 0 && isId(workspace) && isId(session) ? `${workspace}/${session}` : undefined;
}

const [QUOTE, COMMA, COLON] = [0x22, 0x2c, 0x3a];
const OPENS: ReadonlySet<number | undefined> = new Set([0x5b, 0x7b]);
const CLOSES: ReadonlySet<number | undefined> = new Set([0x5d, 0x7d]);
const LEVELS = 2;

/** The texts in the first two levels of an object, by the names of their fields: `subject`, `data.requestId`. */
function outerFields(body: Uint8Array): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const path: string[] = [];
  let level = 0;
  let text = "";
  let isValue = false;
  for (let at = 0; at < body.length; at += 1) {
    const byte = body[at];
    if (OPENS.has(byte)) level += 1;
    else if (CLOSES.has(byte)) level -= 1;
    if (byte === QUOTE) {
      const end = endOfString(body, at + 1);
      if (level <= LEVELS) {
        text = textOf(body.subarray(at, end + 1));
        if (isValue) found.set(path.slice(1, level + 1).join("."), text);
      }
      at = end;
    } else if (byte === COLON) {
      path[level] = text;
      isValue = true;
    } else if (byte === COMMA || OPENS.has(byte)) isValue = false;
  }
  return found;
}

const textOf = (quoted: Uint8Array): string => {
  const text = jsonIn(Buffer.from(quoted).toString());
  return typeof text === "string" ? text : "";
};
