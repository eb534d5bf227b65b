// Of card
// Finds the risks of a card's call, and how the card differs from cards that the person looked at before.
//
//   Owns:          keeping the risks that were found for an approval; with which earlier cards a card is compared.
//   Does not own:  the table of risks, and finding a risk in an input (runtime/risks).

import { useRef } from "preact/hooks";
import { gistOf } from "../../../../../runtime/text/gist.ts";
import type { Card } from "../card/card.ts";
import { keyOfCard } from "../name.ts";
import { differenceOf } from "../../../../../runtime/risks/difference.ts";
import { type Risk, risksOf } from "../../../../../runtime/risks/risks.ts";

const known = new WeakMap<Card["approval"], readonly Risk[]>();

/** The risks, grave ones first; none if the input cannot be read. */
export function risksOfCard({ approval, cwd }: Card): readonly Risk[] {
  const found = known.get(approval) ?? risksOf(approval.tool, approval.input, cwd);
  known.set(approval, found);
  return found;
}

/** How many cards a card is compared with: as many as a person may remember. */
const LOOKED_AT_MAX = 12;

/** The cards that a person looked at before the chosen one, the last one first. */
export function useBefore(chosen: Card | undefined): readonly Card[] {
  const seen = useRef<{ readonly now?: Card | undefined; readonly before: readonly Card[] }>({ before: [] });
  const { now, before } = seen.current;
  if (chosen && chosen !== now) {
    const isOther = now !== undefined && keyOfCard(now) !== keyOfCard(chosen);
    const others = isOther
      ? [now, ...before.filter((each) => keyOfCard(each) !== keyOfCard(chosen))]
      : before;
    seen.current = { now: chosen, before: isOther ? others.slice(0, LOOKED_AT_MAX) : before };
  }
  return seen.current.before;
}

/**
 * How a card differs from the last similar card that the person looked at, even if the person has looked at other cards since.
 * @param before the cards looked at before, the last one first.
 * @returns undefined if nothing is worth telling.
 */
export function unlike(before: readonly Card[], now: Card) {
  const others = before.filter(({ approval }) => approval !== now.approval);
  const [last] = others;
  if (!last) return undefined;
  const [near] = others.flatMap((other) => resembling(other, now) ?? []);
  const isInOtherFolder = (near?.isSame === true ? near.cwd : last.cwd) !== now.cwd;
  if (!isInOtherFolder && !near?.difference) return undefined;
  return { isInOtherFolder, isSame: near?.isSame === true, difference: near?.difference };
}

function resembling(other: Card, now: Card) {
  if (other.approval.tool !== now.approval.tool) return undefined;
  const [old, young] = [textOf(other.approval), textOf(now.approval)];
  const difference = differenceOf(old, young);
  return old === young || difference ? { isSame: old === young, cwd: other.cwd, difference } : undefined;
}

/** The whole command if there is one, because a gist may be cut before the place where two commands differ. */
function textOf({ input, tool }: Card["approval"]): string {
  const command: unknown =
    typeof input === "object" && input !== null ? Reflect.get(input, "command") : undefined;
  return typeof command === "string" ? command : gistOf(input, tool);
}
