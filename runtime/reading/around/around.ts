// Around
// Finds the lines of a file that stand around the texts that an edit would change.
//
//   Owns:          finding the changed text in the file, which lines are shown, the limits of an answer.
//   Does not own:  reading the file (adapters), whether the file may be read (file-lines), which edits a call makes (edits).
//
// AROUND-1. Every line that is shown is in the file, has the line number that is shown, and stands directly before or after the
//     changed text.
// AROUND-2. For an edit whose old text is not in the file, no lines are shown. If the text is in the file more than once, lines
//     are shown only if the edit changes every occurrence: those around the first occurrence.
// AROUND-3. An answer contains at most 40 lines, and at most 16,000 bytes of their texts as JSON. At most 20 edits are looked up
//     for one answer.
// AROUND-4. The line breaks LF and CR LF count as equal, because a client may show its agent LF where the file has CR LF, and
//     the edit's old text then has LF, too.
// AROUND-5. The time to find a text in a file grows with the sum of their lengths, and never with the product, whatever the text
//     and the file contain.

import { defined } from "../../../machines/defined.ts";
import type { Edit } from "./edits.ts";

export interface FileLine {
  /** The line's number in the file, from 1. */
  readonly n: number;
  readonly text: string;
  /** True if `text` is only a part of the line, because the line also contains changed text, or is too long to be shown. */
  readonly isCut?: true;
}

export interface EditLines {
  /** The number of the edit within its call, from 0. */
  readonly index: number;
  /** The line of the file in which the changed text begins. */
  readonly at: number;
  /** How often the file contains the text that the edit changes. */
  readonly places: number;
  readonly before: readonly FileLine[];
  readonly after: readonly FileLine[];
}

const EDITS_MAX = 20;
/** How many lines are shown on each side of a change. */
const SIDE = 5;
const LINE_MAX = 400;
const LIMITS = { lines: 40, bytes: 16_000 };

/**
 * @param text the text of the file.
 * @returns the lines around each edit whose text is found (AROUND-2), in the order in which the call has the edits.
 */
export function linesAround(text: string, edits: readonly Edit[]): readonly EditLines[] {
  const file = unified(text);
  const left = { ...LIMITS };
  return edits.slice(0, EDITS_MAX).flatMap(({ before, isEverywhere }, index) => {
    const sought = unified(before);
    const found = sought === "" ? undefined : occurrencesOf(sought, file);
    if (!found || (found.count > 1 && !isEverywhere)) return [];
    const end = found.first + sought.length;
    const at = breaksIn(file.slice(0, found.first)) + 1;
    const lines = {
      before: within(left, linesBefore(file, found.first, at)).toReversed(),
      after: within(left, linesAfter(file, end, at + breaksIn(sought))),
    };
    return [{ index, at, places: found.count, ...lines }];
  });
}

const unified = (text: string): string => text.replaceAll("\r\n", "\n");

const breaksIn = (text: string): number => text.split("\n").length - 1;

/** The lines before a position, the nearest first. @param at the number of the line that contains the position. */
function linesBefore(text: string, position: number, at: number): readonly FileLine[] {
  const [head = "", ...whole] = text.slice(0, position).split("\n").toReversed();
  const first: readonly FileLine[] = head === "" ? [] : [{ n: at, text: lastOf(head), isCut: true }];
  return [...first, ...whole.slice(0, SIDE).map((line, n) => lineOf(at - 1 - n, line))];
}

/** The lines after a position, the nearest first. @param at as in `linesBefore`. */
function linesAfter(text: string, position: number, at: number): readonly FileLine[] {
  const lines = text.slice(position).split("\n", SIDE + 2);
  // A line break at the end of the file begins no further line.
  if (lines.length < SIDE + 2 && lines.at(-1) === "") lines.pop();
  const shown = lines.map((line, n) => lineOf(at + n, line));
  if (text[position - 1] === "\n") return shown.slice(0, SIDE);
  const [tail, ...whole] = shown;
  const first: readonly FileLine[] = !tail || tail.text === "" ? [] : [{ ...tail, isCut: true }];
  return [...first, ...whole.slice(0, SIDE)];
}

const lineOf = (n: number, text: string): FileLine => ({
  n,
  text: firstOf(text),
  ...defined({ isCut: text.length > LINE_MAX ? (true as const) : undefined }),
});

/** The beginning of a long text, never cut within a character. */
const firstOf = (text: string): string =>
  text.length > LINE_MAX ? text.slice(0, LINE_MAX).replace(/[\ud800-\udbff]$/, "") : text;
const lastOf = (text: string): string =>
  text.length > LINE_MAX ? text.slice(-LINE_MAX).replace(/^[\udc00-\udfff]/, "") : text;

/** Takes the first lines that fit into the remaining room, and reduces `left` by the lines taken. */
function within(left: { lines: number; bytes: number }, lines: readonly FileLine[]): readonly FileLine[] {
  const end = lines.findIndex(({ text }) => {
    left.lines -= 1;
    left.bytes -= Buffer.byteLength(JSON.stringify(text));
    return left.lines < 0 || left.bytes < 0;
  });
  return end < 0 ? lines : lines.slice(0, end);
}

/**
 * Searches a text in linear time: the built-in search can need 10 s for 1 MiB of equal letters, during which the engine does
 * nothing else (AROUND-5).
 * @param sought not empty.
 * @returns where `sought` first begins, and how often it is there without overlapping itself; undefined if it is nowhere.
 */
export function occurrencesOf(
  sought: string,
  text: string,
): { readonly first: number; readonly count: number } | undefined {
  const back = fallbacksOf(sought);
  let [first, count, matched] = [0, 0, 0];
  for (let at = 0; at < text.length; at += 1) {
    matched = grown(sought, back, matched, text.charCodeAt(at));
    if (matched < sought.length) continue;
    if (count === 0) first = at + 1 - sought.length;
    count += 1;
    matched = 0;
  }
  return count === 0 ? undefined : { first, count };
}

/**
 * The table of Knuth, Morris and Pratt: for each prefix of a text, the length of the longest shorter prefix with which this
 * prefix also ends.
 */
function fallbacksOf(sought: string): Uint32Array {
  const back = new Uint32Array(sought.length + 1);
  for (let at = 1; at < sought.length; at += 1)
    back[at + 1] = grown(sought, back, back[at] ?? 0, sought.charCodeAt(at));
  return back;
}

/**
 * Reads one more character of the file.
 * @param matched how many characters of the sought text, from its start, matched before.
 * @param code the character.
 * @returns how many match now.
 */
function grown(sought: string, back: Uint32Array, matched: number, code: number): number {
  let length = matched;
  while (length > 0 && sought.charCodeAt(length) !== code) length = back[length] ?? 0;
  return sought.charCodeAt(length) === code ? length + 1 : 0;
}
