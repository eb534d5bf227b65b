// Input damage
// Checks each time a tool input is read back that it still matches its hash.
//
//   Owns:          recognising a damaged input, in an actor's context and in a view; what replaces it.
//   Does not own:  blobs (whole-inputs), how an approval of such an input may be answered (machines/approval).
//
// INPUT-DAMAGE-1. An input is checked each time it is read. If it does not match its hash, it is never shown, published
//     or given out. Its actor's row keeps the damaged text, so that the damage can be examined.

import type { Fields } from "../../../machines/json.ts";
import type { ActorKind, DamagedInput, ToolInput } from "../../../machines/index.ts";
import { isBlobName, isNamed } from "../../blob-name.ts";
import { canonicalText } from "../../canonical.ts";

const INPUTS: Readonly<Partial<Record<ActorKind, readonly string[]>>> = {
  call: ["input", "ranInput"],
  approval: ["input", "updatedInput"],
};

const isObject = (value: unknown): value is Fields => typeof value === "object" && value !== null;

/** An actor's stored context after a check of every input. */
export function checkedContext(kind: ActorKind, context: object): object {
  let checked = context as Fields;
  for (const name of INPUTS[kind] ?? []) {
    const found = checked[name];
    if (found !== undefined && !isToolInput(found)) checked = { ...checked, [name]: damaged(found) };
  }
  return checked;
}

/** True if an input of a checked context is damaged. */
export const hasDamage = (kind: ActorKind, context: object): boolean =>
  (INPUTS[kind] ?? []).some((name) => {
    const input = (context as Fields)[name];
    return isObject(input) && "damaged" in input;
  });

/** True for an intact input: a text that matches its hash, the name of a blob, or damage that was noted before. */
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

/** A stored view after a check of every input. */
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
  // Nearly always this is the canonical text. Fields named by numbers have an order of their own.
  if (isNamed(hash, JSON.stringify(input))) return true;
  try {
    return isNamed(hash, canonicalText(input));
  } catch {
    return false;
  }
}
