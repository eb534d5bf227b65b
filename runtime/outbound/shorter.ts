// Shorter
// Makes shorter forms of rows that are too long for the outlet. A shorter form leaves parts of the row out, and names them.
//
//   Owns:          which parts are left out, and what replaces them.
//   Does not own:  how long a row an outlet accepts (adapters), trying one form after another (outlet-publisher).
//
// SHORTER-1. A shorter form of a change always keeps the change's ids, state and numbers, so a reader sees no gap in the
//     versions of its session.
// SHORTER-2. The field `cut` names the parts that are left out, and gives the length and hash of each, if it has them.

import { hash } from "node:crypto";
import type { StateChange } from "../rows/changes.ts";
import type { DeadLetter } from "../rows/dead-letters.ts";

export interface LeavingChange extends StateChange {
  /** The names of the parts that were left out. A reader can get these parts from the engine. */
  readonly cut?: readonly string[];
}

/** A part of a view or a cause that is shorter than this is never left out. */
const PART_BYTES = 1024;
const BODY_CHARACTERS = 1024;

// The values come from rows, so they are JSON.
const textOf = (value: unknown): string => JSON.stringify(value);
const isLong = (value: unknown): boolean => Buffer.byteLength(textOf(value)) > PART_BYTES;

function digestOf(value: unknown): { readonly bytes: number; readonly sha256: string } {
  const text = textOf(value);
  return { bytes: Buffer.byteLength(text), sha256: hash("sha256", text, "hex") };
}

/** The forms of a change, one after another: in full, without its long parts, without its view. */
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
  // The cast is safe: the view of a change is an object (runtime/rows/changes).
  const parts = Object.entries(Object(rest.view) as object).map(
    ([name, value]) => [name, shorten(`view.${name}`, value)] as const,
  );
  yield { ...kept, cut: [...cut], view: Object.fromEntries(parts) };
  const others = cut.filter((name) => !name.startsWith("view."));
  yield { ...kept, cut: [...others, "view"], view: digestOf(rest.view) };
}

/** The forms of a dead letter, one after another: in full, with only the beginning of its body, without a body. */
export function* formsOfLetter(letter: DeadLetter): Generator<DeadLetter> {
  yield letter;
  yield { ...letter, body: letter.body.slice(0, BODY_CHARACTERS), cut: ["body"] };
  yield { ...letter, body: "", cut: ["body"] };
}
