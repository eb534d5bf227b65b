// Places
// Draws places at random, to read them as a stranger would: is each understood at first reading, without another file?
//
//   npm run places -- --seed 1 --count 60
//
//   Owns:          finding the places in sources and pages; drawing as many of each kind, by a seed.
//   Does not own:  judging them, which a person does.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import fc from "fast-check";
import ts from "typescript";

const KINDS = ["header", "docstring", "comment", "message", "page"] as const;
interface Place {
  readonly kind: (typeof KINDS)[number];
  readonly at: string;
  readonly text: string;
}

const ROOT = join(import.meta.dirname, "..");
const { values } = parseArgs({
  options: {
    seed: { type: "string", default: "1" },
    count: { type: "string", default: "60" },
    help: { type: "boolean" },
  },
});
if (values.help === true) {
  process.stdout.write("npm run places -- --seed 1 --count 60   draws so many places to read, by a seed\n");
  process.exit(0);
}

const under = (folder: string, wanted: RegExp): readonly string[] =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
    .map((name) => `${folder}/${name}`)
    .filter((name) => wanted.test(name))
    .sort();

/** The matches of a pattern that have more words than `wordsMin`, each with its line. */
const found = (
  kind: Place["kind"],
  path: string,
  text: string,
  each: RegExp,
  wordsMin = 0,
): readonly Place[] =>
  [...text.matchAll(each)].flatMap(({ 0: all, index }) => {
    const said = all
      .replace(/^ *(?:\/\/|\/?\*+\/?)|\*\/$/gm, "")
      .replace(/\s+/g, " ")
      .trim();
    const line = text.slice(0, index).split("\n").length;
    return said.split(" ").length > wordsMin ? [{ kind, at: `${path}:${line}`, text: said }] : [];
  });

/** A paragraph of a header, a part such as `Owns:`, or a claim. */
const HEADER = /^\/\/ .*(?:\n\/\/ (?! {2,}[A-Z][\w ]*: |[A-Z]+[A-Z-]*\d+\. |S\d\.\d).*)*/gm;
const DOCSTRING = /(?<=^ *)\/\*\*[^]*?\*\/(?:\n.*)?/gm;
const COMMENT = /(?<=^ +)\/\/ .*(?:\n *\/\/ .*)*|(?<=\S.*) \/\/ .*/gm;
/** A paragraph's sentence, an item's, or a row of a table. */
const SENTENCE = /^\|(?! ?:?-).*|(?<=^(?:[-*]|\d+\.)? *|[.?!]\)? )(?![|#-])\S[^|]*?[.?!]\)?(?=\s|$)/gm;

function placesOfSource(path: string): readonly Place[] {
  const text = readFileSync(join(ROOT, path), "utf8");
  const header = /^(?:\/\/.*\n)+/.exec(text)?.[0] ?? "";
  const body = header.replace(/[^\n]/g, "") + text.slice(header.length);
  const messages: Place[] = [];
  const visit = (node: ts.Node): void => {
    const said = ts.isStringLiteralLike(node) || ts.isTemplateExpression(node) ? node.getText() : "";
    const line = text.slice(0, node.getStart()).split("\n").length;
    if (/^.[A-Z$`][^<>]*[.?!].$/.test(said) && said.split(" ").length > 3)
      messages.push({ kind: "message", at: `${path}:${line}`, text: said });
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true));
  return [
    ...found("header", path, header, HEADER, 1),
    ...found("docstring", path, body, DOCSTRING),
    ...found("comment", path, body, COMMENT, 6),
    ...messages,
  ];
}

function placesOfPage(path: string): readonly Place[] {
  const whole = readFileSync(join(ROOT, path), "utf8");
  const text = whole.replace(/^```[^]*?^```/gm, (code) => code.replace(/[^\n]/g, ""));
  const lines = text.split("\n");
  return found("page", path, text, SENTENCE, 3).flatMap((place) => {
    const at = Number(place.at.slice(path.length + 1)) - 1;
    if (!place.text.startsWith("|")) return [place];
    // A row is read below its table's head; the head alone says nothing.
    const head = lines.findLastIndex((line, n) => n <= at && !line.startsWith("|")) + 1;
    return head === at ? [] : [{ ...place, text: `${lines[head]?.replace(/\s+/g, " ")}\n  ${place.text}` }];
  });
}

const sources = ["machines", "runtime", "adapters"].flatMap((folder) => under(folder, /(?<!\.d)\.tsx?$/));
const pages = ["README.md", ...under("docs", /^docs\/(?!decisions\/|reference\/api\/).*\.md$/)];
const places = [...sources.flatMap(placesOfSource), ...pages.flatMap(placesOfPage)];
const each = Math.ceil(Number(values.count) / KINDS.length);
for (const kind of KINDS) {
  const among = fc.noBias(fc.constantFrom(...places.filter((place) => place.kind === kind)));
  for (const { at, text } of fc.sample(among, { seed: Number(values.seed), numRuns: each }))
    process.stdout.write(`${at}  [${kind}]\n  ${text}\n\n`);
}
