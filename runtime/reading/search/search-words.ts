// Search words
// What a session, a request or a call can be found by, and the piece of it that shows why it was found.
//
//   Owns:          which parts of a view are words, how much of each.
//   Does not own:  the views (rows/views), finding (search-index).
//
// SEARCH-WORDS-1. A call is found by its id, its tool, the words about it and the values in its input; the names in an
//     input, and its output, are no words. Of each thing the first 1,000 characters count.

import type { CallView, RequestView, SessionView } from "../../rows/views.ts";

const CHARACTERS_MAX = 1_000;
/** An input may be wide and empty. */
const VALUES_MAX = 1_000;
/** What is shown of the words around a hit. */
const AROUND = 160;
const BEFORE = 60;

export const wordsOfSession = ({ id, title, cwd, branch, client, workspace }: SessionView): string =>
  joined([id, title, workspace, branch, client, cwd]);

export const wordsOfRequest = ({ requestId, prompt, error, chatId }: RequestView): string =>
  joined([requestId, chatId, prompt, error]);

export function wordsOfCall(call: CallView): string {
  const { id, tool, intent } = call;
  const input: unknown = "input" in call ? call.input : undefined;
  return joined([id, tool, intent?.text, ...valuesIn(input)]);
}

/** What somebody typed, as words to look for. */
export const wordsIn = (text: string): readonly string[] => [
  ...new Set(text.toLowerCase().split(/\s+/).filter(Boolean)),
];

/**
 * The line of a thing's words that has one of those looked for, or a piece of it around that.
 * @param skipped lines at the beginning that are shown otherwise. @returns the first line where none has one.
 */
export function around(text: string, words: readonly string[], skipped: number): string | undefined {
  const lines = text.split("\n").slice(skipped);
  for (const line of lines) {
    const low = line.toLowerCase();
    const at = Math.min(...words.map((word) => low.indexOf(word)).filter((place) => place >= 0));
    if (at !== Infinity) return piece(line, Math.max(0, at - BEFORE));
  }
  return lines[0] === undefined ? undefined : piece(lines[0], 0);
}

/** Half a character at an edge is dropped. */
function piece(line: string, from: number): string {
  const cut = line.slice(from, from + AROUND).replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, "");
  return `${from > 0 ? "…" : ""}${cut}${line.length > from + AROUND ? "…" : ""}`;
}

/** A text of its own: a piece of a long one would keep all of that in memory. */
function joined(parts: Iterable<unknown>): string {
  const kept: string[] = [];
  let left = CHARACTERS_MAX;
  for (const part of parts) {
    if (typeof part !== "string" && typeof part !== "number" && typeof part !== "boolean") continue;
    const text = String(part).slice(0, left);
    kept.push(text);
    left -= text.length + 1;
    if (left <= 0) break;
  }
  return kept.join("\n");
}

/** The texts, numbers and booleans in a value, in its order, without recursion. */
function* valuesIn(value: unknown): Generator {
  const left = [value];
  for (let looked = 0; left.length > 0 && looked < VALUES_MAX; looked += 1) {
    const next = left.pop();
    if (typeof next !== "object" || next === null) yield next;
    else
      left.push(
        ...Object.values<unknown>({ ...next })
          .slice(0, VALUES_MAX)
          .reverse(),
      );
  }
}
