// Texts
// Makes one readable text from the different forms in which the client writes text.
//
//   Owns:          reading content blocks, results that are objects, and texts that were cut before they were stored.
//   Does not own:  shortening the texts.

import { canonicalText } from "../../runtime/canonical.ts";
import { type Fields, named, optionalText, pathOf, wrongShape } from "../../runtime/foreign-fields.ts";

/** @returns the field's text, or its value as JSON; undefined if it is empty. @throws RefusedError if it is nested too deeply. */
export function shownText(fields: Fields, key: string): string | undefined {
  const value = fields.values[key];
  if (value === undefined || value === null || value === "") return undefined;
  if (typeof value === "string") return value;
  return headOf(value) ?? blockTexts(value) ?? named(pathOf(fields, key), () => canonicalText(value));
}

/** The head of a text that was too long to be stored; such a text has the form `{bytes, sha256, head}`. */
function headOf(value: unknown): string | undefined {
  if (typeof value !== "object" || value === null || !("sha256" in value) || !("bytes" in value))
    return undefined;
  return "head" in value && typeof value.head === "string" ? value.head : undefined;
}

function blockTexts(value: unknown): string | undefined {
  if (!Array.isArray(value)) return undefined;
  const texts = value.flatMap((block: unknown) => blockText(block) ?? []);
  return texts.length === 0 ? undefined : texts.join("\n");
}

function blockText(block: unknown): string | undefined {
  if (typeof block !== "object" || block === null || !("type" in block) || block.type !== "text")
    return undefined;
  if (!("text" in block)) return undefined;
  return typeof block.text === "string" ? block.text : headOf(block.text);
}

export function modelText(fields: Fields, key: string): string | undefined {
  const value = fields.values[key];
  return typeof value === "string" ? value : (headOf(value) ?? blockTexts(value));
}

export function textOrHead(fields: Fields, key: string): string | undefined {
  const value = fields.values[key];
  return typeof value === "string" ? value : headOf(value);
}

export function textOfBlock(block: Fields): string | undefined {
  return optionalText(block, "text") ?? headOf(block.values["text"]);
}

/** @throws RefusedError if the field is neither a text nor the head of a cut text. */
export function requiredText(fields: Fields, key: string): string {
  const text = textOrHead(fields, key);
  if (text === undefined) throw wrongShape(pathOf(fields, key), "a text", fields.values[key]);
  return text;
}
