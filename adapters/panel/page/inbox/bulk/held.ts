// Held
// Holds one answer to several approvals back for a moment, in which a person can still undo it.
//
//   Owns:          holding answers, sending them after that moment, undoing them.
//   Does not own:  which approvals an answer is for (choice.ts), sending an answer to one approval (model.ts).
//
// HELD-1. A held answer is not sent yet: if the page is closed meanwhile, nothing is answered.
// HELD-2. An approval that was answered elsewhere meanwhile, or withdrawn, gets no answer.
// HELD-3. A held answer is for the input that the person saw: if the approval's input has changed meanwhile, it gets no answer.

import { Value } from "../../engine/value.ts";
import type { Phase, Reply } from "../card/card.ts";
import { answer, inbox, setPhase } from "../model.ts";
import { keyOf, keyOfCard, type Spot } from "../name.ts";
import type { Seen } from "../seen/seen.ts";

const HOLD_MS = 5_000;

export interface Held {
  readonly places: readonly Seen[];
  readonly reply: Reply;
  /** When the answer is sent, by this machine's clock, ms. */
  readonly until: number;
}

/** The answers that are held back, the oldest first. */
export const held = new Value<readonly Held[]>([]);

/** Holds an answer back for a moment, then sends it to each approval that is still pending. */
export function hold(places: readonly Seen[], reply: Reply): void {
  const it: Held = { places, reply, until: Date.now() + HOLD_MS };
  for (const place of it.places) setPhase(place, { is: "held", reply });
  held.set([...held.get(), it]);
  setTimeout(() => release(it, (seen) => void answer(seen, reply)), HOLD_MS);
}

/** Undoes the latest held answer, if there is one. */
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
