// Import rules
// Which files may import which, and which nobody uses any more.
//
//   Owns:          direction, cycles, dead files, dead exports, forms of export, where the browser's types are.
//   Does not own:  what a file says besides (words.ts).

import ts from "typescript";
import type { Module, Tree } from "./tree.ts";

export type Rule = (tree: Tree) => readonly string[];

const LAYERS = ["machines", "runtime", "adapters"] as const;
type Layer = (typeof LAYERS)[number];

const layerOf = (path: string): Layer | undefined => LAYERS.find((layer) => path.startsWith(`${layer}/`));
/** `adapters/lmdb/store.ts` belongs to lmdb; the programs, and what composes them, belong to none: they wire the others. */
const technologyOf = (path: string): string | undefined =>
  /^adapters\/(?!composition\/)([^/]+)\//.exec(path)?.[1];
/** Of a layer; or what the package exports, which other programs import. */
const isDoor = (path: string): boolean =>
  path.endsWith("/index.ts") || /^adapters\/(client|request-tracker)\.ts$/.test(path);
const isConfig = (path: string): boolean => /(^|\/)[\w-]+\.config\.ts$/.test(path);
export const isTest = (path: string): boolean => path.endsWith(".test.ts");

/** machines ← runtime ← adapters; adapters never import one another; only the files that wire them know several. */
export const importDirection: Rule = ({ modules }) =>
  modules.flatMap(({ path, imports }) =>
    imports.flatMap(({ specifier, target, line }) => {
      const wrong = whyWrong(path, specifier, target);
      return wrong === undefined ? [] : [`${path}:${line} imports ${specifier}: ${wrong}`];
    }),
  );

function whyWrong(path: string, specifier: string, target: string | undefined): string | undefined {
  const from = layerOf(path);
  if (from === undefined) return undefined;
  if (target === undefined) {
    if (specifier.startsWith(".")) return "there is no such file";
    return from === "machines" && specifier !== "xstate"
      ? "machines know xstate and nothing else"
      : undefined;
  }
  const to = layerOf(target);
  if (to === undefined) return "the product knows its own three layers only";
  if (LAYERS.indexOf(to) > LAYERS.indexOf(from)) return `${from} do not know ${to}`;
  const [mine, theirs] = [technologyOf(path), technologyOf(target)];
  if (mine === undefined || to !== "adapters" || mine === theirs) return undefined;
  return theirs === undefined ? "an adapter does not know who wires it" : "adapters do not know one another";
}

/** Files that import one another in a ring; type imports count. Merely starting another file does not. */
export const noCycles: Rule = ({ modules }) => {
  const edges = new Map(
    modules.map(({ path, imports }) => [
      path,
      imports.flatMap(({ target, isStarted }) => (target === undefined || isStarted ? [] : [target])),
    ]),
  );
  const done = new Set<string>();
  const rings: string[] = [];
  const visit = (path: string, trail: readonly string[]): void => {
    const at = trail.indexOf(path);
    if (at >= 0) rings.push([...trail.slice(at), path].join(" → "));
    if (at >= 0 || done.has(path)) return;
    for (const next of edges.get(path) ?? []) visit(next, [...trail, path]);
    done.add(path);
  };
  for (const { path } of modules) visit(path, []);
  return rings;
};

/** Files that no entry point or test leads to. Entry points are what package.json names, and config files. */
export const noDeadFiles: Rule = ({ files, modules }) => {
  const named = [...(files.get("package.json") ?? "").matchAll(/[\w./-]+\.[tj]s\b/g)].map(([file]) =>
    file
      .replace(/^\.\//, "")
      .replace(/^(dist|\.bench)\//, "")
      .replace(/\.js$/, ".ts"),
  );
  const byPath = new Map(modules.map((module) => [module.path, module]));
  const alive = new Set<string>();
  const waiting = [...named, ...[...byPath.keys()].filter((path) => isTest(path) || isConfig(path))];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (alive.has(path)) continue;
    alive.add(path);
    waiting.push(...(byPath.get(path)?.imports ?? []).flatMap(({ target }) => target ?? []));
  }
  return [...byPath.keys()].filter((path) => !alive.has(path)).map((path) => `${path} is used by nothing`);
};

/** Exports that no other file uses. A type may be exported because a function of its own file mentions it. */
export const noDeadExports: Rule = ({ modules }) => {
  const taken = new Map<string, Set<string>>();
  for (const { imports } of modules)
    for (const { target, names } of imports) {
      if (target === undefined) continue;
      taken.set(target, new Set([...(taken.get(target) ?? []), ...names]));
    }
  return modules.flatMap((module) => {
    const { path, exports } = module;
    if (isDoor(path) || isConfig(path)) return [];
    const names = taken.get(path) ?? new Set();
    if (names.has("*")) return [];
    return exports
      .filter(({ name, isType }) => !names.has(name) && !(isType && mentions(module, name) > 1))
      .map(({ name, line }) => `${path}:${line} exports ${name}, which nothing imports`);
  });
};

function mentions({ ast }: Module, name: string): number {
  let count = 0;
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node) && node.text === name) count += 1;
    ts.forEachChild(node, visit);
  };
  visit(ast);
  return count;
}

/** Every export has a name, written where it is exported. */
export const namedExports: Rule = ({ modules }) =>
  modules.flatMap(({ path, exports }) =>
    exports.flatMap(({ name, line }) =>
      name === "*"
        ? [`${path}:${line} exports everything: name what it exports`]
        : name === "default" && !isConfig(path)
          ? [`${path}:${line} has a default export: give it a name`]
          : [],
    ),
  );

const PAGE = "adapters/panel/page/";

/**
 * Modules of the page that a test imports and that know Preact, whose types bring the browser's into every other file:
 * there `fetch` then answers with `any`. Such a module is tried in a browser; what is pure in it has a file of its own.
 */
export const browserless: Rule = ({ modules }) => {
  const byPath = new Map(modules.map((module) => [module.path, module]));
  const reached = new Set<string>();
  const outside = modules.filter(({ path }) => !path.startsWith(PAGE));
  const waiting = outside.flatMap(({ path, imports }) => imports.map((one) => ({ ...one, by: path })));
  const wrong: string[] = [];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { target, by, isStarted } = next;
    if (target === undefined || isStarted || !target.startsWith(PAGE) || reached.has(target)) continue;
    reached.add(target);
    const imports = byPath.get(target)?.imports ?? [];
    if (imports.some(({ specifier }) => /^preact(\/|$)/.test(specifier)))
      wrong.push(`${by} leads to ${target}, which knows Preact`);
    waiting.push(...imports.map((one) => ({ ...one, by: target })));
  }
  return wrong;
};
