// Titles
// The titles of all tests, read from their sources.
//
//   Owns:          finding titles; the numbers that a title begins with.
//   Does not own:  what the numbers stand for.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";

const ROOT = join(import.meta.dirname, "..", "..");

/** Titles of the tests in every `*.test.ts` and `*.contract.ts`; of a template, the part before its first value. */
export function testTitles(): readonly string[] {
  return readdirSync(ROOT, { recursive: true, encoding: "utf8" })
    .filter((path) => /\.(test|contract)\.ts$/.test(path))
    .flatMap((path) => titlesIn(readFileSync(join(ROOT, path), "utf8")));
}

/** The titles in one source. */
export function titlesIn(text: string): readonly string[] {
  const titles: string[] = [];
  const visit = (node: ts.Node): void => {
    const title =
      ts.isCallExpression(node) && isTest(node.expression) ? textOf(node.arguments[0]) : undefined;
    if (title !== undefined) titles.push(title);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile("a.test.ts", text, ts.ScriptTarget.Latest, true));
  return titles;
}

/** `test(…)`, `it.each(…)(…)`, `plain.prop(…)(…)`: whatever a test function was imported as. */
function isTest(callee: ts.Expression): boolean {
  if (
    ts.isCallExpression(callee) ||
    ts.isPropertyAccessExpression(callee) ||
    ts.isTaggedTemplateExpression(callee)
  )
    return isTest(ts.isTaggedTemplateExpression(callee) ? callee.tag : callee.expression);
  return ts.isIdentifier(callee) && ["test", "it", "plain", "property"].includes(callee.text);
}

function textOf(title: ts.Expression | undefined): string | undefined {
  if (title && (ts.isStringLiteral(title) || ts.isNoSubstitutionTemplateLiteral(title))) return title.text;
  return title && ts.isTemplateExpression(title) ? title.head.text : undefined;
}

const RANGE = /\b(S\d)\.(\d+)(?:\s*[–-]\s*(?:S\d\.)?(\d+))?/g;

/** The numbers of demands in a text, ranges (`S1.5–S1.8`) written out. */
export function demandsIn(text: string): readonly string[] {
  return [...text.matchAll(RANGE)].flatMap(([, seed = "", first, last = first]) =>
    Array.from({ length: Number(last) - Number(first) + 1 }, (_, n) => `${seed}.${Number(first) + n}`),
  );
}

/** What a title says it proves: the numbers before its first colon. */
export const provenBy = (title: string): readonly string[] =>
  title.includes(":") ? demandsIn(title.slice(0, title.indexOf(":"))) : [];
