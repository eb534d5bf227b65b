// Tree
// Shows a JSON list or object as JSON, coloured by type. A person can fold each list and object in it.
//
//   Owns:          how a list or object looks, which parts are unfolded at first, how many parts are drawn at a time.
//   Does not own:  hidden characters and long texts (text.tsx), single values and the fields of an input (json.tsx).
//
// TREE-1. No part of a JSON value is left out: the page counts the parts that are not drawn, and shows them on demand.
//
// Folding is the work of the browser (`<details>`), by mouse and keys. The value comes already parsed: this file reads no JSON.

import { useState } from "preact/hooks";
import { counted } from "./counted.ts";
import { Text } from "./text.tsx";

/** Small objects and lists are unfolded at first, down to this depth. */
const DEPTH_OPEN = 2;
const SIZE_OPEN = 20;
/** How many parts of one object or list are drawn at a time. */
const PARTS = 100;

export function Tree({ value }: { readonly value: object }) {
  return (
    <div class="tree value" role="group" aria-label="JSON">
      <Part value={value} depth={0} />
    </div>
  );
}

interface PartProps {
  readonly name?: string;
  readonly value: unknown;
  readonly depth: number;
}

function Part({ name, value, depth }: PartProps) {
  if (typeof value !== "object" || value === null)
    return (
      <div class="leaf">
        <Name name={name} />
        <Scalar value={value} />
      </div>
    );
  return <Branch {...(name !== undefined && { name })} value={value} depth={depth} />;
}

function Branch({ name, value, depth }: PartProps & { readonly value: object }) {
  const isList = Array.isArray(value);
  const noun = isList ? "item" : "field";
  const parts: readonly (readonly [string, unknown])[] = Object.entries(value);
  const [isOpen, open] = useState(depth < DEPTH_OPEN && parts.length <= SIZE_OPEN);
  const [room, setRoom] = useState(PARTS);
  if (parts.length === 0)
    return (
      <div class="leaf">
        <Name name={name} />
        {isList ? "[]" : "{}"}
      </div>
    );
  return (
    <details open={isOpen} onToggle={(event) => open(event.currentTarget.open)}>
      <summary>
        <Name name={name} />
        {isList ? "[" : "{"}
        <span class="quiet folded">{counted(parts.length, noun)}</span>
        {!isOpen && (isList ? "]" : "}")}
      </summary>
      {isOpen && (
        <>
          <div class="parts">
            {parts.slice(0, room).map(([key, part]) => (
              <Part key={key} {...(!isList && { name: key })} value={part} depth={depth + 1} />
            ))}
            {parts.length > room && (
              <button type="button" class="more" onClick={() => setRoom(room + PARTS)}>
                {counted(parts.length - room, noun)} more: show <kbd>v</kbd>
              </button>
            )}
          </div>
          {isList ? "]" : "}"}
        </>
      )}
    </details>
  );
}

function Name({ name }: { readonly name: string | undefined }) {
  if (name === undefined) return null;
  return (
    <>
      <span class="hljs-attr">
        <Text text={JSON.stringify(name)} />
      </span>
      {": "}
    </>
  );
}

const KINDS: Readonly<Record<string, string>> = {
  string: "hljs-string",
  number: "hljs-number",
  boolean: "hljs-literal",
};

function Scalar({ value }: { readonly value: unknown }) {
  return (
    <span class={KINDS[typeof value] ?? "hljs-literal"}>
      <Text text={JSON.stringify(value)} />
    </span>
  );
}
