// Of card
// The risks of a card, and how it differs from cards that a person looked at before.
//
//   Owns:          finding the risks and the differences only once for each card.
//   Does not own:  the table of risks and the checks (runtime/risks).

import { gistOf } from "../../../../../runtime/text/gist.ts";
import type { Card } from "../card/card.ts";
import { type Difference, differenceOf } from "../../../../../runtime/risks/difference.ts";
import { type Risk, risksOf } from "../../../../../runtime/risks/risks.ts";

const known = new WeakMap<Card["approval"], readonly Risk[]>();

/** @returns the risks, grave ones first; none if the input cannot be read. */
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

/**
 * @param before the cards looked at before this one, the last one first. Another card may have been between two similar
 * ones.
 * @returns the difference from the similar card; undefined if no card before is similar.
 */
export function unlike(before: readonly Card[], now: Card): Unlike | undefined {
  const others = before.filter(({ approval }) => approval !== now.approval);
  const [last] = others;
  if (!last) return undefined;
  const [near] = others.flatMap((other) => resembling(other, now) ?? []);
  const isInOtherFolder = (near?.isSame === true ? near.cwd : last.cwd) !== now.cwd;
  if (!isInOtherFolder && !near?.difference) return undefined;
  return { isInOtherFolder, isSame: near?.isSame === true, difference: near?.difference };
}

interface Near {
  readonly isSame: boolean;
  readonly cwd: string | undefined;
  readonly difference: Difference | undefined;
}

function resembling(other: Card, now: Card): Near | undefined {
  if (other.approval.tool !== now.approval.tool) return undefined;
  const [old, young] = [textOf(other.approval), textOf(now.approval)];
  const difference = differenceOf(old, young);
  return old === young || difference ? { isSame: old === young, cwd: other.cwd, difference } : undefined;
}

/** The whole command or path: a gist may be cut before the place where two differ. */
function textOf(approval: Card["approval"]): string {
  const input = inputOf(approval);
  const command: unknown =
    typeof input === "object" && input !== null ? Reflect.get(input, "command") : undefined;
  return typeof command === "string" ? command : gistOf(input, approval.tool);
}
