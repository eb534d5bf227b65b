// Search words
// The words by which a session, a request or a call is found, and the line of text that is shown with a hit.
//
//   Owns:          which parts of a view are searched, and how much of each part.
//   Does not own:  the views (rows/views), matching (search-index).
//
// SEARCH-WORDS-1. A call is found by its id, its tool, its intent and the values in its input. The names of the input's fields
//     and the output are not searched. Of each session, request or call only the first 1,000 characters are searched.

import type { CallView, RequestView, SessionView } from "../../rows/views.ts";

const CHARACTERS_MAX = 1_000;
/** How many values of one input are read, because an input may have very many empty values. */
const VALUES_MAX = 1_000;
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

/** The words to search for, from the text that a person typed. */
export const wordsIn = (text: string): readonly string[] => [
  ...new Set(text.toLowerCase().split(/\s+/).filter(Boolean)),
];

/**
 * The first line that contains one of the words, shortened around that word; if no line contains one, the text's first line.
 * @param skipped how many lines at the beginning are left out, because they are shown elsewhere.
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

/** Cuts a piece out of a line, without half of a surrogate pair at either end of the piece. */
function piece(line: string, from: number): string {
  const cut = line.slice(from, from + AROUND).replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, "");
  return `${from > 0 ? "…" : ""}${cut}${line.length > from + AROUND ? "…" : ""}`;
}

/** Joins texts. The result is a copy, because a slice of a long text would keep the whole long text in memory. */
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

/** Yields the texts, numbers and booleans in a value, in order, without recursion. */
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
