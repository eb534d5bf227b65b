// Declarations
// TypeScript's declarations of the tree's files: what each exports, without bodies and private members.
//
//   Owns:          finding a name's declaration, through files that re-export it.
//   Does not own:  which names are wanted, how they are shown (api-report).

import { dirname, join } from "node:path";
import ts from "typescript";

export interface Declared {
  /** Of the source. */
  readonly file: string;
  readonly name: string;
  readonly statement: ts.Statement;
}

const isHere = (specifier: ts.Expression | undefined): specifier is ts.StringLiteral =>
  specifier !== undefined && ts.isStringLiteral(specifier) && specifier.text.startsWith(".");

const targetOf = (file: string, { text }: ts.StringLiteral): string =>
  join(dirname(file), text.replace(/\.js$/, ".ts"));

export class Declarations {
  readonly #program: ts.Program;
  readonly #read = new Map<string, ts.SourceFile>();

  constructor(program: ts.Program) {
    this.#program = program;
  }

  /** What the file exports, in its order. */
  exported(file: string): readonly string[] {
    return this.#of(file).statements.flatMap((statement) => {
      if (
        ts.isExportDeclaration(statement) &&
        statement.exportClause &&
        ts.isNamedExports(statement.exportClause)
      )
        return statement.exportClause.elements.map(({ name }) => name.text);
      return isExported(statement) ? namesIn(statement) : [];
    });
  }

  /** Where a name of the file is declared; undefined for one of a package or of the language. */
  find(file: string, name: string): Declared | undefined {
    for (const statement of this.#of(file).statements) {
      if (namesIn(statement).includes(name)) return { file, name, statement };
      const passed = passedOn(statement, name);
      if (passed) return this.find(targetOf(file, passed.from), passed.name);
    }
    return undefined;
  }

  /** The declarations of the tree that a declaration uses. */
  namedBy({ file, statement }: Declared): readonly Declared[] {
    const found: Declared[] = [];
    const visit = (node: ts.Node): void => {
      const there = ts.isImportTypeNode(node) ? this.#imported(file, node) : undefined;
      const here = ts.isIdentifier(node) ? this.find(file, node.text) : undefined;
      for (const each of [there, here]) if (each && each.statement !== statement) found.push(each);
      ts.forEachChild(node, visit);
    };
    visit(statement);
    return found;
  }

  #imported(file: string, { argument, qualifier }: ts.ImportTypeNode): Declared | undefined {
    const specifier = ts.isLiteralTypeNode(argument) ? argument.literal : undefined;
    if (!qualifier || !ts.isIdentifier(qualifier) || !specifier || !ts.isStringLiteral(specifier))
      return undefined;
    return isHere(specifier) ? this.find(targetOf(file, specifier), qualifier.text) : undefined;
  }

  #of(file: string): ts.SourceFile {
    const before = this.#read.get(file);
    if (before) return before;
    let text = "";
    const source = this.#program.getSourceFile(file);
    if (!source) throw new Error(`${file} is not in the program.`);
    this.#program.emit(source, (_, written) => (text = written), undefined, true);
    const made = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
    this.#read.set(file, made);
    return made;
  }
}

const isExported = (statement: ts.Statement): boolean =>
  ts.canHaveModifiers(statement) &&
  (ts.getModifiers(statement) ?? []).some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);

function namesIn(statement: ts.Statement): readonly string[] {
  if (ts.isVariableStatement(statement))
    return statement.declarationList.declarations.map(({ name }) => name.getText());
  const isNamed =
    ts.isInterfaceDeclaration(statement) ||
    ts.isTypeAliasDeclaration(statement) ||
    ts.isClassDeclaration(statement) ||
    ts.isFunctionDeclaration(statement);
  return isNamed && statement.name ? [statement.name.text] : [];
}

/** The file a statement imports a name from, and the name there. */
function passedOn(
  statement: ts.Statement,
  wanted: string,
): { readonly from: ts.StringLiteral; readonly name: string } | undefined {
  const isImport = ts.isImportDeclaration(statement);
  if (!isImport && !ts.isExportDeclaration(statement)) return undefined;
  const { moduleSpecifier } = statement;
  const clause = isImport ? statement.importClause?.namedBindings : statement.exportClause;
  if (!isHere(moduleSpecifier) || !clause || !("elements" in clause)) return undefined;
  const names: readonly (ts.ImportSpecifier | ts.ExportSpecifier)[] = [...clause.elements];
  const element = names.find(({ name }) => name.text === wanted);
  return element && { from: moduleSpecifier, name: (element.propertyName ?? element.name).text };
}
