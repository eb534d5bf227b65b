// Word rules
// What a file may contain: calls, sizes, comments, leftovers, keys, subjects, names of machines.
//
//   Owns:          everything that is seen in one file alone.
//   Does not own:  imports (imports.ts).

import ts from "typescript";
import { isTest, type Rule } from "./imports.ts";
import { lineOf, type Module, type Tree } from "./tree.ts";

const isProduct = (path: string): boolean => /^(machines|runtime|adapters|bench)\//.test(path);
const isSource = (path: string): boolean => isProduct(path) || path.startsWith("test/support/");

/** Every node that `say` complains about: its place, and the complaint. */
export function complaints(module: Module, say: (node: ts.Node) => string | undefined): readonly string[] {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    const complaint = say(node);
    if (complaint !== undefined) found.push(`${module.path}:${lineOf(module.ast, node)} ${complaint}`);
    ts.forEachChild(node, visit);
  };
  visit(module.ast);
  return found;
}

const inLayer = (tree: Tree, layer: string): readonly Module[] =>
  tree.modules.filter(({ path }) => path.startsWith(`${layer}/`));

const CHANCE = ["Date.now", "Math.random", "performance.now", "crypto.randomUUID", "crypto.getRandomValues"];
const WAITS = ["setTimeout", "setInterval", "setImmediate", "queueMicrotask", "process.nextTick", "fetch"];

/** `Date.now`, `setTimeout`, …: the dotted name a node uses, declared or not. */
function nameUsed(node: ts.Node): string | undefined {
  if (ts.isPropertyAccessExpression(node) && ts.isIdentifier(node.expression))
    return `${node.expression.text}.${node.name.text}`;
  if (!ts.isIdentifier(node) || ts.isPropertyAccessExpression(node.parent)) return undefined;
  return ts.isPropertyAssignment(node.parent) || ts.isPropertySignature(node.parent) ? undefined : node.text;
}

const isNow = (node: ts.Node): boolean =>
  ts.isNewExpression(node) && node.expression.getText() === "Date" && (node.arguments?.length ?? 0) === 0;

/** Time, chance and waiting are inputs of a machine, never its own doing. */
export const pureMachines: Rule = (tree) =>
  inLayer(tree, "machines").flatMap((module) =>
    complaints(module, (node) => {
      const name = nameUsed(node);
      if (isNow(node)) return "reads the clock: time is an input";
      if (name !== undefined && [...CHANCE, ...WAITS, "randomUUID"].includes(name)) return `uses ${name}`;
      if (name?.startsWith("process.")) return `uses ${name}`;
      if (ts.isAwaitExpression(node) || node.kind === ts.SyntaxKind.AsyncKeyword) return "waits";
      return undefined;
    }),
  );

/** The runtime takes time and ids from its ports, and leaves ending the process to whoever started it. */
export const portedRuntime: Rule = (tree) =>
  inLayer(tree, "runtime").flatMap((module) =>
    complaints(module, (node) => {
      const name = nameUsed(node);
      if (isNow(node)) return "reads the clock: ask the Clock port";
      if (name !== undefined && [...CHANCE, "randomUUID"].includes(name)) return `uses ${name}: ask a port`;
      if (name === "process.exit" || name === "process.reallyExit") return `uses ${name}: throw instead`;
      return undefined;
    }),
  );

const OPENING = /^(#!.*\n)?\/\/ \S/;

export const opensWithComment: Rule = ({ modules }) =>
  modules
    .filter(({ path, text }) => isSource(path) && !OPENING.test(text))
    .map(({ path }) => `${path} does not say first what it is`);

const LINES_MAX = 300;
const FUNCTION_LINES_MAX = 70;

export const smallFiles: Rule = ({ modules }) =>
  modules.flatMap(({ path, text }) => {
    const lines = text.split("\n").length - (text.endsWith("\n") ? 1 : 0);
    return lines > LINES_MAX ? [`${path} has ${lines} lines`] : [];
  });

const COMMENT_WIDTH_MAX = 130;
const COMMENT = /^\s*(?:\/\/|\/?\*)/;

/** Code is cut by the formatter; comments are not. */
export const narrowComments: Rule = ({ modules }) =>
  modules.flatMap(({ path, text }) =>
    text
      .split("\n")
      .flatMap((line, n) =>
        line.length > COMMENT_WIDTH_MAX && COMMENT.test(line)
          ? [`${path}:${n + 1} is a comment of ${line.length} characters`]
          : [],
      ),
  );

export const smallFunctions: Rule = ({ modules }) =>
  modules
    .filter(({ path }) => isProduct(path))
    .flatMap((module) =>
      complaints(module, (node) => {
        if (!ts.isFunctionLike(node) || !("body" in node) || !node.body) return undefined;
        const { ast } = module;
        const lines = ast.getLineAndCharacterOfPosition(node.getEnd()).line + 2 - lineOf(ast, node);
        return lines > FUNCTION_LINES_MAX ? `is a function of ${lines} lines` : undefined;
      }),
    );

/** In two halves, so that this file does not find itself. */
const LEFTOVER = new RegExp(`\\b(${["TO" + "DO", "FIX" + "ME"].join("|")})\\b`);

export const noLeftovers: Rule = ({ files }) =>
  [...files].flatMap(([path, text]) =>
    path.startsWith("test/recordings/") || path === "package-lock.json"
      ? []
      : text
          .split("\n")
          .flatMap((line, n) => (LEFTOVER.test(line) ? [`${path}:${n + 1} has something left to do`] : [])),
  );

export const noSkippedTests: Rule = ({ modules }) =>
  modules
    .filter(({ path }) => isTest(path) || path.endsWith(".contract.ts"))
    .flatMap((module) =>
      complaints(module, (node) => {
        const name = ts.isPropertyAccessExpression(node) ? node.name.text : "";
        const on = ts.isPropertyAccessExpression(node) ? /^(it|test|describe)\b/.exec(node.getText()) : null;
        return on && ["skip", "only", "todo", "fails"].includes(name) ? `uses ${node.getText()}` : undefined;
      }),
    );

const beginning = (node: ts.Node): string | undefined => {
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return node.text;
  return ts.isTemplateExpression(node) ? node.head.text : undefined;
};

export const isImported = (node: ts.Node): boolean =>
  ts.isImportDeclaration(node.parent) || ts.isExportDeclaration(node.parent);

const KEYS = "runtime/rows/keys.ts";

/** The words that keys begin with, from keys.ts. */
function layoutOf(tree: Tree): readonly string[] {
  const words = new Set<string>();
  const visit = (node: ts.Node): void => {
    const [, word] = /^([a-z-]+)(?:\/|$)/.exec(beginning(node) ?? "") ?? [];
    if (word !== undefined && !ts.isLiteralTypeNode(node.parent)) words.add(word);
    ts.forEachChild(node, visit);
  };
  tree.modules.filter(({ path }) => path === KEYS).forEach(({ ast }) => visit(ast));
  return [...words];
}

/** A store key begins with one of the first words in keys.ts. */
export const oneKeyBuilder: Rule = (tree) => {
  const layout = layoutOf(tree).map((word) => `${word}/`);
  return [...inLayer(tree, "runtime"), ...inLayer(tree, "adapters")]
    .filter(({ path }) => path !== KEYS)
    .flatMap((module) =>
      complaints(module, (node) => {
        const text = beginning(node);
        const builds =
          text !== undefined && !isImported(node) && layout.some((word) => text.startsWith(word));
        return builds ? `writes a store key ("${text}"): ${KEYS} does` : undefined;
      }),
    );
};

const SUBJECTS = "runtime/rows/subjects.ts";

export const oneSubjectBuilder: Rule = (tree) =>
  [...inLayer(tree, "machines"), ...inLayer(tree, "runtime"), ...inLayer(tree, "adapters")]
    .filter(({ path }) => path !== SUBJECTS)
    .flatMap((module) =>
      complaints(module, (node) =>
        /^signalbox\.v\d/.test(beginning(node) ?? "") ? `writes a subject: ${SUBJECTS} does` : undefined,
      ),
    );

/** A package's origin is the business of the user's registry; a funding address is the package's own. */
export const noHostsInLock: Rule = ({ files }) =>
  (files.get("package-lock.json") ?? "")
    .split("\n")
    .flatMap((line, n) =>
      /"resolved": "(?!file:)|\/\/registry\.|\/\/localhost/.test(line)
        ? [`package-lock.json:${n + 1} names where a package came from`]
        : [],
    );

const NAMED_FILE = /`([\w./-]+\.ts)`/g;

/** A document names only files that exist. */
export const documentsNameFiles: Rule = ({ files }) =>
  [...files]
    .filter(([path]) => path.endsWith(".md") && !path.startsWith("test/recordings/"))
    .flatMap(([path, text]) =>
      text.split("\n").flatMap((line, n) =>
        [...line.matchAll(NAMED_FILE)].flatMap(([, name = ""]) => {
          const isThere = [...files.keys()].some((file) => file === name || file.endsWith(`/${name}`));
          return isThere ? [] : [`${path}:${n + 1} names ${name}, which is not there`];
        }),
      ),
    );

/** The page about the store shows every kind of row. */
export const storeIsDrawn: Rule = (tree) =>
  layoutOf(tree)
    .filter((word) => !new RegExp(`\`${word}[/\`]`).test(tree.files.get("docs/reference/store.md") ?? ""))
    .map((word) => `docs/reference/store.md does not say what ${word} rows are`);

/**
 * Names of the machine it was made on.
 * @param places folders of that machine: the checkout itself, the user's home.
 */
export const noMachinePaths =
  (places: readonly string[]): Rule =>
  ({ files }) => {
    const outside = ["..", "shared"].join("/");
    const patterns = [...places.map((place) => `(?<![\\w./-])${escape(place)}/`), escape(`${outside}/`)];
    const named = new RegExp(patterns.join("|"));
    return [...files].flatMap(([path, text]) =>
      text
        .split("\n")
        .flatMap((line, n) => (named.test(line) ? [`${path}:${n + 1} names a place of one machine`] : [])),
    );
  };

const escape = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");
