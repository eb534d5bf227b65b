// Blank text
// A text in which nothing stands yet, as an object that something can be put in.
//
//   Owns:          giving it one, and taking it away again.
//   Does not own:  the text that is put in (json-text).
//
// BLANK-TEXT-1. Every text comes back byte for byte: also an empty one, `{}`, and one that looks like the output of
//     this file.

import { placesIn, splice } from "./json-text.ts";

/** Inside the braces: they are ours. One more stands for an object that looked like that before. */
const MARK = "\t";
const ONLY_MARKS = /^\t+$/;

/** @param text JSON, or blank. @returns it with an object. */
export function opened(text: string): string {
  if (text.trim() === "") return `{${MARK}}${text}`;
  const inside = marksIn(text);
  return inside ? splice(text, inside.from, inside.from, MARK) : text;
}

/** @param text as `opened` gave it, whatever was put in and taken out since. @returns the one from before. */
export function closed(text: string): string {
  const inside = marksIn(text);
  if (!inside) return text;
  const { from, to } = inside;
  const isOurs = to - from === MARK.length;
  return isOurs ? splice(text, from - 1, to + 1, "") : splice(text, from, from + MARK.length, "");
}

/** Where the marks of an object stand that has nothing else in it. */
function marksIn(text: string): { readonly from: number; readonly to: number } | undefined {
  const { start, end, children } = placesIn(text);
  const [from, to] = [start + 1, end - 1];
  return children.length === 0 && ONLY_MARKS.test(text.slice(from, to)) ? { from, to } : undefined;
}
