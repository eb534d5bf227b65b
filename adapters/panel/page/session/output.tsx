// Output
// The output of a call: JSON as a tree, anything else as text.
//
//   Owns:          recognising JSON, switching between the two forms.
//   Does not own:  the two forms (parts/json, parts/text).

import { useState } from "preact/hooks";
import { jsonIn } from "../../../../machines/json.ts";
import { Json } from "../parts/json.tsx";
import { Tree } from "../parts/tree.tsx";

/** A text longer than this is shown as text, in pieces. */
const JSON_MAX = 500_000;

export function Output({ value }: { readonly value: unknown }) {
  const found = treeIn(value);
  const [isText, showText] = useState(false);
  if (!found) return <Json value={value} />;
  return (
    <div class="output">
      {isText && typeof value === "string" ? <Json value={value} /> : <Tree value={found} />}
      {typeof value === "string" && (
        <button type="button" class="plain" aria-pressed={isText} onClick={() => showText(!isText)}>
          As text
        </button>
      )}
    </div>
  );
}

/** The object or list in an output, also if the tool wrote it as text; else undefined. */
function treeIn(value: unknown): object | undefined {
  if (typeof value !== "string") return typeof value === "object" && value !== null ? value : undefined;
  if (value.length > JSON_MAX || !/^\s*[[{]/.test(value)) return undefined;
  const found = jsonIn(value);
  // Parsing rounds numbers of many digits. The tree would then show numbers that the output does not contain.
  const isSame = JSON.stringify(found) === value.replace(/\s+/g, "") || !/\d{16}/.test(value);
  return isSame && typeof found === "object" && found !== null ? found : undefined;
}
