// Edits
// Reads from the input of a call of Edit, MultiEdit or Write which changes the call makes to a file.
//
//   Owns:          reading edits from the tool inputs of Edit, MultiEdit and Write.
//   Does not own:  comparing the old and the new text (panel), finding the old text in the file (around).

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

/**
 * The edits in the input of a tool that changes a file.
 * @returns undefined for an input of any other shape: the page then shows the input's fields.
 */
export function editsOf(tool: string, input: unknown): Edits | undefined {
  if (!isFields(input)) return undefined;
  if (tool === "Write" && typeof input["content"] === "string") {
    const { content, ...rest } = input;
    return { edits: [{ before: "", after: content, isEverywhere: false }], rest };
  }
  if (tool === "Edit") {
    const { old_string: _before, new_string: _after, replace_all: _all, ...rest } = input;
    const edit = editOf(input);
    return edit && { edits: [edit], rest };
  }
  const { edits, ...rest } = input;
  if (tool !== "MultiEdit" || !Array.isArray(edits)) return undefined;
  // An unknown field may change what an edit does. So if one edit has such a field, no edits are returned for the whole call,
  // and people are shown the fields of its input instead.
  const found = edits.map((each: unknown) => (isFields(each) && isKnown(each) ? editOf(each) : undefined));
  return found.every((each) => each !== undefined) && found.length > 0 ? { edits: found, rest } : undefined;
}

const KNOWN: readonly string[] = ["old_string", "new_string", "replace_all"];

const isKnown = (fields: Fields): boolean => Object.keys(fields).every((name) => KNOWN.includes(name));

function editOf({
  old_string: before,
  new_string: after,
  replace_all: all = false,
}: Fields): Edit | undefined {
  if (typeof before !== "string" || typeof after !== "string" || typeof all !== "boolean") return undefined;
  return { before, after, isEverywhere: all };
}
