// Of card
// The risks of a card, and how it differs from the card that was looked at before it.
//
//   Owns:          finding each only once for a card.
//   Does not own:  the rows (table.ts), looking for them (risks.ts).

import { gistOf } from "../../parts/gist.ts";
import type { Card } from "../card/card.ts";
import { type Difference, differenceOf } from "./difference.ts";
import { type Risk, risksOf } from "./risks.ts";

const known = new WeakMap<Card["approval"], readonly Risk[]>();

/** @returns the grave ones first; none where the input is not there to be read. */
export function risksOfCard({ approval, cwd }: Card): readonly Risk[] {
  const found = known.get(approval) ?? risksOf(approval.tool, inputOf(approval), cwd);
  known.set(approval, found);
  return found;
}

const inputOf = (approval: Card["approval"]): unknown => (approval as { input?: unknown }).input;

export interface Unlike {
  readonly isInOtherFolder: boolean;
  readonly isSame: boolean;
  readonly difference: Difference | undefined;
}

/** @param before the card that was looked at before this one. @returns undefined if nobody takes one for the other. */
export function unlike(before: Card | undefined, now: Card): Unlike | undefined {
  if (!before || before.approval === now.approval) return undefined;
  const isInOtherFolder = before.cwd !== now.cwd;
  if (before.approval.tool !== now.approval.tool)
    return isInOtherFolder ? { isInOtherFolder, isSame: false, difference: undefined } : undefined;
  const [old, young] = [before, now].map(({ approval }) => textOf(approval));
  const isSame = old === young;
  const difference = differenceOf(old ?? "", young ?? "");
  return isInOtherFolder || difference ? { isInOtherFolder, isSame, difference } : undefined;
}

/** The whole command or path: a gist is cut where it gets long, and there the difference may stand. */
function textOf(approval: Card["approval"]): string {
  const input = inputOf(approval);
  const command: unknown =
    typeof input === "object" && input !== null ? Reflect.get(input, "command") : undefined;
  return typeof command === "string" ? command : gistOf(input, approval.tool);
}
