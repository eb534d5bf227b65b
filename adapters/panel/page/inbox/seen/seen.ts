// Seen
// Decides whether a person has seen an approval long enough to answer it.
//
//   Owns:          what of an approval a card shows (`Drawn`); when it counts as seen; `Seen`, from which an answer is made.
//   Does not own:  how a card looks (card/whole.tsx), watching the screen (eye.ts), sending an answer (sending.ts).
//
// SEEN-1. An answer is made only from what the person saw: from the approval's name, version and input hash that its card
//     showed, even if the approval has changed before the answer is sent.
// SEEN-2. An approval counts as seen if it was on the screen, unchanged and uncovered, for 300 ms before a person pressed a key
//     or button. The time of the press itself counts: if a busy page handles the press late, what was drawn meanwhile does not
//     count as seen.
// SEEN-3. A person can approve only an approval whose whole input was shown.

import type { ApprovalView } from "../../../../../runtime/rows/views.ts";
import { keyOf, type Spot } from "../name.ts";

/** How long a card must be seen before a press answers it, ms: longer than between two quick presses, shorter than reading. */
export const SEEING_MS = 300;

export interface Drawn extends Spot {
  /** The hash of the tool input; undefined if the input is not known. */
  readonly hash: string | undefined;
  /** Which version of the approval is drawn: the time of its last change. */
  readonly version: number;
  readonly isWhole: boolean;
}

export function drawnOf({ approval }: { readonly approval: ApprovalView }): Drawn {
  const { workspace, id, updatedAt: version, input, inputHash: hash, inputMissing } = approval;
  const isWhole = hash !== undefined && input !== undefined && inputMissing === undefined;
  return { workspace, id, hash, version, isWhole };
}

declare const SEEN: unique symbol;

/** What a person has seen of an approval. Only this file makes a value of this type (SEEN-1). */
export type Seen = Drawn & { readonly [SEEN]: true };

export interface Look {
  readonly drawn: Drawn;
  /** Since when the card has been on the screen unchanged, by the page's clock, ms; undefined while it is not. */
  readonly since: number | undefined;
}

/** The `Look` after a change of the card or the screen. @param at by the page's clock. @returns `before` if nothing changed. */
export function looked(
  before: Look | undefined,
  drawn: Drawn | undefined,
  isOnScreen: boolean,
  at: number,
): Look | undefined {
  if (!drawn) return undefined;
  const isSame = before !== undefined && isSameDrawing(before.drawn, drawn);
  if (isSame && isOnScreen === (before.since !== undefined)) return before;
  return { drawn, since: isOnScreen ? at : undefined };
}

const isSameDrawing = (one: Drawn, other: Drawn): boolean =>
  keyOf(one) === keyOf(other) &&
  one.hash === other.hash &&
  one.version === other.version &&
  one.isWhole === other.isWhole;

/** What a person had seen of an approval at a press, at the time `at`; undefined if not long enough (SEEN-2). */
export function seenOf(look: Look | undefined, place: Spot, at: number): Seen | undefined {
  if (!look || keyOf(look.drawn) !== keyOf(place) || !isLongEnough(look.since, at)) return undefined;
  return look.drawn as Seen;
}

const isLongEnough = (since: number | undefined, at: number): boolean =>
  since !== undefined && at - since >= SEEING_MS;

/** What a person had seen, at a press at the time `at`, of a list of approvals that is shown since `since` (SEEN-2). */
export function seenTogether(all: readonly Drawn[], since: number | undefined, at: number): readonly Seen[] {
  return isLongEnough(since, at) ? (wholeByLikeInput(all) as readonly Seen[]) : [];
}

/** The given approvals: if one of them showed its input whole, all with the same input count as shown whole (SEEN-3). */
export function wholeByLikeInput(all: readonly Drawn[]): readonly Drawn[] {
  const whole = new Set(all.filter(({ isWhole }) => isWhole).map(({ hash }) => hash));
  return all.map((each) => ({ ...each, isWhole: whole.has(each.hash) }));
}

/** True if a person who saw `seen` may answer the approval as it is now (SEEN-1, SEEN-3). */
export const mayAnswer = (seen: Seen, now: Drawn, decision: "approve" | "deny"): boolean =>
  now.hash === seen.hash && (decision === "deny" || seen.isWhole);
