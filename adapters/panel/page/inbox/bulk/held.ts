// Held
// Answers to several approvals at once, kept back for a moment in which they can still be taken back.
//
//   Owns:          keeping them back, sending them after that, taking them back.
//   Does not own:  which approvals they are for (choice.ts), sending one (model.ts).
//
// HELD-1. What is kept back is not given: a page that is closed meanwhile has answered nothing.
// HELD-2. An approval that was answered elsewhere meanwhile, or withdrawn, is left alone.
// HELD-3. What is kept back is for what was seen when it was given: an approval that has another input by then gets no answer.

import { Value } from "../../engine/value.ts";
import type { Phase, Reply } from "../card/card.ts";
import { answer, inbox, setPhase } from "../model.ts";
import { keyOf, keyOfCard, type Spot } from "../name.ts";
import type { Seen } from "../seen/seen.ts";

const HOLD_MS = 5_000;

export interface Held {
  readonly places: readonly Seen[];
  readonly reply: Reply;
  /** When it is sent, by this machine's clock, ms. */
  readonly until: number;
}

/** The oldest first. */
export const held = new Value<readonly Held[]>([]);

/** Keeps an answer back for a moment, and then gives it to each that still waits. */
export function hold(places: readonly Seen[], reply: Reply): void {
  const it: Held = { places, reply, until: Date.now() + HOLD_MS };
  for (const place of it.places) setPhase(place, { is: "held", reply });
  held.set([...held.get(), it]);
  setTimeout(() => release(it, (seen) => void answer(seen, reply)), HOLD_MS);
}

/** Takes back what was answered last, if it was not sent yet. */
export function undo(): void {
  const last = held.get().at(-1);
  if (last) release(last, () => undefined);
}

function release(it: Held, then: (seen: Seen) => void): void {
  if (!held.get().includes(it)) return;
  held.set(held.get().filter((each) => each !== it));
  for (const place of it.places) {
    if (phaseOf(place)?.is !== "held") continue;
    setPhase(place, { is: "open" });
    then(place);
  }
}

const phaseOf = (place: Spot): Phase | undefined =>
  inbox.get().cards.find((card) => keyOfCard(card) === keyOf(place))?.phase;
