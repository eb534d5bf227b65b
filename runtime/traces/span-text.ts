// Span text
// Makes foreign text fit for a span: short, in one line, without invisible characters.
//
//   Owns:          the limit.
//   Does not own:  which characters are invisible (text/visible).
//
// SPAN-TEXT-1. A name that a client made up cannot make a span long, break a line or hide anything.

import { oneLine } from "../text/visible.ts";

const WORDS_MAX = 96;

/** The form of nearly all names: such a name needs no change. */
const PLAIN = /^[\x20-\x7e]{1,96}$/;

/** @returns at most 96 characters. */
export const spanText = (text: string): string =>
  PLAIN.test(text) ? text : oneLine(text.slice(0, WORDS_MAX * 2), WORDS_MAX);
