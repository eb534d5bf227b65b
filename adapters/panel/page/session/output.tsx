// Output
// What a call answered: JSON as a tree, anything else as text.
//
//   Owns:          telling JSON from text, going from one form to the other.
//   Does not own:  the forms (parts/json, parts/text).

import { useState } from "preact/hooks";
import { jsonIn } from "../../../../machines/json.ts";
import { Json } from "../parts/json.tsx";
import { Tree } from "../parts/tree.tsx";

/** A longer text is shown in pieces, as it is. */
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

/** An object or a list, also where a tool wrote it as text. */
function treeIn(value: unknown): object | undefined {
  if (typeof value !== "string") return typeof value === "object" && value !== null ? value : undefined;
  if (value.length > JSON_MAX || !/^\s*[[{]/.test(value)) return undefined;
  const found = jsonIn(value);
  // JSON rounds long numbers: the text would change.
  const isSame = JSON.stringify(found) === value.replace(/\s+/g, "") || !/\d{16}/.test(value);
  return isSame && typeof found === "object" && found !== null ? found : undefined;
}
