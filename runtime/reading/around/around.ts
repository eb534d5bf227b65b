// Around
// Finds the lines of a file around the texts that edits would change.
//
//   Owns:          finding the changed text in the file, which lines are shown, the limits of an answer.
//   Does not own:  reading the file (adapters), whether it may be read (file-lines), the edits (edits).
//
// AROUND-1. Every text shown is in the file, at the line that is named, directly before or after the changed text.
// AROUND-2. An edit whose text is not in the file gets no lines. If its text is there more than once, the edit gets lines only if
//     it changes every place: it gets the lines around the first place.
// AROUND-3. An answer has at most 40 lines and 16,000 bytes of their texts as JSON, and looks for at most 20 edits.
// AROUND-4. Line breaks of both kinds count as the same: clients show their agents only one kind.
// AROUND-5. The time grows with the lengths of the two texts and never with their product, whatever they contain.

import { defined } from "../../../machines/defined.ts";
import type { Edit } from "./edits.ts";

export interface FileLine {
  /** The line's number in the file, from 1. */
  readonly n: number;
  readonly text: string;
  /** True if `text` is only a part of the line: the line also has the changed text, or is too long to be shown. */
  readonly isCut?: true;
}

/** The lines around one edit of a call. */
export interface EditLines {
  /** Which edit of the call, from 0. */
  readonly index: number;
  /** The line of the file in which the changed text begins. */
  readonly at: number;
  /** How often the changed text is in the file. */
  readonly places: number;
  readonly before: readonly FileLine[];
  readonly after: readonly FileLine[];
}

const EDITS_MAX = 20;
/** Lines on each side of a change. */
const SIDE = 5;
const LINE_MAX = 400;
const LIMITS = { lines: 40, bytes: 16_000 };

/**
 * @param text the text of the file. @returns the lines around each edit that is found in it (AROUND-2), in the order of the
 *   call.
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

/** The lines before a position, the nearest first. @param at the number of the line that has the position. */
function linesBefore(text: string, position: number, at: number): readonly FileLine[] {
  const [head = "", ...whole] = text.slice(0, position).split("\n").toReversed();
  const first: readonly FileLine[] = head === "" ? [] : [{ n: at, text: lastOf(head), isCut: true }];
  return [...first, ...whole.slice(0, SIDE).map((line, n) => lineOf(at - 1 - n, line))];
}

/** The lines after a position, the nearest first. @param at as in `linesBefore`. */
function linesAfter(text: string, position: number, at: number): readonly FileLine[] {
  const lines = text.slice(position).split("\n", SIDE + 2);
  // A break at the end of the file begins no further line.
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

/** Cuts a long text, never within a character. */
const firstOf = (text: string): string =>
  text.length > LINE_MAX ? text.slice(0, LINE_MAX).replace(/[\ud800-\udbff]$/, "") : text;
const lastOf = (text: string): string =>
  text.length > LINE_MAX ? text.slice(-LINE_MAX).replace(/^[\udc00-\udfff]/, "") : text;

/** Takes the first lines that fit into the room that is left, and lessens the room by them. */
function within(left: { lines: number; bytes: number }, lines: readonly FileLine[]): readonly FileLine[] {
  const end = lines.findIndex(({ text }) => {
    left.lines -= 1;
    left.bytes -= Buffer.byteLength(JSON.stringify(text));
    return left.lines < 0 || left.bytes < 0;
  });
  return end < 0 ? lines : lines.slice(0, end);
}

interface Occurrences {
  /** Where the first occurrence begins. */
  readonly first: number;
  /** How many occurrences there are, none overlapping another. */
  readonly count: number;
}

/**
 * The built-in search can need 10 s for 1 MiB of equal letters, and the engine does nothing else meanwhile (AROUND-5).
 * @param sought not empty. @returns undefined if it is nowhere.
 */
export function occurrencesOf(sought: string, text: string): Occurrences | undefined {
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

/** For each beginning of a text, the length of its longest shorter beginning that is also its end (Knuth, Morris and Pratt). */
function fallbacksOf(sought: string): Uint32Array {
  const back = new Uint32Array(sought.length + 1);
  for (let at = 1; at < sought.length; at += 1)
    back[at + 1] = grown(sought, back, back[at] ?? 0, sought.charCodeAt(at));
  return back;
}

/** How many characters of the sought text match once one more character is read. */
function grown(sought: string, back: Uint32Array, matched: number, code: number): number {
  let length = matched;
  while (length > 0 && sought.charCodeAt(length) !== code) length = back[length] ?? 0;
  return sought.charCodeAt(length) === code ? length + 1 : 0;
}
