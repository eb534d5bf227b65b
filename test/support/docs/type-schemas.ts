// Type schemas
// JSON Schemas of TypeScript types as they are after JSON: undefined fields are left out.
//
//   Owns:          the schema of each kind of type; the program that the compiler reads.
//   Does not own:  which types (answers), where the schemas go (openapi).

import { join } from "node:path";
import ts from "typescript";

export type Schema = Readonly<Record<string, unknown>>;

const ROOT = join(import.meta.dirname, "..", "..", "..");
const DEEPEST = 16;

/** The compiler's view of a file and of all it imports. */
export function programOf(...files: readonly string[]): ts.Program {
  const { config } = ts.readConfigFile(join(ROOT, "tsconfig.json"), (path) => ts.sys.readFile(path)) as {
    readonly config: { readonly compilerOptions: object };
  };
  const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, ROOT);
  return ts.createProgram(files, { ...options, noEmit: false, declaration: true, emitDeclarationOnly: true });
}

/** The type that the file itself gives this name. */
export function typeIn(program: ts.Program, file: string, name: string): ts.Type {
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(file);
  const statement = source?.statements.find(
    (each): each is ts.InterfaceDeclaration | ts.TypeAliasDeclaration =>
      (ts.isInterfaceDeclaration(each) || ts.isTypeAliasDeclaration(each)) && each.name.text === name,
  );
  if (!statement) throw new Error(`${file} has no type ${name}.`);
  return checker.getTypeAtLocation(statement.name);
}

/** The first sentence of a comment. */
export function firstSentence(comment: string): string {
  const text = comment.replace(/\s+/g, " ").trim();
  return /^.*?[.:](?= [A-Z]|$)/.exec(text)?.[0] ?? text;
}

/** Makes schemas; a named type becomes a reference. */
export class TypeSchemas {
  readonly #checker: ts.TypeChecker;
  readonly #names = new Map<ts.Type, string>();

  constructor(program: ts.Program) {
    this.#checker = program.getTypeChecker();
  }

  /** The fields of a type by name; from now on each is a reference. */
  name(owner: ts.Type): ReadonlyMap<string, ts.Type> {
    const fields = new Map(
      owner.getProperties().map((field) => [field.name, this.#checker.getTypeOfSymbol(field)]),
    );
    for (const [name, type] of fields) if (!this.#names.has(type)) this.#names.set(type, name);
    return fields;
  }

  /** The schema of a type itself, not a reference to it. */
  whole(type: ts.Type): Schema {
    return this.#made(type, 0);
  }

  #schema(type: ts.Type, depth: number): Schema {
    const name = this.#names.get(type);
    if (name !== undefined) return { $ref: `#/components/schemas/${name}` };
    if (depth > DEEPEST) throw new Error(`${this.#checker.typeToString(type)} is too deep.`);
    return this.#made(type, depth);
  }

  #made(type: ts.Type, depth: number): Schema {
    const { flags } = type;
    if (flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown)) return {};
    if (flags & ts.TypeFlags.Never) return { not: {} };
    if (type.isUnion()) return this.#union(type.types, depth);
    if (flags & ts.TypeFlags.Null) return { type: "null" };
    if (type.isStringLiteral() || type.isNumberLiteral()) return { const: type.value };
    if (flags & ts.TypeFlags.BooleanLiteral) return { const: this.#checker.typeToString(type) === "true" };
    if (this.#is(type, ts.TypeFlags.StringLike)) return { type: "string" };
    if (this.#is(type, ts.TypeFlags.NumberLike)) return { type: "number" };
    if (flags & ts.TypeFlags.BooleanLike) return { type: "boolean" };
    return this.#object(type, depth);
  }

  /** A branded text is a text. */
  #is(type: ts.Type, kind: ts.TypeFlags): boolean {
    return type.isIntersection()
      ? type.types.some((each) => this.#is(each, kind))
      : Boolean(type.flags & kind);
  }

  #union(types: readonly ts.Type[], depth: number): Schema {
    const there = types.filter(({ flags }) => !(flags & ts.TypeFlags.Undefined));
    const schemas = there.map((each) => this.#schema(each, depth + 1));
    const constants = schemas.flatMap((schema) => ("const" in schema ? [schema["const"]] : []));
    const others = schemas.filter((schema) => !("const" in schema));
    const isBoolean = constants.includes(true) && constants.includes(false);
    const values = isBoolean ? constants.filter((value) => typeof value !== "boolean") : constants;
    const all: readonly Schema[] = [
      ...(isBoolean ? [{ type: "boolean" }] : []),
      ...(values.length === 1
        ? [{ const: values[0] }]
        : values.length > 1
          ? [{ enum: values.toSorted() }]
          : []),
      ...others,
    ];
    const [only] = all;
    const byText = new Map(all.map((each) => [JSON.stringify(each), each]));
    const different = [...byText].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, each]) => each);
    return different.length === 1 && only ? only : { anyOf: different };
  }

  #object(type: ts.Type, depth: number): Schema {
    const checker = this.#checker;
    if (checker.isArrayType(type) || checker.isTupleType(type)) {
      const items = checker.getTypeArguments(type as ts.TypeReference);
      return { type: "array", items: this.#union(items, depth + 1) };
    }
    const rest = type.getStringIndexType();
    // The order of inferred types depends on which files the compiler read before.
    const fields = checker.getPropertiesOfType(type).toSorted((a, b) => (a.name < b.name ? -1 : 1));
    const properties = fields.map((field) => [field.name, this.#field(field, depth)] as const);
    const required = fields.filter((field) => this.#isRequired(field)).map(({ name }) => name);
    return {
      type: "object",
      ...(required.length > 0 && { required }),
      ...(properties.length > 0 && { properties: Object.fromEntries(properties) }),
      ...(rest && { additionalProperties: this.#schema(rest, depth + 1) }),
    };
  }

  #field(field: ts.Symbol, depth: number): Schema {
    const schema = this.#schema(this.#checker.getTypeOfSymbol(field), depth + 1);
    const comment = field.getDocumentationComment(this.#checker);
    const description = firstSentence(ts.displayPartsToString(comment));
    return description === "" || "$ref" in schema ? schema : { description, ...schema };
  }

  #isRequired(field: ts.Symbol): boolean {
    if (field.flags & ts.SymbolFlags.Optional) return false;
    const type = this.#checker.getTypeOfSymbol(field);
    return !type.isUnion() || !type.types.some(({ flags }) => flags & ts.TypeFlags.Undefined);
  }
}
