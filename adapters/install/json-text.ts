// JSON text
// Changes to a JSON text that leave every other character of it as it was.
//
//   Owns:          where each value stands; putting one in at an end, and taking one out.
//   Does not own:  which values (settings).
//
// JSON-TEXT-1. What was put in at an end and is taken out again leaves the text as it was before.
// JSON-TEXT-2. What is put in looks like its neighbours: their line breaks, their indentation.

export type JsonValue =
  string | number | boolean | null | readonly JsonValue[] | { readonly [key: string]: JsonValue };

/** A value, and where it stands. A member begins where its name does. */
export interface Place {
  readonly value: JsonValue;
  readonly start: number;
  readonly end: number;
  /** Of an object or a list, in order; each begins with its name or value. */
  readonly children: readonly (Place & { readonly name?: string; readonly from: number })[];
}

/** @returns the whole of it. @throws SyntaxError for text that is no JSON. */
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

const BLANK = /[ \t\r\n]*/y;
/** The text is JSON: what is no container ends before one of these. */
const SCALAR = /"(?:[^"\\]|\\.)*"|[^\s,\]}]+/y;

function skip(reader: Reader): void {
  BLANK.lastIndex = reader.at;
  BLANK.exec(reader.text);
  reader.at = BLANK.lastIndex;
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

/** The last member of that name: the one that counts. */
export const member = ({ children }: Place, name: string): Place | undefined =>
  children.findLast((child) => child.name === name);

/** Puts a value in at the end of an object or a list. */
export function append(text: string, container: Place, value: JsonValue, name?: string): string {
  const { start, end, children } = container;
  const line = text.includes("\r\n") ? "\r\n" : "\n";
  const last = children.at(-1);
  const isSpread = last ? text.slice(start, last.from).includes("\n") : text.includes("\n") || start === 0;
  if (!isSpread) {
    const item = `${name === undefined ? "" : `${JSON.stringify(name)}: `}${JSON.stringify(value)}`;
    return last ? splice(text, last.end, last.end, `, ${item}`) : splice(text, start + 1, end - 1, item);
  }
  const unit = unitOf(text);
  const indent = last ? indentAt(text, last.from) : indentAt(text, start) + unit;
  const written = JSON.stringify(value, undefined, unit).replaceAll("\n", line + indent);
  const item = `${line}${indent}${name === undefined ? "" : `${JSON.stringify(name)}: `}${written}`;
  if (last) return splice(text, last.end, last.end, `,${item}`);
  return splice(text, start + 1, end - 1, `${item}${line}${indentAt(text, start)}`);
}

/** Takes out the child at `index` of an object or a list. */
export function remove(text: string, { start, end, children }: Place, index: number): string {
  const [before, child, next] = [children[index - 1], children[index], children[index + 1]];
  if (!child) return text;
  if (before) return splice(text, before.end, child.end, "");
  return next ? splice(text, child.from, next.from, "") : splice(text, start + 1, end - 1, "");
}

const splice = (text: string, from: number, to: number, middle: string): string =>
  text.slice(0, from) + middle + text.slice(to);

/** The blanks at the beginning of the line. */
function indentAt(text: string, at: number): string {
  const line = text.lastIndexOf("\n", at - 1) + 1;
  return /^[ \t]*/.exec(text.slice(line, at))?.[0] ?? "";
}

/** One step of indentation: that of the first line that has any. */
const unitOf = (text: string): string => /\n([ \t]+)\S/.exec(text)?.[1] ?? "  ";
