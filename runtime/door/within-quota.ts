// Within quota
// What was offered to a door, each workspace's part let through or turned away as a whole.
//
//   Owns:          telling the parts apart; holding what was let through against the allowance until it is done with.
//   Does not own:  how much is left (allowance), which messages pass in any case (turning-away).
//
// WITHIN-QUOTA-1. Of a list each workspace's messages find room all together or not at all; what passes in any case
//     goes on by itself.

import type { Allowance, Offer } from "../engine/allowance.ts";
import { RetryableError } from "../errors.ts";
import { passes } from "../turn/turning-away.ts";

/** What became of one that was offered. */
export interface Judged extends Offer {
  /** Why it was turned away; undefined where it was not. */
  readonly refusal?: RetryableError;
  /** To be called once it is durable, or is not to be. */
  readonly letGo: () => void;
}

/**
 * @param isKnown true for one that was taken in before: it appends nothing.
 * @returns all that was offered, in its order.
 */
export function withinQuota<O extends Offer>(
  allowance: Pick<Allowance, "take">,
  offers: readonly O[],
  isKnown: (offer: O) => boolean,
): readonly (O & Judged)[] {
  const parts = new Map<string, O[]>();
  for (const offer of offers) {
    if (isKnown(offer)) continue;
    const part = parts.get(offer.message.workspace);
    if (part) part.push(offer);
    else parts.set(offer.message.workspace, [offer]);
  }
  const judged = new Map<O, Omit<Judged, keyof Offer>>();
  for (const [workspace, part] of parts)
    for (const [offer, judgement] of judge(allowance, workspace, part)) judged.set(offer, judgement);
  return offers.map((offer) => ({ ...offer, ...(judged.get(offer) ?? THROUGH) }));
}

const THROUGH = { letGo: (): void => undefined };

function judge<O extends Offer>(
  allowance: Pick<Allowance, "take">,
  workspace: string,
  part: readonly O[],
): readonly (readonly [O, Omit<Judged, keyof Offer>])[] {
  try {
    const letGos = allowance.take(workspace, part);
    return part.map((offer, n) => [offer, { letGo: letGos[n] ?? THROUGH.letGo }]);
  } catch (refusal) {
    if (!(refusal instanceof RetryableError)) throw refusal;
    return part.map((offer) => [offer, passes(offer.message) ? THROUGH : { refusal, ...THROUGH }]);
  }
}

/**
 * The same for one that its sender does not send again: what is turned away is told of.
 * @returns what is to be called once it is durable, or is not to be.
 * @throws RetryableError OVER_QUOTA
 */
export function takeOrDrop(allowance: Pick<Allowance, "take" | "drop">, offer: Offer): () => void {
  try {
    const [letGo = THROUGH.letGo] = allowance.take(offer.message.workspace, [offer]);
    return letGo;
  } catch (error) {
    allowance.drop(offer);
    throw error;
  }
}
