// Texts
// The texts of content blocks.
//
//   Owns:          reading a call's, a result's and a prompt's content.
//   Does not own:  showing the text.

import { type Fields, isFields } from "../../machines/json.ts";
import { shortened } from "./calls.ts";

/** The texts of a list of content blocks, of a call or a prompt, one below another. */
export function textsOf(blocks: unknown): string {
  if (!Array.isArray(blocks)) return "";
  const texts = blocks.map((block: unknown) => {
    const { type, text, content, uri, url, resource, path } = isFields(block) ? block : {};
    if (typeof text === "string") return text;
    if (isFields(content)) return textsOf([content]);
    const named = uri ?? url ?? (isFields(resource) ? resource["uri"] : undefined) ?? path;
    return typeof named === "string" ? named : `[${typeof type === "string" ? type : "content"}]`;
  });
  return shortened(texts.join("\n"));
}

export function outputOf({ content, rawOutput }: Fields): string {
  const text = textsOf(content);
  return text !== "" || rawOutput === undefined ? text : shortened(JSON.stringify(rawOutput));
}
