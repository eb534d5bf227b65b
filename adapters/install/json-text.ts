// JSON text
// Changes one value in a JSON text, and leaves every other character unchanged. A blank text becomes an empty object first, and
// is later restored.
//
//   Owns:          finding where each value is; adding a value at the end of an object or list, and removing a value; adding the
//                  empty object to a blank text, and removing the object again.
//   Does not own:  choosing the values (settings).
//
// JSON-TEXT-1. Adding a value at the end and removing it again restores the text to the byte, even if a name occurs twice or the
//     text is blank.
// JSON-TEXT-2. An added value has the same line breaks and indentation as its neighbours.
// JSON-TEXT-3. Every text is restored byte for byte: a blank text, `{}`, and also a text that looks like output of this file.
//
// If the removal of a value leaves an object or list empty, Signalbox removes the object or list, too, if Signalbox had added
// it. An object or list that the user had left empty stays, with its earlier blanks. The blanks after an added value record
// which case it is: `kept` writes these blanks, and `keptIn` reads them
// (docs/decisions/0060-settings-come-back-to-the-byte.md).

export type JsonValue =
  string | number | boolean | null | readonly JsonValue[] | { readonly [key: string]: JsonValue };

/** A value's place in the text. */
export interface Place {
  readonly value: JsonValue;
  readonly start: number;
  readonly end: number;
  /** The children of an object or a list, in order; `from` is where a child's name begins, or its value if it has no name. */
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
/** Matches a value that is neither an object nor a list. In valid JSON it ends before a blank, a comma or a closing bracket. */
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

/** The last member with a name: if a name occurs twice, readers of JSON use the last member. */
export const member = ({ children }: Place, name: string): Place | undefined =>
  children.findLast((child) => child.name === name);

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

/** One step on the way to a value: an object or a list, and the index of one of its members. */
export type Step = readonly [container: Place, index: number];

/**
 * Removes a member.
 * @param steps the way to the member, from the outermost container on: each step names a member, the last the one to remove.
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

const splice = (text: string, from: number, to: number, middle: string): string =>
  text.slice(0, from) + middle + text.slice(to);

const WAS_EMPTY = " ";
/** The mark that says: the container had no members, only the same blanks that now stand before its closing bracket. */
const AS_CLOSING = "\t";

/** The mark after the first member of a container (object or list) that was empty: it records the blanks that were in it. */
function kept(text: string, { start, end }: Place, closing: string): string {
  const blanks = text.slice(start + 1, end - 1);
  if (blanks === "" && isWhole(text, start)) return "";
  if (blanks === "") return WAS_EMPTY;
  // Spaces surround the blanks, because a carriage return at their end would merge with the line break that follows.
  return blanks === closing ? AS_CLOSING : ` ${blanks} `;
}

/**
 * @param only the container's only member.
 * @returns the blanks that were in the container before the member was added; undefined if Signalbox added the container, too.
 */
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

/** True for the outermost object. It stays even if it loses its last member, so no mark must say who made it. */
const isWhole = (text: string, start: number): boolean => text.slice(0, start).trim() === "";

const lineOf = (text: string): string => (text.includes("\r\n") ? "\r\n" : "\n");

function indentAt(text: string, at: number): string {
  const line = text.lastIndexOf("\n", at - 1) + 1;
  return /^[ \t]*/.exec(text.slice(line, at))?.[0] ?? "";
}

/** One step of indentation, taken from the first indented line. */
const unitOf = (text: string): string => /\n([ \t]+)\S/.exec(text)?.[1] ?? "  ";

/**
 * A tab alone between the braces says that Signalbox added the object. If the user's own text is such an object, `opened` adds
 * one more tab, so that `closed` can tell the two apart.
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
 * @returns the text that `opened` was given, with the members that are left.
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
