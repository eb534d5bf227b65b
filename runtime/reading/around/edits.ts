// Edits
// Reads from the input of a call of Edit, MultiEdit or Write which changes the call makes to a file.
//
//   Owns:          reading the tool input.
//   Does not own:  comparing the texts (panel), finding them in the file (around).

import { type Fields, isFields } from "../../../machines/json.ts";

export interface Edit {
  readonly before: string;
  readonly after: string;
  readonly isEverywhere: boolean;
}

export interface Edits {
  readonly edits: readonly Edit[];
  /** The fields of the input that are not part of an edit. */
  readonly rest: Readonly<Record<string, unknown>>;
}

/** @returns undefined for an input of any other shape: the page then shows its fields. */
export function editsOf(tool: string, input: unknown): Edits | undefined {
  if (!isFields(input)) return undefined;
  if (tool === "Write" && typeof input["content"] === "string") {
    const { content, ...rest } = input;
    return { edits: [{ before: "", after: content, isEverywhere: false }], rest };
  }
  if (tool === "Edit") {
    const edit = editOf(Object.fromEntries(Object.entries(input).filter(([name]) => KNOWN.includes(name))));
    const rest = Object.fromEntries(Object.entries(input).filter(([name]) => !KNOWN.includes(name)));
    return edit && { edits: [edit], rest };
  }
  const { edits, ...rest } = input;
  if (tool !== "MultiEdit" || !Array.isArray(edits)) return undefined;
  const found = edits.map((each: unknown) => (isFields(each) ? editOf(each) : undefined));
  return found.every((each) => each !== undefined) && found.length > 0 ? { edits: found, rest } : undefined;
}

const KNOWN: readonly string[] = ["old_string", "new_string", "replace_all"];

/** One edit; undefined if it has an unknown field, which may change its meaning. */
function editOf(fields: Fields): Edit | undefined {
  const { old_string: before, new_string: after, replace_all: all = false } = fields;
  if (typeof before !== "string" || typeof after !== "string" || typeof all !== "boolean") return undefined;
  if (Object.keys(fields).some((name) => !KNOWN.includes(name))) return undefined;
  return { before, after, isEverywhere: all };
}
