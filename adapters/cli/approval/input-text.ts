// Input text
// Prints a tool's input as JSON, except that a string of several lines is printed line by line.
//
//   Owns:          the layout of a printed input, breaking long lines.
//   Does not own:  showing hidden characters (runtime/text/visible).
//
// INPUT-TEXT-1. The printed text contains the whole input, and no value can pass for another field: each line of a string that
//     has several lines begins with a sign, and so does each continued piece of a long line.

import { oneLine } from "../../../runtime/text/visible.ts";
import { broken } from "../output/width.ts";

const INDENT = "  ";
const TEXT = "│ ";
const MORE = "↪ ";
const COLUMNS_MIN = 24;

/** @param value any JSON value. @param columns the width of a line; Infinity for no limit. */
export function inputLines(value: unknown, columns: number): readonly string[] {
  const room = Math.max(COLUMNS_MIN, columns);
  return linesOf(value, "").flatMap((line) => {
    const [, lead = "", rest = ""] = /^(\s*(?:│ )?)([^]*)$/.exec(oneLine(line)) ?? [];
    const [first = "", ...more] = broken(rest, room - lead.length - MORE.length);
    return [lead + first, ...more.map((piece) => `${/^\s*/.exec(lead)?.[0] ?? ""}${MORE}${piece}`)];
  });
}

function linesOf(value: unknown, indent: string): readonly string[] {
  if (typeof value === "string" && value.includes("\n"))
    return ["", ...value.split("\n").map((line) => `${indent}${INDENT}${TEXT}${line}`)];
  if (typeof value !== "object" || value === null) return [JSON.stringify(value)];
  const isList = Array.isArray(value);
  const fields: readonly (readonly [string, unknown])[] = Object.entries(value);
  const [open, close] = isList ? "[]" : "{}";
  if (fields.length === 0) return [`${open}${close}`];
  const inner = indent + INDENT;
  const lines = fields.flatMap(([name, field], index) => {
    const [first = "", ...rest] = linesOf(field, inner);
    const label = isList ? "" : `${JSON.stringify(name)}:`;
    const own = [`${inner}${[label, first].filter(Boolean).join(" ")}`, ...rest];
    // A text of several lines gets no comma after it: the mark before each of its lines shows where the text ends.
    const isText = rest.at(-1)?.trimStart().startsWith(TEXT) === true;
    if (index < fields.length - 1 && !isText) own.push(`${own.pop() ?? ""},`);
    return own;
  });
  return [open ?? "", ...lines, `${indent}${close}`];
}
