// Words
// Finds the agent's words before a call that say why the call was made.
//
//   Owns:          the order of the sources of words, how sure each source is.
//   Does not own:  finding the call (call).
//
// INTENT-WORDS-1. The sources of words, in their order: the nearest text before the call in the same message; the last text of
//     the agent's previous message, then of earlier ones, from each line to the parent line that it names, and never past a
//     prompt; the text that the client displayed; the call's own description; the user's prompt.
// INTENT-WORDS-2. If the chain of parents is broken, no earlier message is guessed from the order of lines.

import type { Intent } from "../../machines/inputs.ts";
import type { FoundCall, Miss } from "./call.ts";
import type { Entry } from "./entry.ts";
import type { History, Scope } from "./history.ts";

export interface Words {
  readonly intent: Intent;
  /** The line with the words; undefined if the words came from a display hook. */
  readonly entry: Entry | undefined;
}

/** How many entries before the call are searched for the call's words at most. */
const BEFORE_MAX = 1_000;

export async function wordsOf(
  history: History,
  found: FoundCall,
  scope: Scope,
  display: string | undefined,
): Promise<Words | Miss> {
  const walked = await walk(history, found, scope);
  if ("intent" in walked) return walked;
  if (display !== undefined && display.trim() !== "")
    return { intent: { text: display, source: "display", confidence: "likely" }, entry: undefined };
  const { description } = found.call;
  if (description !== undefined)
    return { intent: { text: description, source: "description", confidence: "likely" }, entry: found.entry };
  if (walked.end === "prompt" && walked.entry?.prompt)
    return {
      intent: { text: walked.entry.prompt, source: "prompt", confidence: "weak" },
      entry: walked.entry,
    };
  return nothing(walked.end);
}

interface Walked {
  readonly end: "prompt" | "start" | "missing" | "limit";
  readonly entry?: Entry;
}

async function walk(history: History, found: FoundCall, scope: Scope): Promise<Words | Walked> {
  const own = found.entry.messageId;
  const within = history.entries.indexOf(found.entry) + BEFORE_MAX;
  const visited = new Set<string>();
  let here = found.entry;
  const inOwn = (): Words | undefined => {
    const text = lastText(history, scope, { message: own, before: found, from: here });
    return (
      text && { intent: { text: text.text, source: "message", confidence: "certain" }, entry: text.entry }
    );
  };
  let messagesBefore = 0;
  let message = own;
  for (;;) {
    if (here.parent === undefined || visited.has(here.parent)) return inOwn() ?? { end: "start" };
    visited.add(here.parent);
    const parent = await history.byUuid(here.parent, within);
    if (typeof parent === "string") return inOwn() ?? { end: parent };
    if (!scope(parent)) return inOwn() ?? { end: "missing" };
    here = parent;
    if (here.prompt !== undefined) return inOwn() ?? { end: "prompt", entry: here };
    if (here.speaker !== "agent") continue;
    const isSame = here.messageId !== undefined && here.messageId === message;
    if (!isSame) messagesBefore += 1;
    message = here.messageId;
    if (messagesBefore < 2 && (!isSame || hasText(here))) {
      const words = inOwn();
      if (words) return words;
    }
    const text = messagesBefore > 0 ? lastText(history, scope, { message, from: here }) : undefined;
    if (!text) continue;
    const confidence = messagesBefore === 1 ? "likely" : "weak";
    return { intent: { text: text.text, source: "parent", confidence }, entry: text.entry };
  }
}

const hasText = ({ blocks }: Entry): boolean => blocks.some((block) => "text" in block);

interface Said {
  readonly text: string;
  readonly entry: Entry;
}

/**
 * The last text of a message before a call. @param message the message's id; undefined for a message without an id, which has
 * one line. @param before the call; undefined to search all texts of the message. @param from the first line that is searched.
 */
function lastText(
  history: History,
  scope: Scope,
  {
    message,
    before,
    from,
  }: { readonly message: string | undefined; readonly before?: FoundCall; readonly from: Entry },
): Said | undefined {
  const isOf = (each: Entry): boolean =>
    message === undefined
      ? each === (before?.entry ?? from)
      : each.messageId === message && each.speaker === "agent" && scope(each);
  const lines = history.entries.filter((each) => each.offset >= from.offset && isOf(each));
  const texts = lines.flatMap((line) =>
    line.blocks.flatMap((block, n) =>
      "text" in block && (!before || isBefore(line, n, before)) ? [{ text: block.text, entry: line, n }] : [],
    ),
  );
  return texts.sort((a, b) => inOrder(b.entry, a.entry) || b.n - a.n)[0];
}

const isBefore = (line: Entry, block: number, { entry, block: own }: FoundCall): boolean =>
  line === entry ? block < own : inOrder(line, entry) < 0;

/** Sorts entries by their places in the message; if an entry has no such place, by their places in the file. */
const inOrder = (a: Entry, b: Entry): number =>
  a.index !== undefined && b.index !== undefined && a.index !== b.index
    ? a.index - b.index
    : a.offset - b.offset;

const nothing = (end: Walked["end"]): Miss => {
  if (end === "limit")
    return { code: "TOO_FAR_BACK", reason: `Nothing was said in the ${BEFORE_MAX} entries before the call.` };
  if (end === "missing")
    return { code: "CHAIN_BROKEN", reason: "A line before the call is missing or cannot be read." };
  return { code: "NONE_WRITTEN", reason: "Nobody wrote why the call was made." };
};
