// Seen
// What a person had on the screen for long enough to answer it.
//
//   Owns:          when that is, and the value that an answer is made of.
//   Does not own:  what is drawn of a card (drawn.ts), watching the screen (eye.ts), sending an answer (model.ts).
//
// SEEN-1. An answer is made of what was seen and of nothing else: the approval, its version and the hash of its input as they
//     were drawn, not as they are known when the answer goes out.
// SEEN-2. Seen is what stood on the screen unchanged and uncovered for 300 ms before the press, by the time of the press: one
//     that waited for a busy page does not count for what was drawn meanwhile.
// SEEN-3. Only what was seen whole is approved.

/** Longer than a key pressed twice, shorter than reading anything. */
export const SEEING_MS = 300;

/** What is drawn of an approval. */
export interface Drawn {
  readonly workspace: string;
  readonly id: string;
  /** The hash of its input; undefined if no input is known. */
  readonly hash: string | undefined;
  /** When the engine changed it last. */
  readonly version: number;
  /** Its whole input. */
  readonly isWhole: boolean;
}

declare const SEEN: unique symbol;

/** Made here alone (SEEN-1). */
export type Seen = Drawn & { readonly [SEEN]: true };

/** What is looked at. */
export interface Look {
  readonly drawn: Drawn;
  /** Since when it is on the screen as it is, by the page's clock, ms; undefined while it is not. */
  readonly since: number | undefined;
}

/** @param at by the page's clock. @returns the same where nothing changed. */
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

/** An approval, wherever it is. */
type Spot = Pick<Drawn, "workspace" | "id">;

const isIt = (one: Spot, other: Spot): boolean => one.workspace === other.workspace && one.id === other.id;

const isSameDrawing = (one: Drawn, other: Drawn): boolean =>
  isIt(one, other) &&
  one.hash === other.hash &&
  one.version === other.version &&
  one.isWhole === other.isWhole;

/** @param at the event's own time. @returns undefined where the approval was not seen by then (SEEN-2). */
export function seenOf(look: Look | undefined, place: Spot, at: number): Seen | undefined {
  if (!look || !isIt(look.drawn, place) || !isLongEnough(look.since, at)) return undefined;
  return look.drawn as Seen;
}

const isLongEnough = (since: number | undefined, at: number): boolean =>
  since !== undefined && at - since >= SEEING_MS;

/**
 * @param since when the list of them was shown. @returns none where it was not seen by then; else each, whole by its
 * own input or a like one's.
 */
export function seenTogether(all: readonly Drawn[], since: number | undefined, at: number): readonly Seen[] {
  return isLongEnough(since, at) ? (wholeByLikeInput(all) as readonly Seen[]) : [];
}

/** The very same input is seen in each that has it. */
export function wholeByLikeInput(all: readonly Drawn[]): readonly Drawn[] {
  const whole = new Set(all.filter(({ isWhole }) => isWhole).map(({ hash }) => hash));
  return all.map((each) => ({ ...each, isWhole: whole.has(each.hash) }));
}

/** Whether an answer to what was seen may still be given to what is known now (SEEN-1, SEEN-3). */
export const mayAnswer = (seen: Seen, now: Drawn, decision: "approve" | "deny"): boolean =>
  now.hash === seen.hash && (decision === "deny" || seen.isWhole);
