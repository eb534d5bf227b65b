// Shrink
// Shortens a raw payload for the journal: a long value is replaced by its size, hash and beginning, unless the engine needs the
// whole value.
//
//   Owns:          which values of a payload are cut, and which are never cut.
//   Does not own:  how a cut value is shown (adapters know its form: `{bytes, sha256, head}`).
//
// SHRINK-1. A tool input is never cut, whatever its length, because a person must see all of it. A large input is lifted (lift).
// SHRINK-2. In all fields other than tool inputs, a text of more than 16 KiB is cut. A tool's result, whose structure only the
//     tool knows, is cut from the innermost values outwards until no part of it is longer than 16 KiB.
// SHRINK-3. Short values of a payload do not change, and keep their place and their key, whatever the key is called.

import { hash } from "node:crypto";
import { MAX_DEPTH } from "../../canonical.ts";
import { tooDeep } from "../../limits.ts";
import { isResult, isToolInput } from "./tool-inputs.ts";

/** A value of at most this many bytes is never shortened. */
export const VALUE_BYTES_MAX = 16 * 1024;
const HEAD_LENGTH = 1024;
/** A hook's output (`answer`, which is JSON in a text) is stored complete if it has at most this many bytes. */
const ANSWER_BYTES_MAX = 512 * 1024;

export interface Cut {
  readonly bytes: number;
  readonly sha256: string;
  readonly head: string;
}

interface Sized {
  readonly value: unknown;
  /** The length of the value as JSON, or a little more. */
  readonly bytes: number;
}

/** @throws RefusedError TOO_DEEP */
export function shrink(payload: unknown): unknown {
  return shrunk(payload, 1, false).value;
}

function shrunk(value: unknown, level: number, inResult: boolean): Sized {
  if (typeof value === "string") return shrunkText(value);
  if (typeof value !== "object" || value === null) return { value, bytes: 24 };
  if (level > MAX_DEPTH) throw tooDeep("data");
  const parts = Object.entries(value).map(([key, item]: [string, unknown]) => {
    if (!inResult && isToolInput(value, key)) return { key, value: item, bytes: 0 };
    if (key === "answer" && "hook" in value) return { key, value: shrunkAnswer(item), bytes: 0 };
    const part = shrunk(item, level + 1, inResult || isResult(value, key));
    return { key, value: part.value, bytes: part.bytes + (Array.isArray(value) ? 1 : key.length + 4) };
  });
  const bytes = parts.reduce((sum, part) => sum + part.bytes, 2);
  if (inResult && bytes > VALUE_BYTES_MAX) return cut(JSON.stringify(value));
  if (Array.isArray(value)) return { value: parts.map((part) => part.value), bytes };
  return { value: Object.fromEntries(parts.map((part) => [part.key, part.value])), bytes };
}

function shrunkText(text: string): Sized {
  const bytes = Buffer.byteLength(text);
  return bytes > VALUE_BYTES_MAX ? cut(text) : { value: text, bytes: bytes + 2 };
}

function cut(text: string): Sized {
  const head = text.slice(0, HEAD_LENGTH);
  const value: Cut = { bytes: Buffer.byteLength(text), sha256: hash("sha256", text, "hex"), head };
  return { value, bytes: HEAD_LENGTH };
}

/**
 * A hook's output without its long values. The engine needs none of them: it never reads an input that another program's hook put
 * in place of the agent's.
 */
function shrunkAnswer(answer: unknown): unknown {
  if (typeof answer !== "string") return shrink(answer);
  if (Buffer.byteLength(answer) <= ANSWER_BYTES_MAX) return answer;
  try {
    return JSON.stringify(shrink(JSON.parse(answer)));
  } catch {
    // Nobody reads the fields of a text that is not JSON or is nested too deeply, so the text may be cut.
    return JSON.stringify(cut(answer).value);
  }
}
