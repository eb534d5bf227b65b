// Claims
// The ids of claims: where each is defined, and where each is used.
//
//   Owns:          finding definitions, and uses in titles, comments and pages; the form of an id.
//   Does not own:  which ids must exist (test/project/claims.test.ts).

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { titlesIn } from "./titles.ts";

const ROOT = join(import.meta.dirname, "..", "..", "..");
const FOLDERS = ["machines", "runtime", "adapters", "bench", "test"];
const IS_TEST = /\.(test|contract)\.ts$/;

export interface Definition {
  readonly id: string;
  /** Where it is defined, from the root. */
  readonly file: string;
  readonly text: string;
}

/** An id at a place that uses it. */
export interface Use {
  readonly id: string;
  readonly file: string;
}

export const read = (file: string): string => readFileSync(join(ROOT, file), "utf8");

const SOURCES = FOLDERS.flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
    .map((path) => `${folder}/${path.replaceAll("\\", "/")}`)
    .filter((path) => /\.tsx?$/.test(path) && !/\/(?:recordings|node_modules)\//.test(path)),
).sort();

const PAGES = [
  ...["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "machines/SPEC.md"],
  ...readdirSync(join(ROOT, "docs"), { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".md"))
    .map((path) => `docs/${path}`),
];

/** An id of a file (`OUTBOX-1`), of machines/SPEC.md (`I-20`, `C4`) or of docs/reference/promises.md (`G4`). */
const ID = /(?<![\w.+/-])(?:[A-Z]+(?:-[A-Z]+)*-\d{1,3}|[A-Z]{1,3}\d{1,2})(?![\w-]|\.\d)/g;
/** Looks like an id, but is a word of the trade, a type of our sources, or one of the four first documents. */
const WORDS = /^(?:SHA-\d+|UTF-\d+|ISO-\d+|RFC-\d+|ADR-32|BASE-?64|S[0-3]|T[01])$/;

const idsIn = (text: string): readonly string[] => (text.match(ID) ?? []).filter((id) => !WORDS.test(id));

/** True if the path of the file ends with the part of the id before its number: `HTTP-SERVER` in adapters/http/server.ts. */
function isOwn(id: string, file: string): boolean {
  const path = file
    .replace(/\.tsx?$/, "")
    .replace(/\/index$/, "")
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]+/g, "-");
  return `-${path}`.endsWith(`-${id.replace(/-\d+$/, "")}`);
}

const CLAIM_LINE = /^\/\/ ([A-Z]+(?:-[A-Z]+)*-\d{1,3}|[A-Z]{1,3}\d{1,2}[a-z]?)\. +(.*)$/;

/** The lines of headers that begin with an id: definitions, and what a file keeps of claims defined elsewhere. */
function headerLines(file: string): readonly Definition[] {
  const lines = read(file).split("\n");
  return lines.flatMap((line, at) => {
    const [, id, first = ""] = CLAIM_LINE.exec(line) ?? [];
    if (id === undefined) return [];
    const end = lines.findIndex((other, n) => n > at && !/^\/\/ {3,}\S/.test(other));
    const rest = lines.slice(at + 1, end).map((other) => other.replace(/^\/\/ +/, ""));
    return [{ id, file, text: [first, ...rest].join(" ") }];
  });
}

const headers = SOURCES.filter((file) => !IS_TEST.test(file)).flatMap(headerLines);

/** The ids that files define in their headers. */
export const ofFiles: readonly Definition[] = headers.filter(({ id, file }) => isOwn(id, file));

/** The rows of a page's tables that begin with ids; a row may define several. */
export const rowsOf = (file: string, id: RegExp): readonly Definition[] =>
  read(file)
    .split("\n")
    .flatMap((line) => {
      const [, first = "", ...cells] = line.split("|").map((cell) => cell.trim());
      const ids = first.split(", ").filter((each) => id.test(each));
      return ids.map((each) => ({ id: each, file, text: cells.join(" | ") }));
    });

/** What every title says it proves: the ids before its first colon, with ranges (`C1–C5`) written out. */
export const claimed: readonly Use[] = SOURCES.filter((file) => IS_TEST.test(file)).flatMap((file) =>
  titlesIn(read(file)).flatMap((title) => claimsOf(title).map((id) => ({ id, file }))),
);

export function claimsOf(title: string): readonly string[] {
  const [before = "", ...behind] = title.split(":");
  if (behind.length === 0) return /^(?:%s)?$/.test(title) ? [] : [title];
  return before.split(", ").flatMap((part) => {
    const [, letter = "", from, to] = /^([A-Z])(\d)–\1(\d)$/.exec(part) ?? [];
    if (from === undefined) return [part];
    return Array.from({ length: Number(to) - Number(from) + 1 }, (_, n) => `${letter}${Number(from) + n}`);
  });
}

/** The sources and pages that name a section (`§ 4` after the word) of a document outside the tree. */
export const namingSections: readonly string[] = [...SOURCES, ...PAGES].filter((file) =>
  /\b(?:design|style),? \u00a7/.test(read(file)),
);

/** Ids in comments, headers included, and in pages. */
export const mentioned: readonly Use[] = [
  ...headers.map(({ id, file }) => ({ id, file })),
  ...SOURCES.flatMap((file) => commentsIn(file).flatMap((text) => idsIn(text).map((id) => ({ id, file })))),
  ...PAGES.flatMap((file) => idsIn(read(file)).map((id) => ({ id, file }))),
];

function commentsIn(file: string): readonly string[] {
  const text = read(file);
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const comments = new Map<number, string>();
  const visit = (node: ts.Node): void => {
    const leading = ts.getLeadingCommentRanges(text, node.getFullStart()) ?? [];
    const trailing = ts.getTrailingCommentRanges(text, node.end) ?? [];
    for (const { pos, end } of [...leading, ...trailing]) comments.set(pos, text.slice(pos, end));
    for (const child of node.getChildren(source)) visit(child);
  };
  visit(source);
  return [...comments.values()];
}
