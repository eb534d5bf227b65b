// Json
// Shows a tool input as names and values, and long texts line by line.
//
//   Owns:          how an input looks, and the order of its fields: the fields that say what the call is about come first.
//   Does not own:  values that contain others (tree.tsx), hidden characters and long texts (text.tsx).

import type { ComponentChild } from "preact";
import { Text } from "./text.tsx";
import { Tree } from "./tree.tsx";

/** The fields that come first, because in common tools they tell what a call is about. The others keep the input's order. */
const FIRST = ["command", "file_path", "notebook_path", "path", "url", "pattern", "query", "description"];

const rankOf = (name: string): number => {
  const rank = FIRST.indexOf(name);
  return rank < 0 ? FIRST.length : rank;
};

/** The fields of an edit that get a look of their own: the text before the edit, and the text after it. */
const HALVES: Readonly<Record<string, string>> = { old_string: "before", new_string: "after" };

interface Props {
  readonly value: unknown;
  /** How to show the text in a field of this name. */
  readonly special?: Readonly<Record<string, (text: string) => ComponentChild>>;
}

export function Json({ value, special = {} }: Props) {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return <Leaf value={value} />;
  const fields: readonly (readonly [string, unknown])[] = Object.entries(value);
  if (fields.length === 0) return <p class="quiet">An empty input.</p>;
  return (
    <dl class="fields">
      {fields
        .toSorted(([a], [b]) => rankOf(a) - rankOf(b))
        .map(([name, field]) => (
          <div key={name}>
            <dt>
              <Text text={name} />
            </dt>
            <dd>
              {typeof field === "string" && Object.hasOwn(special, name) ? (
                special[name]?.(field)
              ) : (
                <Leaf value={field} {...(Object.hasOwn(HALVES, name) && { half: HALVES[name] ?? "" })} />
              )}
            </dd>
          </div>
        ))}
    </dl>
  );
}

function Leaf({ value, half = "" }: { readonly value: unknown; readonly half?: string }) {
  if (typeof value === "object" && value !== null && Object.keys(value).length > 0)
    return <Tree value={value} />;
  const text = typeof value === "string" ? value : JSON.stringify(value, null, 2);
  return (
    <pre class={`value ${half}`}>
      <Text text={text} />
    </pre>
  );
}
