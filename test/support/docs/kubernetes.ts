// Kubernetes
// Checks manifests against the types that Kubernetes' API has, by TypeScript's own checker.
//
//   Owns:          which type each kind has, asking the checker.
//   Does not own:  the types (kubernetes-types, made from Kubernetes' OpenAPI), what a manifest must say (the tests).

import { join } from "node:path";
import ts from "typescript";
import { textAt } from "../engine/json.ts";

const ROOT = join(import.meta.dirname, "..", "..", "..");
/** The checker reads it as a file of this folder, where it finds the types. */
const FILE = join(import.meta.dirname, "manifests.checked.ts");
const OPTIONS: ts.CompilerOptions = {
  ...{ strict: true, noEmit: true, skipLibCheck: true, types: [] },
  ...{ module: ts.ModuleKind.ESNext, moduleResolution: ts.ModuleResolutionKind.Bundler },
};

/** @param manifests as parsed. @returns what is wrong: fields that the API does not know, values of another type. */
export function manifestErrors(manifests: readonly unknown[]): readonly string[] {
  const text = manifests.map(
    (manifest, n) => `export const m${n}: ${typeOf(manifest)} = ${JSON.stringify(manifest)};\n`,
  );
  const host = ts.createCompilerHost(OPTIONS);
  const getSourceFile = host.getSourceFile.bind(host);
  host.getCurrentDirectory = () => ROOT;
  host.getSourceFile = (path, ...rest) =>
    path === FILE
      ? ts.createSourceFile(path, text.join(""), ts.ScriptTarget.ESNext)
      : getSourceFile(path, ...rest);
  const program = ts.createProgram([FILE], OPTIONS, host);
  return ts
    .getPreEmitDiagnostics(program)
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"));
}

/** The group of an apiVersion is its first name; the core has none. */
function typeOf(manifest: unknown): string {
  const [version = "", group = "core"] = (textAt(manifest, "apiVersion") ?? "").split("/").toReversed();
  return `import("kubernetes-types/${group.split(".")[0]}/${version}").${textAt(manifest, "kind")}`;
}
