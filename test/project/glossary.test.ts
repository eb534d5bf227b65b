// Glossary
// The words of docs/reference/glossary.md: each says where the thing lives, and it lives there. Names use no other word for it.

import { readdirSync, readFileSync } from "node:fs";
import { basename, join, relative } from "node:path";
import { describe, expect, test } from "vitest";

const ROOT = join(import.meta.dirname, "..", "..");
const FILES = ["machines", "runtime", "adapters", "docs/examples"].flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" }).map((path) =>
    join(ROOT, folder, path),
  ),
);
const TABLES = readFileSync(join(ROOT, "docs", "reference", "glossary.md"), "utf8")
  .split("\n")
  .filter((line) => /^\| (?!term |not |-)/.test(line))
  .map((line) => line.split("|").map((cell) => cell.trim()));
const ROWS = TABLES.filter((cells) => cells.length === 5);
const UNUSED = TABLES.filter((cells) => cells.length === 4).flatMap(([, words = ""]) => words.split(", "));

/** Whether a file of this name is there and, where a name is given, declares it. */
function livesIn(name: string | undefined, file: string): boolean {
  const declared = new RegExp(
    `\\b(?:interface|type|class|const|function) ${name ?? ""}\\b|^ +(?:readonly |get )?${name ?? ""}\\??[:(]`,
    "m",
  );
  return FILES.filter((path) => basename(path) === file).some(
    (path) => name === undefined || declared.test(readFileSync(path, "utf8")),
  );
}

/** `QuestionName`, `question-name.ts` and `QUESTION_NAME` are all `question name`. */
const wordsOf = (name: string): string =>
  name
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replace(/[^A-Za-z0-9]+/g, " ")
    .toLowerCase();

const misnamed = (names: readonly string[]): readonly string[] =>
  names.filter((name) => UNUSED.some((word) => ` ${wordsOf(name)} `.includes(` ${word} `)));

/** The types a file declares, and whatever else it exports. */
const namesIn = (text: string): readonly string[] =>
  [
    ...text.matchAll(
      /^(?:export )?(?:abstract )?(?:interface|type|class) (\w+)|^export (?:async )?(?:const|function\*?) (\w+)/gm,
    ),
  ].map(([, type, other]) => type ?? other ?? "");

/** Whatever a file declares: constants, parameters and fields, too. */
const declaredIn = (text: string): readonly string[] =>
  [...text.matchAll(/\b(?:const|let|function\*?) (\w+)|[(,{;]\s*(?:readonly )?(\w+)\??: /g)].map(
    ([, named, typed]) => named ?? typed ?? "",
  );
const isQuestion = (name: string): boolean => /\bquestions?\b/.test(wordsOf(name));
/** Its protocol's own word. */
const FOREIGN = "adapters/agent-proxy/codex/asked.ts";

describe("glossary", () => {
  test("Docs: each term is said once, in a sentence", () => {
    const terms = ROWS.flatMap(([, term = ""]) => term.split(", "));
    expect(terms.length).toBeGreaterThan(80);
    expect(new Set(terms).size).toBe(terms.length);
    expect(ROWS.filter(([, , meaning = ""]) => !/^[A-Z].*\.$/.test(meaning))).toEqual([]);
  });

  test("Docs: each term names a type or a file that is there", () => {
    const lost = ROWS.filter(([, , , where = ""]) => {
      const [, name, file = ""] = /^(?:`(\w+)` in )?`([\w-]+\.\w+)`$/.exec(where) ?? [];
      return !livesIn(name, file);
    });
    expect(lost).toEqual([]);
  });

  test("Docs: no file, type or exported name uses a word that stands for something else", () => {
    const sources = FILES.filter((path) => /\.tsx?$/.test(path));
    expect(UNUSED.length).toBeGreaterThan(15);
    expect(misnamed(sources.map((path) => relative(ROOT, path)))).toEqual([]);
    expect(sources.flatMap((path) => misnamed(namesIn(readFileSync(path, "utf8"))))).toEqual([]);
  });

  test("Docs: nothing in the code is called a question: it is an approval, or a query", () => {
    const ours = FILES.filter((path) => /\.tsx?$/.test(path) && !relative(ROOT, path).startsWith("test/"));
    const asking = ours.filter((path) => declaredIn(readFileSync(path, "utf8")).some(isQuestion));
    expect(asking.map((path) => relative(ROOT, path))).toEqual([FOREIGN]);
    expect(declaredIn("f(question: X) { const aQuestion = 1; }").filter(isQuestion)).toEqual([
      "question",
      "aQuestion",
    ]);
  });

  test("Docs: a word that is not used is noticed in a file's name, a type's and a constant's", () => {
    const text = "interface QuestionName {}\nexport const JUNK_MAX = 1;\nexport function* kindred() {}";
    expect(misnamed(namesIn(text))).toEqual(["QuestionName", "JUNK_MAX"]);
    expect(misnamed(["runtime/turn/bury.ts", "runtime/turn/buries.ts"])).toEqual(["runtime/turn/bury.ts"]);
  });

  test("Docs: a name that is not declared in its file is noticed", () => {
    expect(livesIn("Snapshot", "actors.ts")).toBe(true);
    expect(livesIn("Snapshots", "actors.ts")).toBe(false);
    expect(livesIn(undefined, "no-such-file.ts")).toBe(false);
  });
});
