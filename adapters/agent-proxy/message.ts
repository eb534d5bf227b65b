// Message
// Parses a line into a message that every JSON reader understands in the same way, or gives the reason why it is none.
//
//   Owns:          the accepted part of JSON-RPC: no batches, no key twice or in another case, no line within a line.
//   Does not own:  what a method does (each protocol).
//
// PROXY-MESSAGE-1. An accepted message means the same to every JSON reader, even one that splits at a carriage return, takes the
//     first of two equal keys, or ignores their case.

import { type Fields, isFields } from "../../machines/json.ts";

export type Id = string | number | null;

export type Message =
  | { readonly type: "request"; readonly id: Id; readonly method: string; readonly params: Fields }
  | { readonly type: "notification"; readonly method: string; readonly params: Fields }
  | { readonly type: "answer"; readonly id: Id; readonly result: unknown; readonly isError: boolean };

export type Read = Message | { readonly type: "refused"; readonly why: string };

const refused = (why: string): Read => ({ type: "refused", why });
const MEMBERS: ReadonlySet<string> = new Set(["jsonrpc", "id", "method", "params", "result", "error"]);
const UTF8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** The parameters of a message of this kind; undefined for any other. */
export const paramsIn = (
  message: Message,
  type: "request" | "notification",
  method: string,
): Fields | undefined => (message.type === type && message.method === method ? message.params : undefined);

/** @param line with its newline. @returns undefined for an empty one. */
export function readMessage(line: Uint8Array): Read | undefined {
  let text: string;
  let value: unknown;
  try {
    text = UTF8.decode(line).replace(/\r?\n$/, "");
    if (text === "") return undefined;
    value = JSON.parse(text);
  } catch {
    return refused("it is no JSON");
  }
  if (!isFields(value)) return refused(Array.isArray(value) ? "it is a batch" : "it is no object");
  if (text.includes("\r")) return refused("it has a carriage return within");
  const keys = topKeys(text);
  if (new Set(keys).size < keys.length) return refused("a key occurs twice");
  if (keys.some((key) => !MEMBERS.has(key) && MEMBERS.has(key.toLowerCase())))
    return refused("a key is not written as the protocol writes it");
  const { id, method, params } = value;
  if (id !== undefined && id !== null && typeof id !== "string" && typeof id !== "number")
    return refused("its id is neither text nor a number");
  if (method === undefined)
    return id === undefined
      ? refused("it names no method, and answers nothing")
      : { type: "answer", id, result: value["result"], isError: "error" in value || !("result" in value) };
  if (typeof method !== "string") return refused("its method is no text");
  const given = isFields(params) ? params : {};
  return id === undefined
    ? { type: "notification", method, params: given }
    : { type: "request", id, method, params: given };
}

/** The keys of the outermost object. @param text the text of JSON that was parsed, so it is well-formed. */
function topKeys(text: string): readonly string[] {
  const keys: string[] = [];
  let depth = 0;
  let isKey = false;
  for (let at = 0; at < text.length; at++) {
    const letter = text[at];
    if (letter === '"') {
      const end = endOfText(text, at);
      if (isKey) keys.push(JSON.parse(text.slice(at, end + 1)) as string);
      isKey = false;
      at = end;
    } else if (letter === "{" || letter === "[") isKey = ++depth === 1;
    else if (letter === "}" || letter === "]") depth--;
    else if (letter === ",") isKey = depth === 1;
  }
  return keys;
}

/** @returns where the text that begins at `from` ends. */
function endOfText(text: string, from: number): number {
  for (let end = text.indexOf('"', from + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let before = end;
    while (text[before - 1] === "\\") before--;
    if ((end - before) % 2 === 0) return end;
  }
  return text.length;
}
