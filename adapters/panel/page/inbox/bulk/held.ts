// Held
// Holds an answer to several approvals back for five seconds, in which a person can undo the answer.
//
//   Owns:          holding answers back, sending them after five seconds, undoing them.
//   Does not own:  which approvals an answer is for (together.ts), sending an answer to one approval (sending.ts).
//
// HELD-1. An answer that is held back is not sent yet: if the page is closed during the five seconds, none of the approvals is
//     answered.
// HELD-2. If one of several approvals was withdrawn or answered elsewhere while the answer was held back, that approval gets no
//     answer.
// HELD-3. A held-back answer is for the inputs that the person saw. An approval that has another input when the answer is sent
//     gets no answer.

import { Value } from "../../engine/value.ts";
import type { Reply } from "../card/card.ts";
import { cardAt, setPhase } from "../model.ts";
import { answer } from "../sending.ts";
import type { Seen } from "../seen/seen.ts";

const HOLD_MS = 5_000;

export interface Held {
  readonly places: readonly Seen[];
  readonly reply: Reply;
  /** When the answer is sent, by this machine's clock, ms. */
  readonly until: number;
}

/** The answers that wait to be sent, oldest first. */
export const held = new Value<readonly Held[]>([]);

export function hold(places: readonly Seen[], reply: Reply): void {
  const it: Held = { places, reply, until: Date.now() + HOLD_MS };
  for (const place of it.places) setPhase(place, { is: "held", reply });
  held.set([...held.get(), it]);
  setTimeout(() => release(it, (seen) => void answer(seen, reply)), HOLD_MS);
}

export function undo(): void {
  const last = held.get().at(-1);
  if (last) release(last, () => undefined);
}

function release(it: Held, then: (seen: Seen) => void): void {
  if (!held.get().includes(it)) return;
  held.set(held.get().filter((each) => each !== it));
  for (const place of it.places) {
    if (cardAt(place)?.phase.is !== "held") continue;
    setPhase(place, { is: "open" });
    then(place);
  }
}
