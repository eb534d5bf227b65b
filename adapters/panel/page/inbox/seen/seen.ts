// Seen
// What a person has seen long enough to answer it.
//
//   Owns:          when an approval counts as seen, and the value `Seen`, which an answer is made from.
//   Does not own:  what is drawn of a card (drawn.ts), watching the screen (eye.ts), sending an answer (model.ts).
//
// SEEN-1. An answer is made only from what the person saw: the approval, its version and the hash of its input as they
//     were drawn, not as they are when the answer is sent.
// SEEN-2. An approval is seen if it was on the screen, unchanged and uncovered, for 300 ms before the press. The time
//     of the press itself counts: a press that waited for a busy page is not for what was drawn meanwhile.
// SEEN-3. Only an approval whose input was shown whole can be approved.

/** Longer than the pause between two presses of one key, shorter than reading takes, ms. */
export const SEEING_MS = 300;

/** What a card shows of an approval. */
export interface Drawn {
  readonly workspace: string;
  readonly id: string;
  /** The hash of the tool input; undefined if the input is not known. */
  readonly hash: string | undefined;
  /** The version of the approval's last change. */
  readonly version: number;
  /** True if the whole tool input is shown. */
  readonly isWhole: boolean;
}

declare const SEEN: unique symbol;

/** Only this file makes such a value (SEEN-1). */
export type Seen = Drawn & { readonly [SEEN]: true };

/** The card on the screen. */
export interface Look {
  readonly drawn: Drawn;
  /** Since when the card has been on the screen unchanged, by the page's clock, ms; undefined while it is off the screen. */
  readonly since: number | undefined;
}

/**
 * The `Look` after the card has changed, or has come onto the screen or left it.
 * @param at the time, by the page's clock.
 * @returns the same object if nothing changed.
 */
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

/** What identifies an approval. */
type Spot = Pick<Drawn, "workspace" | "id">;

const isIt = (one: Spot, other: Spot): boolean => one.workspace === other.workspace && one.id === other.id;

const isSameDrawing = (one: Drawn, other: Drawn): boolean =>
  isIt(one, other) &&
  one.hash === other.hash &&
  one.version === other.version &&
  one.isWhole === other.isWhole;

/**
 * What a person had seen of an approval when they pressed.
 * @param at the time of the press.
 * @returns undefined if the approval had not been seen by then (SEEN-2).
 */
export function seenOf(look: Look | undefined, place: Spot, at: number): Seen | undefined {
  if (!look || !isIt(look.drawn, place) || !isLongEnough(look.since, at)) return undefined;
  return look.drawn as Seen;
}

const isLongEnough = (since: number | undefined, at: number): boolean =>
  since !== undefined && at - since >= SEEING_MS;

/**
 * What a person had seen of the approvals in a list.
 * @param since when the list was shown.
 * @returns nothing if the list had not been seen by then. Else each approval; its input counts as whole if it was shown
 * whole here or on an approval with the same input.
 */
export function seenTogether(all: readonly Drawn[], since: number | undefined, at: number): readonly Seen[] {
  return isLongEnough(since, at) ? (wholeByLikeInput(all) as readonly Seen[]) : [];
}

/** The approvals; an input that is shown whole on one of them counts as whole on all that have it. */
export function wholeByLikeInput(all: readonly Drawn[]): readonly Drawn[] {
  const whole = new Set(all.filter(({ isWhole }) => isWhole).map(({ hash }) => hash));
  return all.map((each) => ({ ...each, isWhole: whole.has(each.hash) }));
}

/** True if an answer to what was seen may still be given, as the approval is now (SEEN-1, SEEN-3). */
export const mayAnswer = (seen: Seen, now: Drawn, decision: "approve" | "deny"): boolean =>
  now.hash === seen.hash && (decision === "deny" || seen.isWhole);
