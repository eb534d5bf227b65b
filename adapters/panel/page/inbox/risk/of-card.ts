// Of card
// The risks of a card, and how it differs from the cards that were looked at before it.
//
//   Owns:          finding each only once for a card.
//   Does not own:  the rows and looking for them (runtime/risks).

import { gistOf } from "../../parts/gist.ts";
import type { Card } from "../card/card.ts";
import { type Difference, differenceOf } from "../../../../../runtime/risks/difference.ts";
import { type Risk, risksOf } from "../../../../../runtime/risks/risks.ts";

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

/**
 * @param before the cards looked at before this one, the last one first: another one may stand between two that look alike.
 * @returns undefined if nobody takes one for the other.
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

/** The whole command or path: a gist is cut where it gets long, and there the difference may stand. */
function textOf(approval: Card["approval"]): string {
  const input = inputOf(approval);
  const command: unknown =
    typeof input === "object" && input !== null ? Reflect.get(input, "command") : undefined;
  return typeof command === "string" ? command : gistOf(input, approval.tool);
}
