// Soak files
// Which test files try properties: those that reach fast-check by their imports.
//
//   Owns:          following imports from the test files.
//   Does not own:  which tests of a file are properties: they say so when they are tried (properties/log).

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";

const IMPORT = /\bfrom\s+"([^"]+)"|\bimport\s+"([^"]+)"/g;
const CHECKERS: ReadonlySet<string> = new Set(["fast-check", "@fast-check/vitest"]);

/** Test files under `root` that try properties, by their paths there, in order. */
export function propertyFiles(root: string): readonly string[] {
  const known = new Map<string, boolean>();
  return readdirSync(join(root, "test"), { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".test.ts"))
    .map((path) => join(root, "test", path))
    .filter((path) => triesProperties(path, known))
    .map((path) => relative(root, path))
    .sort();
}

/** @param known what was found of files before; one that is being looked at counts as without, as a circle adds nothing. */
function triesProperties(path: string, known: Map<string, boolean>): boolean {
  const before = known.get(path);
  if (before !== undefined) return before;
  known.set(path, false);
  const found = importsOf(path).some((name) =>
    name.startsWith(".") ? triesProperties(join(dirname(path), name), known) : CHECKERS.has(name),
  );
  known.set(path, found);
  return found;
}

const importsOf = (path: string): readonly string[] =>
  existsSync(path)
    ? [...readFileSync(path, "utf8").matchAll(IMPORT)].map(([, from, bare]) => from ?? bare ?? "")
    : [];
