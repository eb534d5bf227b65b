// Input damage
// Checks a stored tool input against its hash each time it is read.
//
//   Owns:          recognising a damaged input in the context of an actor and in a view; what is shown in its place.
//   Does not own:  inputs in blobs (whole-inputs), how an approval with a damaged input may be answered (machines/approval).
//
// INPUT-DAMAGE-1. A tool input is checked each time it is read. If the input does not match its hash, the engine never shows,
//     publishes or returns the input. The actor's row keeps the damaged text, so that somebody can examine the damage.

import type { Fields } from "../../../machines/json.ts";
import type { ActorKind, DamagedInput, ToolInput } from "../../../machines/index.ts";
import { isBlobName, isNamed } from "../../blob-name.ts";
import { canonicalText } from "../../canonical.ts";

const INPUTS: Readonly<Partial<Record<ActorKind, readonly string[]>>> = {
  call: ["input", "ranInput"],
  approval: ["input", "updatedInput"],
};

const isObject = (value: unknown): value is Fields => typeof value === "object" && value !== null;

export function checkedContext(kind: ActorKind, context: object): object {
  let checked = context as Fields;
  for (const name of INPUTS[kind] ?? []) {
    const found = checked[name];
    if (found !== undefined && !isToolInput(found)) checked = { ...checked, [name]: damaged(found) };
  }
  return checked;
}

export const hasDamage = (kind: ActorKind, context: object): boolean =>
  (INPUTS[kind] ?? []).some((name) => {
    const input = (context as Fields)[name];
    return isObject(input) && "damaged" in input;
  });

/** True for a valid input: a text that matches its hash, the hash of a blob, or an input that is already marked as damaged. */
function isToolInput(found: unknown): found is ToolInput {
  if (!isObject(found) || typeof found["hash"] !== "string") return false;
  const { hash, text, bytes, blob, damaged: isDamaged, found: before } = found;
  if (isDamaged === true) return typeof before === "string";
  if (typeof text === "string") return isNamed(hash, text);
  return blob === true && typeof bytes === "number" && isBlobName(hash);
}

function damaged(found: unknown): DamagedInput {
  const { hash = "", text } = isObject(found) ? found : {};
  return {
    hash: typeof hash === "string" ? hash : "",
    found: typeof text === "string" ? text : JSON.stringify(found),
    damaged: true,
  };
}

export function checkedView(view: unknown): unknown {
  if (!isObject(view)) return view;
  const { ranInput, updatedInput } = view;
  return {
    ...checkedPart(view),
    ...(isObject(ranInput) && { ranInput: checkedPart(ranInput) }),
    ...(isObject(updatedInput) && { updatedInput: checkedPart(updatedInput) }),
  };
}

function checkedPart(part: Fields): Fields {
  if (!Object.hasOwn(part, "input")) return part;
  const { input, ...rest } = part;
  return isInputOf(rest["inputHash"], input) ? part : { ...rest, inputMissing: "damaged" };
}

function isInputOf(hash: unknown, input: unknown): boolean {
  if (typeof hash !== "string") return false;
  // The text of `JSON.stringify` is nearly always the canonical text; it differs if a field's name is a number, because
  // JavaScript puts such fields first.
  if (isNamed(hash, JSON.stringify(input))) return true;
  try {
    return isNamed(hash, canonicalText(input));
  } catch {
    return false;
  }
}
