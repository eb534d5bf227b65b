// YAML text
// Parses a YAML file that a user has written, and finds the line of each fault.
//
//   Owns:          parsing YAML, finding the line of a value in a YAML file.
//   Does not own:  what the file may contain (rules/file-form, settings/file).
//
// YAML-TEXT-1. The message about a fault in a YAML file names the file and the line. A repeated key is refused, and so is a
//     YAML alias.

import { type Document, isMap, isNode, isSeq, LineCounter, parseDocument } from "yaml";
import { Failure, reasonOf } from "./failures/failure.ts";

export interface Yaml {
  readonly value: unknown;
  /** `name:line` of the value at a path, or of the nearest value above it. */
  readonly placeOf: (path: readonly PropertyKey[]) => string;
  readonly fault: (path: readonly PropertyKey[], what: string) => Failure;
}

/**
 * @param name the file's name, for messages. @param next what the user can do about a fault. @throws Failure if it is not YAML.
 */
export function readYaml(text: string, name: string, next: string, exitCode: 1 | 2 = 1): Yaml {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, uniqueKeys: true });
  const failure = (place: string, what: string): Failure => new Failure(`${place}: ${what}`, next, exitCode);
  const placeOf = (path: readonly PropertyKey[]): string => `${name}:${lineOf(document, lines, path)}`;
  const fault = (path: readonly PropertyKey[], what: string): Failure => failure(placeOf(path), what);
  const [broken] = document.errors;
  if (broken) throw failure(`${name}:${lines.linePos(broken.pos[0]).line}`, wordsOf(broken));
  return { value: valueOf(document, (what) => failure(`${name}:1`, what)), placeOf, fault };
}

/** The parser's message without its line number, because the failure's text already names the line. */
function wordsOf({ code, message }: { readonly code: string; readonly message: string }): string {
  if (code === "MULTIPLE_DOCS") return "The file holds several YAML documents: write only one.";
  return (message.split("\n")[0] ?? "").replace(/ at line \d+, column \d+:?$/, "");
}

/** Refuses YAML aliases, because a short text that repeats an alias can stand for a huge value. */
function valueOf(document: Document, fault: (what: string) => Failure): unknown {
  try {
    return document.toJS({ maxAliasCount: 0 });
  } catch (error) {
    throw fault(`${reasonOf(error).reason}: write it out`);
  }
}

function lineOf(document: Document, lines: LineCounter, path: readonly PropertyKey[]): number {
  for (let length = path.length; length > 0; length -= 1) {
    const node = nodeAt(document, path.slice(0, length));
    if (node !== undefined) return lines.linePos(node).line;
  }
  return 1;
}

/** Where the value at a path begins; for a field, where its name begins. */
function nodeAt(document: Document, path: readonly PropertyKey[]): number | undefined {
  const parent: unknown = path.length === 1 ? document.contents : document.getIn(path.slice(0, -1), true);
  const last = path.at(-1);
  const found: unknown = isMap(parent)
    ? parent.items.find(({ key }) => isNode(key) && key.toJSON() === last)?.key
    : isSeq(parent)
      ? parent.items[Number(last)]
      : undefined;
  return isNode(found) ? found.range?.[0] : undefined;
}
