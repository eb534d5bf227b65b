// Tree
// A JSON value that has parts, written as JSON: coloured by type; each object and list can be folded.
//
//   Owns:          the form, what is unfolded at first, how many parts are drawn at once.
//   Does not own:  hidden characters and long texts (text.tsx), single values and the fields of an input (json.tsx).
//
// TREE-1. Nothing is left out: parts that are not drawn are counted, and shown on demand.
//
// The browser itself folds, by mouse and keys. The value is parsed already, so no text is split here.

import { useState } from "preact/hooks";
import { Text } from "./text.tsx";

/** Small objects and lists are unfolded at first, down to this depth. */
const DEPTH_OPEN = 2;
const SIZE_OPEN = 20;
/** How many parts of one object or list are drawn at once. */
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
        <span class="quiet folded">{countOf(parts.length, isList)}</span>
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
                {countOf(parts.length - room, isList)} more: show <kbd>v</kbd>
              </button>
            )}
          </div>
          {isList ? "]" : "}"}
        </>
      )}
    </details>
  );
}

const countOf = (count: number, isList: boolean): string =>
  `${count.toLocaleString()} ${isList ? "item" : "field"}${count === 1 ? "" : "s"}`;

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
