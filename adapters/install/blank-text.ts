// Blank text
// Turns a blank settings text into an empty JSON object, to which members can be added, and later restores the blank text.
//
//   Owns:          adding the empty object to the text, and removing the object again.
//   Does not own:  adding members to a JSON object, and removing them (json-text).
//
// BLANK-TEXT-1. Every text is restored byte for byte: a blank text, `{}`, and also a text that looks like output of this file.

import { placesIn, splice } from "./json-text.ts";

/**
 * This text between the braces of an object says that Signalbox added the object. A text that already had such marks gets one
 * more.
 */
const MARK = "\t";
const ONLY_MARKS = /^\t+$/;

/** @param text JSON, or blank. @returns the text; a blank text gets an empty object. */
export function opened(text: string): string {
  if (text.trim() === "") return `{${MARK}}${text}`;
  const inside = marksIn(text);
  return inside ? splice(text, inside.from, inside.from, MARK) : text;
}

/**
 * @param text what `opened` returned, even if members were added and removed since.
 * @returns the text as `opened` was given it.
 */
export function closed(text: string): string {
  const inside = marksIn(text);
  if (!inside) return text;
  const { from, to } = inside;
  const isOurs = to - from === MARK.length;
  return isOurs ? splice(text, from - 1, to + 1, "") : splice(text, from, from + MARK.length, "");
}

/** The place of the marks in an object that contains nothing else; undefined for any other object. */
function marksIn(text: string): { readonly from: number; readonly to: number } | undefined {
  const { start, end, children } = placesIn(text);
  const [from, to] = [start + 1, end - 1];
  return children.length === 0 && ONLY_MARKS.test(text.slice(from, to)) ? { from, to } : undefined;
}
