// Tree
// The project's files as the rules see them: text for all, imports and exports for TypeScript.
//
//   Owns:          which files count; reading imports and exports with the compiler's own parser.
//   Does not own:  any rule.

import { readdirSync, readFileSync } from "node:fs";
import { join, posix, relative, sep } from "node:path";
import ts from "typescript";

export interface Import {
  /** As it is written. */
  readonly specifier: string;
  /** The file of the tree that it means; undefined for packages and missing files. */
  readonly target: string | undefined;
  /** `*` if everything is imported. */
  readonly names: readonly string[];
  /** Gone once types are erased. */
  readonly isType: boolean;
  /** Named by a string, as a process or a worker to start. */
  readonly isStarted?: true;
  readonly line: number;
}

export interface Export {
  /** `*` for `export *`. */
  readonly name: string;
  readonly isType: boolean;
  readonly line: number;
}

export interface Module {
  readonly path: string;
  readonly text: string;
  readonly ast: ts.SourceFile;
  readonly imports: readonly Import[];
  readonly exports: readonly Export[];
}

export interface Tree {
  /** Every text file by its path from the root, with `/`. */
  readonly files: ReadonlyMap<string, string>;
  /** The TypeScript among them. */
  readonly modules: readonly Module[];
}

const LEFT_OUT = new Set([".git", "node_modules", "dist", ".bench"]);

/** The tree on disk. */
export function readTree(root: string): Tree {
  const files: Record<string, string> = {};
  const walk = (folder: string): void => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      if (LEFT_OUT.has(entry.name)) continue;
      const path = join(folder, entry.name);
      if (entry.isDirectory()) walk(path);
      else if (entry.isFile()) files[relative(root, path).split(sep).join("/")] = readFileSync(path, "utf8");
    }
  };
  walk(root);
  return treeOf(files);
}

/** A tree of the given texts, by path. */
export function treeOf(files: Readonly<Record<string, string>>): Tree {
  const all = new Map(Object.entries(files));
  const modules = [...all]
    .filter(([path]) => /\.tsx?$/.test(path))
    .map(([path, text]) => moduleOf(path, text, all));
  return { files: all, modules };
}

function moduleOf(path: string, text: string, files: ReadonlyMap<string, string>): Module {
  const ast = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const imports: Import[] = [];
  const exports: Export[] = [];
  const resolve = (specifier: string): string | undefined => {
    const target = posix.join(posix.dirname(path), specifier);
    return specifier.startsWith(".") && files.has(target) ? target : undefined;
  };
  const take = (from: ts.Expression, names: readonly string[], isType: boolean): void => {
    if (!ts.isStringLiteral(from)) return;
    imports.push({
      specifier: from.text,
      target: resolve(from.text),
      names,
      isType,
      line: lineOf(ast, from),
    });
  };
  for (const statement of ast.statements) {
    if (ts.isImportDeclaration(statement)) takeImport(statement, take);
    else exports.push(...exportsOf(ast, statement, take));
  }
  const visit = (node: ts.Node): void => {
    const [first] = ts.isCallExpression(node) ? node.arguments : [];
    if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword && first)
      take(first, ["*"], false);
    else if (ts.isStringLiteral(node) && /\.tsx?$/.test(node.text))
      imports.push(...startedBy(ast, node, path, files));
    ts.forEachChild(node, visit);
  };
  ast.statements.filter((statement) => !ts.isImportDeclaration(statement)).forEach(visit);
  return { path, text, ast, imports, exports };
}

type Take = (from: ts.Expression, names: readonly string[], isType: boolean) => void;

function takeImport({ importClause: clause, moduleSpecifier }: ts.ImportDeclaration, take: Take): void {
  if (!clause) return take(moduleSpecifier, [], false);
  const whole = clause.phaseModifier === ts.SyntaxKind.TypeKeyword;
  if (clause.name) take(moduleSpecifier, ["default"], whole);
  const { namedBindings: named } = clause;
  if (!named) return;
  if (ts.isNamespaceImport(named)) return take(moduleSpecifier, ["*"], whole);
  for (const isType of [true, false]) {
    const names = named.elements.filter((one) => (whole || one.isTypeOnly) === isType);
    if (names.length > 0)
      take(
        moduleSpecifier,
        names.map((one) => (one.propertyName ?? one.name).text),
        isType,
      );
  }
}

function exportsOf(ast: ts.SourceFile, statement: ts.Statement, take: Take): readonly Export[] {
  const line = lineOf(ast, statement);
  if (ts.isExportAssignment(statement)) return [{ name: "default", isType: false, line }];
  if (ts.isExportDeclaration(statement)) return reExports(statement, line, take);
  const flags = ts.getCombinedModifierFlags(statement as unknown as ts.Declaration);
  if ((flags & ts.ModifierFlags.Export) === 0) return [];
  if ((flags & ts.ModifierFlags.Default) !== 0) return [{ name: "default", isType: false, line }];
  const isType = ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement);
  const names = ts.isVariableStatement(statement)
    ? statement.declarationList.declarations.map(({ name }) => name)
    : [(statement as ts.FunctionDeclaration).name];
  return names.flatMap((name) => (name && ts.isIdentifier(name) ? [{ name: name.text, isType, line }] : []));
}

function reExports(statement: ts.ExportDeclaration, line: number, take: Take): readonly Export[] {
  const { moduleSpecifier: from, exportClause: clause, isTypeOnly } = statement;
  if (!clause || !ts.isNamedExports(clause)) {
    if (from) take(from, ["*"], isTypeOnly);
    return [{ name: "*", isType: isTypeOnly, line }];
  }
  if (from) {
    const names = clause.elements.map((one) => (one.propertyName ?? one.name).text);
    take(from, names, isTypeOnly || clause.elements.every((one) => one.isTypeOnly));
  }
  return clause.elements.map((one) => ({ name: one.name.text, isType: isTypeOnly || one.isTypeOnly, line }));
}

/** A file another one starts as a process or a worker is named by a string. */
function startedBy(
  ast: ts.SourceFile,
  literal: ts.StringLiteral,
  path: string,
  files: ReadonlyMap<string, string>,
): readonly Import[] {
  const { parent } = literal;
  const names =
    ts.isExportDeclaration(parent) || ts.isPropertyAssignment(parent) || ts.isLiteralTypeNode(parent);
  if (names || (ts.isCallExpression(parent) && parent.expression.kind === ts.SyntaxKind.ImportKeyword))
    return [];
  const beside = posix.join(posix.dirname(path), literal.text);
  const target = [beside, literal.text].find((candidate) => files.has(candidate));
  if (target === undefined || target === path) return [];
  const line = lineOf(ast, literal);
  return [{ specifier: literal.text, target, names: ["*"], isType: true, isStarted: true, line }];
}

export function lineOf(ast: ts.SourceFile, node: ts.Node): number {
  return ast.getLineAndCharacterOfPosition(node.getStart(ast)).line + 1;
}
