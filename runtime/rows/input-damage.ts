// Input damage
// Whether a tool's input is still the one its hash names, where it is read back.
//
//   Owns:          telling one that is not, in an actor's context and in a view; what stands in its place.
//   Does not own:  blobs (whole-inputs), what may be answered to an approval about such an input (machines/approval).
//
// INPUT-DAMAGE-1. An input is looked at each time it is read back. One that its hash does not name is nowhere shown,
//     published or given out; what was found is kept in its actor's row, for one who looks into the damage.

import type { ActorKind, DamagedInput, ToolInput } from "../../machines/index.ts";
import { isBlobName, isNamed } from "../blob-name.ts";
import { canonicalText } from "../canonical.ts";

const INPUTS: Readonly<Partial<Record<ActorKind, readonly string[]>>> = {
  call: ["input", "ranInput"],
  approval: ["input", "updatedInput"],
};

type Fields = Readonly<Record<string, unknown>>;
const isObject = (value: unknown): value is Fields => typeof value === "object" && value !== null;

/** An actor's context as it was found, with every input in it looked at. */
export function checkedContext(kind: ActorKind, context: object): object {
  let checked = context as Fields;
  for (const name of INPUTS[kind] ?? []) {
    const found = checked[name];
    if (found !== undefined && !isToolInput(found)) checked = { ...checked, [name]: damaged(found) };
  }
  return checked;
}

/** True where an input of a context that was looked at is damaged. */
export const hasDamage = (kind: ActorKind, context: object): boolean =>
  (INPUTS[kind] ?? []).some((name) => {
    const input = (context as Fields)[name];
    return isObject(input) && "damaged" in input;
  });

/** True for what can be taken as it is: a text under its hash, the name of a blob, or what was found to be damaged before. */
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

/** A view as it was written down, with every input in it looked at. */
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
  // Nearly always its canonical text; not where it has fields named by numbers, which stand in an order of their own.
  if (isNamed(hash, JSON.stringify(input))) return true;
  try {
    return isNamed(hash, canonicalText(input));
  } catch {
    return false;
  }
}
