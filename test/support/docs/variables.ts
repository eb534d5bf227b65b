// Variables
// Which variables of the environment the shipped sources read.
//
//   Owns:          finding them in TypeScript, JavaScript and shell scripts; names that are computed are told apart.
//   Does not own:  what is said of each (docs/reference/configuration.md).

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";

export interface Read {
  readonly file: string;
  /** Undefined where the name is computed: nobody can list it. */
  readonly name: string | undefined;
}

const NAME = /^[A-Z][A-Z0-9_]*$/;
/** What Node's own functions look up. */
const BY_CALL: ReadonlyMap<string, string> = new Map([
  ["homedir", "HOME"],
  ["tmpdir", "TMPDIR"],
]);

/** @param folders from the project's root. */
export function variablesRead(root: string, folders: readonly string[]): readonly Read[] {
  return folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).flatMap((path) => {
      const file = join(folder, path);
      if (/\.(?:ts|tsx|js)$/.test(file)) return readsIn(file, readFileSync(join(root, file), "utf8"));
      return file.endsWith(".sh") ? scriptReads(file, readFileSync(join(root, file), "utf8")) : [];
    }),
  );
}

/** `env["X"]`, `env.X`, `{ X } = env`, `({ X }: NodeJS.ProcessEnv)`, and calls that read one. */
export function readsIn(file: string, text: string): readonly Read[] {
  const reads: Read[] = [];
  const found = (name: string | undefined): void => void reads.push({ file, name });
  const visit = (node: ts.Node): void => {
    if (ts.isElementAccessExpression(node) && isEnv(node.expression))
      found(ts.isStringLiteral(node.argumentExpression) ? node.argumentExpression.text : undefined);
    else if (ts.isPropertyAccessExpression(node) && isEnv(node.expression) && NAME.test(node.name.text))
      found(node.name.text);
    else if (ts.isObjectBindingPattern(node) && isOfEnv(node.parent))
      for (const { dotDotDotToken, propertyName, name } of node.elements)
        if (!dotDotDotToken && NAME.test((propertyName ?? name).getText()))
          found((propertyName ?? name).getText());
    if (ts.isCallExpression(node)) {
      const name = BY_CALL.get(node.expression.getText().replace(/^os\./, ""));
      if (name !== undefined) found(name);
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true));
  return reads;
}

/** What a shell script takes from its environment: a variable that it sets itself is written in small letters. */
export function scriptReads(file: string, text: string): readonly Read[] {
  const code = text.replace(/^\s*#.*$/gm, "");
  return [...code.matchAll(/\$\{?([A-Z][A-Z0-9_]*)/g)].map(([, name]) => ({ file, name }));
}

const isEnv = (node: ts.Expression): boolean => /(?:^|\.)env$/.test(node.getText());

const isOfEnv = (node: ts.BindingElement | ts.VariableDeclaration | ts.ParameterDeclaration): boolean =>
  (node.initializer !== undefined && isEnv(node.initializer)) ||
  (!ts.isBindingElement(node) && node.type?.getText() === "NodeJS.ProcessEnv");

/** Those that stand in the table of docs/reference/configuration.md. */
export function listedVariables(root: string): readonly string[] {
  const rows = readFileSync(join(root, "docs", "reference", "configuration.md"), "utf8").matchAll(
    /^\| (`[A-Z][^|]*)\|/gm,
  );
  return [...rows].flatMap(([, cell = ""]) =>
    [...cell.matchAll(/`([A-Z][A-Z0-9_]*)`/g)].map(([, name = ""]) => name),
  );
}
