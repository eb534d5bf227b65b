// Blank text
// Makes a JSON object of a settings text that is empty, so that members can be added, and restores the text afterwards.
//
//   Owns:          adding the object, and removing it again.
//   Does not own:  the text that is added (json-text).
//
// BLANK-TEXT-1. Every text is restored byte for byte: also an empty one, `{}`, and one that looks like the output of this file.

import { placesIn, splice } from "./json-text.ts";

/** Between the braces, this marks the object as added here. A second one marks a text that looked like that before. */
const MARK = "\t";
const ONLY_MARKS = /^\t+$/;

/** @param text JSON, or blank. @returns the text with an object. */
export function opened(text: string): string {
  if (text.trim() === "") return `{${MARK}}${text}`;
  const inside = marksIn(text);
  return inside ? splice(text, inside.from, inside.from, MARK) : text;
}

/** @param text the text, as `opened` returned it, whatever was added and removed since. @returns the text before `opened`. */
export function closed(text: string): string {
  const inside = marksIn(text);
  if (!inside) return text;
  const { from, to } = inside;
  const isOurs = to - from === MARK.length;
  return isOurs ? splice(text, from - 1, to + 1, "") : splice(text, from, from + MARK.length, "");
}

/** The marks in an object that has nothing else in it. */
function marksIn(text: string): { readonly from: number; readonly to: number } | undefined {
  const { start, end, children } = placesIn(text);
  const [from, to] = [start + 1, end - 1];
  return children.length === 0 && ONLY_MARKS.test(text.slice(from, to)) ? { from, to } : undefined;
}
