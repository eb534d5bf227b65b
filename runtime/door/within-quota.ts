// Within quota
// Decides by each workspace's quota whether a body's messages to that workspace are accepted, all or none.
//
//   Owns:          splitting a body by workspace; charging accepted messages to the allowance until they are durable.
//   Does not own:  how much a workspace may still send (allowance), which messages a quota never refuses (turning-away).
//
// WITHIN-QUOTA-1. Of each workspace's messages in a list, all are accepted or none, apart from messages that a quota never
//     refuses.

import type { Allowance, Offer } from "../engine/allowance.ts";
import { RetryableError } from "../errors/errors.ts";

type Taking = Pick<Allowance, "take" | "passes">;

export interface Judged extends Offer {
  /** Why the message was refused; undefined if it was accepted. */
  readonly refusal?: RetryableError;
  /** Ends the reservation of quota. Must be called once the message is durable or given up. */
  readonly letGo: () => void;
}

/**
 * Checks messages against the quota of their workspaces.
 * @param isKnown returns true for a message with a known key, which appends nothing and needs no quota.
 * @returns all offers, in order.
 */
export function withinQuota<O extends Offer>(
  allowance: Taking,
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
  allowance: Taking,
  workspace: string,
  part: readonly O[],
): readonly (readonly [O, Omit<Judged, keyof Offer>])[] {
  try {
    const letGos = allowance.take(workspace, part);
    return part.map((offer, n) => [offer, { letGo: letGos[n] ?? THROUGH.letGo }]);
  } catch (refusal) {
    if (!(refusal instanceof RetryableError)) throw refusal;
    return part.map((offer) => [offer, allowance.passes(offer) ? THROUGH : { refusal, ...THROUGH }]);
  }
}

/**
 * Takes one message that its sender will not send again, so the engine counts its refusal in a dead letter.
 * @returns a function to call once the message is durable or given up.
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
