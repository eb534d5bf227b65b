// Shorter
// Shorter forms of what is too long for the outlet: parts are left out, and named.
//
//   Owns:          which parts are left out, and what takes their place.
//   Does not own:  how much an outlet carries (adapters), trying one form after another (outlet-publisher).
//
// SHORTER-1. Who, what, where and in which order always stay in a change: its session's versions have no hole.
// SHORTER-2. Parts left out are named in `cut`; their length and hash take their place, if there is one.

import { hash } from "node:crypto";
import type { StateChange } from "../rows/changes.ts";
import type { DeadLetter } from "../rows/dead-letters.ts";

/** A change on its way out. */
export interface LeavingChange extends StateChange {
  /** What is left out: read it where the change came from. */
  readonly cut?: readonly string[];
}

/** A part of a view or a cause that always stays. */
const PART_BYTES = 1024;
const BODY_CHARACTERS = 1024;

// A row holds JSON.
const textOf = (value: unknown): string => JSON.stringify(value);
const isLong = (value: unknown): boolean => Buffer.byteLength(textOf(value)) > PART_BYTES;

function digestOf(value: unknown): { readonly bytes: number; readonly sha256: string } {
  const text = textOf(value);
  return { bytes: Buffer.byteLength(text), sha256: hash("sha256", text, "hex") };
}

/** A change as it is, then without its long parts, then without its view: each shorter than the one before. */
export function* formsOfChange(change: StateChange): Generator<LeavingChange> {
  yield change;
  const { cascade, ...rest } = change;
  const cut: string[] = [];
  const shorten = (name: string, value: unknown): unknown => {
    if (!isLong(value)) return value;
    cut.push(name);
    return digestOf(value);
  };
  const isWhole = cascade === undefined || !isLong(cascade);
  if (!isWhole) cut.push("cascade");
  const kept = {
    ...rest,
    ...(rest.cause !== undefined && { cause: shorten("cause", rest.cause) }),
    ...(isWhole && cascade && { cascade }),
  };
  // The view in a change is an object (changes).
  const parts = Object.entries(Object(rest.view) as object).map(
    ([name, value]) => [name, shorten(`view.${name}`, value)] as const,
  );
  yield { ...kept, cut: [...cut], view: Object.fromEntries(parts) };
  const others = cut.filter((name) => !name.startsWith("view."));
  yield { ...kept, cut: [...others, "view"], view: digestOf(rest.view) };
}

/** A letter as it is, then with the beginning of its body, then without a body. */
export function* formsOfLetter(letter: DeadLetter): Generator<DeadLetter> {
  yield letter;
  yield { ...letter, body: letter.body.slice(0, BODY_CHARACTERS), cut: ["body"] };
  yield { ...letter, body: "", cut: ["body"] };
}
