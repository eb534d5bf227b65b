// JSON text
// Changes a JSON text and leaves every other character unchanged.
//
//   Owns:          where each value is; adding a value at an end, and removing one.
//   Does not own:  choosing the values (settings).
//
// JSON-TEXT-1. Adding a value at an end and removing it again restores the text to the byte: whatever its spacing, with a name
//     twice, and if it was blank.
// JSON-TEXT-2. An added value looks like its neighbours: their line breaks, their indentation.
//
// Removing the last added member leaves an object or list empty. An object or list that was there before the member stays, with
// the blanks that were in it; any other is removed, too. The blanks after the last member record which of the two it is: `kept`
// writes these blanks, `keptIn` reads them (docs/decisions/0060-settings-come-back-to-the-byte.md).

export type JsonValue =
  string | number | boolean | null | readonly JsonValue[] | { readonly [key: string]: JsonValue };

/** A value, and its place in the text. A member begins with its name. */
export interface Place {
  readonly value: JsonValue;
  readonly start: number;
  readonly end: number;
  /** The children of an object or a list, in order; each begins with its name or value. */
  readonly children: readonly (Place & { readonly name?: string; readonly from: number })[];
}

/** @returns the place of the outermost value. @throws SyntaxError for text that is no JSON. */
export function placesIn(text: string): Place {
  JSON.parse(text);
  const reader = { text, at: 0 };
  skip(reader);
  return read(reader);
}

interface Reader {
  readonly text: string;
  at: number;
}

const BLANKS = /[ \t\r\n]*/y;
/** A value that is no container. In valid JSON it ends before one of these characters. */
const SCALAR = /"(?:[^"\\]|\\.)*"|[^\s,\]}]+/y;

function skip(reader: Reader): void {
  BLANKS.lastIndex = reader.at;
  BLANKS.exec(reader.text);
  reader.at = BLANKS.lastIndex;
}

function read(reader: Reader): Place {
  const opening = reader.text[reader.at];
  if (opening === "{" || opening === "[") return readContainer(reader, opening === "{");
  const start = reader.at;
  const value = JSON.parse(scalar(reader)) as JsonValue;
  return { value, start, end: reader.at, children: [] };
}

function scalar(reader: Reader): string {
  SCALAR.lastIndex = reader.at;
  const [found = ""] = SCALAR.exec(reader.text) ?? [];
  reader.at += found.length;
  return found;
}

function readContainer(reader: Reader, isObject: boolean): Place {
  const start = reader.at++;
  const children: (Place & { name?: string; from: number })[] = [];
  skip(reader);
  while (!"}]".includes(reader.text[reader.at] ?? "]")) {
    const from = reader.at;
    const name = isObject ? (JSON.parse(scalar(reader)) as string) : undefined;
    if (isObject) {
      skip(reader);
      reader.at += 1;
      skip(reader);
    }
    children.push({ ...read(reader), from, ...(name !== undefined && { name }) });
    skip(reader);
    if (reader.text[reader.at] === ",") reader.at += 1;
    skip(reader);
  }
  const end = ++reader.at;
  const value = isObject
    ? Object.fromEntries(children.map(({ name = "", value }) => [name, value]))
    : children.map(({ value }) => value);
  return { value, start, end, children };
}

/** The last member of that name, which is the one that counts. */
export const member = ({ children }: Place, name: string): Place | undefined =>
  children.findLast((child) => child.name === name);

/** Adds a value at the end of an object or a list. */
export function append(text: string, container: Place, value: JsonValue, name?: string): string {
  const { start, end, children } = container;
  const last = children.at(-1);
  const isSpread = last ? text.slice(start, last.from).includes("\n") : text.includes("\n") || start === 0;
  const label = name === undefined ? "" : `${JSON.stringify(name)}: `;
  if (!isSpread) {
    const item = `${label}${JSON.stringify(value)}`;
    if (last) return splice(text, last.end, last.end, `, ${item}`);
    return splice(text, start + 1, end - 1, `${item}${kept(text, container, "")}`);
  }
  const line = lineOf(text);
  const unit = unitOf(text);
  const indent = last ? indentAt(text, last.from) : indentAt(text, start) + unit;
  const written = JSON.stringify(value, undefined, unit).replaceAll("\n", line + indent);
  const item = `${line}${indent}${label}${written}`;
  if (last) return splice(text, last.end, last.end, `,${item}`);
  const closing = line + indentAt(text, start);
  return splice(text, start + 1, end - 1, `${item}${kept(text, container, closing)}${closing}`);
}

/** An object or a list, and the index of one of its members. */
export type Step = readonly [container: Place, index: number];

/**
 * Removes the last step's member. An object or a list that is then empty is removed too, if it came in with the member.
 * @param steps the steps from the outermost to the innermost container; each but the first is the member that the previous
 *   step names.
 */
export function remove(text: string, steps: readonly Step[]): string {
  const [container, index] = steps.at(-1) ?? [];
  if (!container || index === undefined) return text;
  const { start, end, children } = container;
  const [before, child, next] = [children[index - 1], children[index], children[index + 1]];
  if (!child) return text;
  if (before) return splice(text, before.end, child.end, "");
  if (next) return splice(text, child.from, next.from, "");
  const outer = steps.slice(0, -1);
  const blanks = keptIn(text, container, child);
  return blanks === undefined && outer.length > 0
    ? remove(text, outer)
    : splice(text, start + 1, end - 1, blanks ?? "");
}

export const splice = (text: string, from: number, to: number, middle: string): string =>
  text.slice(0, from) + middle + text.slice(to);

const WAS_EMPTY = " ";
/** The mark for earlier blanks that equal those before a closing line. */
const AS_CLOSING = "\t";

/** The mark after the first member of an object or list that was empty before: it contains the earlier blanks. */
function kept(text: string, { start, end }: Place, closing: string): string {
  const blanks = text.slice(start + 1, end - 1);
  if (blanks === "" && isWhole(text, start)) return "";
  if (blanks === "") return WAS_EMPTY;
  // Spaces surround the blanks, because a carriage return at their end would merge with the line break that follows.
  return blanks === closing ? AS_CLOSING : ` ${blanks} `;
}

/** @param only the one member. @returns the earlier blanks; undefined if the whole container came in with the member. */
function keptIn(text: string, { start, end }: Place, only: Place["children"][number]): string | undefined {
  const before = text.slice(start + 1, only.from);
  const isSpread = before.includes("\n");
  if (!isSpread && before !== "") return undefined;
  const closing = isSpread ? lineOf(text) + indentAt(text, start) : "";
  const behind = text.slice(only.end, end - 1);
  if (!behind.endsWith(closing)) return undefined;
  const mark = behind.slice(0, behind.length - closing.length);
  if (mark === WAS_EMPTY) return "";
  if (mark === AS_CLOSING) return closing;
  return /^ [^]+ $/.test(mark) ? mark.slice(1, -1) : undefined;
}

/** True for the outermost object. It was always there, so `{}` needs no mark. */
const isWhole = (text: string, start: number): boolean => text.slice(0, start).trim() === "";

const lineOf = (text: string): string => (text.includes("\r\n") ? "\r\n" : "\n");

function indentAt(text: string, at: number): string {
  const line = text.lastIndexOf("\n", at - 1) + 1;
  return /^[ \t]*/.exec(text.slice(line, at))?.[0] ?? "";
}

/** One step of indentation, taken from the first indented line. */
const unitOf = (text: string): string => /\n([ \t]+)\S/.exec(text)?.[1] ?? "  ";
