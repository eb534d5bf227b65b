// Json
// A tool's input, as a person reads it: names and values, long texts as the lines they are.
//
//   Owns:          the form.
//   Does not own:  hidden characters, length (text.tsx).

import { Text } from "./text.tsx";

/** Any JSON value, whole. */
export function Json({ value }: { readonly value: unknown }) {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return <Leaf value={value} />;
  const fields: readonly (readonly [string, unknown])[] = Object.entries(value);
  if (fields.length === 0) return <p class="quiet">An empty input.</p>;
  return (
    <dl class="fields">
      {fields.map(([name, field]) => (
        <div key={name}>
          <dt>
            <Text text={name} />
          </dt>
          <dd>
            <Leaf value={field} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Leaf({ value }: { readonly value: unknown }) {
  const text = typeof value === "string" ? value : JSON.stringify(value, null, 2);
  return (
    // A scrollable box must be reachable by keyboard.
    <pre class={typeof value === "string" ? "value" : "value code"} tabIndex={text.length > 2000 ? 0 : -1}>
      <Text text={text} />
    </pre>
  );
}
