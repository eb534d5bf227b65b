// API report
// The public names of an entry point of the package, each with its signature and the first sentence of its comment.
//
//   Owns:          what is shown of them, and how.
//   Does not own:  what is public (the entry points), reading declarations (declarations).

import ts from "typescript";
import type { Declarations, Declared } from "./declarations.ts";
import { firstSentence } from "./type-schemas.ts";

const NAKED = ts.createPrinter({ removeComments: true });

/** @param door the entry point's file. @param how the report is written. */
export function apiReport(declarations: Declarations, name: string, door: string, how: string): string {
  const names = declarations.exported(door);
  const open = names.flatMap((each) => declarations.find(door, each) ?? []);
  const behind = reached(declarations, open);
  return [
    `# API of \`${name}\``,
    `Written by: ${how}. A change here is a change of what others rely on.`,
    ...open.map(shown),
    "# Types that these name",
    ...behind.map(shown),
    "",
  ].join("\n\n");
}

/** All names that public declarations use; names used inside a class are left out. */
function reached(declarations: Declarations, open: readonly Declared[]): readonly Declared[] {
  const keyOf = ({ file, name }: Declared): string => `${file} ${name}`;
  const seen = new Set(open.map(keyOf));
  const found = [...open];
  for (const each of found) {
    if (ts.isClassDeclaration(each.statement) && !open.includes(each)) continue;
    for (const named of declarations.namedBy(each)) {
      if (seen.has(keyOf(named))) continue;
      seen.add(keyOf(named));
      found.push(named);
    }
  }
  return found.slice(open.length).toSorted((a, b) => (textKey(a) < textKey(b) ? -1 : 1));
}

/** The compiler writes inferred types in the order in which it met them, which depends on other files: sort them. */
function textOf(statement: ts.Statement): string {
  const source = statement.getSourceFile();
  const print = (node: ts.Node): string => NAKED.printNode(ts.EmitHint.Unspecified, node, source);
  const byText = (a: ts.Node, b: ts.Node): number => (print(a) < print(b) ? -1 : 1);
  const { transformed } = ts.transform<ts.Node>(statement, [
    (context) => {
      const visit = (node: ts.Node): ts.Node => {
        const seen = ts.visitEachChild(node, visit, context);
        if (ts.isUnionTypeNode(seen)) return ts.factory.createUnionTypeNode(seen.types.toSorted(byText));
        if (ts.isTypeLiteralNode(seen))
          return ts.factory.createTypeLiteralNode(seen.members.toSorted(byText));
        return seen;
      };
      return visit;
    },
  ]);
  return transformed.map(print).join("");
}

/** By name; of two with one name, by their text. */
const textKey = (declared: Declared): string => `${declared.name} ${codeOf(declared)}`;

function shown(declared: Declared): string {
  const { name, statement } = declared;
  const [doc] = ts.getJSDocCommentsAndTags(statement).filter(ts.isJSDoc);
  const sentence = firstSentence(ts.getTextOfJSDocComment(doc?.comment) ?? "");
  return [`## ${name}`, ...(sentence === "" ? [] : [sentence]), `\`\`\`ts\n${codeOf(declared)}\n\`\`\``].join(
    "\n\n",
  );
}

const codeOf = ({ statement }: Declared): string =>
  textOf(statement)
    .replace(/^(export )?(declare )?/, "")
    .replace(/import\("[^"]*"\)\./g, "")
    .replace(/^ +#private;\n/m, "")
    .replace(/^ +private .*\n/gm, "");
