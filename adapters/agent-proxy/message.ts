// Message
// Parses a line into a message that every JSON reader understands in the same way, or says why the line is no message.
//
//   Owns:          the part of JSON-RPC that is accepted: no batches, no key twice or in another case, no carriage return
//                  within a line.
//   Does not own:  what a method does (each protocol).
//
// PROXY-MESSAGE-1. An accepted message means the same to every JSON reader, even one that splits at a carriage return, takes the
//     first of two equal keys in any of its objects, or ignores the case of the outermost keys.

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

export const paramsIn = (
  message: Message,
  type: "request" | "notification",
  method: string,
): Fields | undefined => (message.type === type && message.method === method ? message.params : undefined);

/** @param line the line with its newline. @returns the message; undefined if the line is empty. */
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
  if (keys === undefined) return refused("a key occurs twice");
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

/**
 * The keys of the outermost object; undefined if any object has a key twice.
 * @param text well-formed JSON: it was parsed before.
 */
function topKeys(text: string): readonly string[] | undefined {
  const top = new Set<string>();
  /** For each object or list that has begun and not ended: the keys of the object so far; undefined for a list. */
  const open: (Set<string> | undefined)[] = [];
  let isKey = false;
  for (let at = 0; at < text.length; at++) {
    const letter = text[at];
    if (letter === '"') {
      const end = endOfText(text, at);
      const keys = isKey ? open.at(-1) : undefined;
      const key = keys && (JSON.parse(text.slice(at, end + 1)) as string);
      if (key !== undefined && keys?.has(key)) return undefined;
      if (key !== undefined) keys?.add(key);
      isKey = false;
      at = end;
    } else if (letter === "{" || letter === "[") {
      open.push(letter === "[" ? undefined : open.length === 0 ? top : new Set());
      isKey = letter === "{";
    } else if (letter === "}" || letter === "]") open.pop();
    else if (letter === ",") isKey = open.at(-1) !== undefined;
  }
  return [...top];
}

/** @returns the place of the quote that ends the text whose first quote is at `from`. */
function endOfText(text: string, from: number): number {
  for (let end = text.indexOf('"', from + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let before = end;
    while (text[before - 1] === "\\") before--;
    if ((end - before) % 2 === 0) return end;
  }
  return text.length;
}
