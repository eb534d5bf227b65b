// Texts
// Makes one readable text out of the ways in which the client writes text.
//
//   Owns:          content blocks, results that are objects, texts that were cut before they were kept.
//   Does not own:  the cutting itself.

import { canonicalText } from "../../runtime/canonical.ts";
import { named, optionalText, pathOf, wrongShape } from "../../runtime/foreign-fields.ts";
import type { Fields } from "../../runtime/foreign-fields.ts";

/**
 * @returns a string as it is, the head of one that was cut, the text of content blocks, else the value as JSON;
 *   undefined when there is nothing to show.
 * @throws RefusedError when the value is nested too deeply.
 */
export function shownText(fields: Fields, key: string): string | undefined {
  const value = fields.values[key];
  if (value === undefined || value === null || value === "") return undefined;
  if (typeof value === "string") return value;
  return headOf(value) ?? blockTexts(value) ?? named(pathOf(fields, key), () => canonicalText(value));
}

/** The head of a text too long to be kept, which stands as `{bytes, sha256, head}`. */
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

/** What the client told the model, as text; undefined where it told none. */
export function modelText(fields: Fields, key: string): string | undefined {
  const value = fields.values[key];
  return typeof value === "string" ? value : (headOf(value) ?? blockTexts(value));
}

/** The text under `key`, whole or cut; undefined where it is neither. */
export function textOrHead(fields: Fields, key: string): string | undefined {
  const value = fields.values[key];
  return typeof value === "string" ? value : headOf(value);
}

/** The text of a text block. */
export function textOfBlock(block: Fields): string | undefined {
  return optionalText(block, "text") ?? headOf(block.values["text"]);
}

/** @returns the text, also of one that was cut. @throws RefusedError when the field is neither. */
export function requiredText(fields: Fields, key: string): string {
  const text = textOrHead(fields, key);
  if (text === undefined) throw wrongShape(pathOf(fields, key), "a text", fields.values[key]);
  return text;
}
