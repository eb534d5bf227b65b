// Arrivals
// Approvals that were just heard of, until their cards are shown.
//
//   Owns:          asking for the whole of each, holding it for its words, what is heard of it meanwhile.
//   Does not own:  the cards that are shown (model.ts), how long one is held (text/held-words).
//
// ARRIVALS-1. What is heard of a call while its approval is asked for, or held, is on its card. An answer that was on its way
//     meanwhile does not take it back.
// ARRIVALS-2. Of two answers about one approval, the one that was asked for last counts.

import type { StateChange } from "../../../../runtime/rows/changes.ts";
import type { ApprovalView } from "../../../../runtime/rows/views.ts";
import type { CallAnswer } from "../../../../runtime/reading/queries.ts";
import { HeldForWords } from "../../../../runtime/text/held-words.ts";
import type { Card } from "./card/card.ts";
import { isCallOf } from "./heard.ts";
import { keyOf, keyOfCard } from "./name.ts";

interface Doors {
  /** Asks for the whole of an approval; undefined where it cannot be read now: it is shown by what is known of it. */
  readonly ask: (approval: ApprovalView) => Promise<Card | undefined>;
  readonly after: ConstructorParameters<typeof HeldForWords>[0];
  readonly show: (card: Card) => void;
  /** Adds what more is known to a card that was shown, if it is shown still. */
  readonly renew: (card: Card) => void;
}

interface Arriving {
  approval: ApprovalView;
  /** Heard while it was asked for. */
  call?: Card["call"];
  asked: number;
  answered: number;
}

export class Arrivals {
  readonly #doors: Doors;
  readonly #arriving = new Map<string, Arriving>();
  readonly #held: HeldForWords<Card>;

  constructor(doors: Doors) {
    this.#doors = doors;
    this.#held = new HeldForWords<Card>(doors.after, (card, key) => {
      this.#arriving.delete(key);
      doors.show(card);
    });
  }

  get size(): number {
    return this.#arriving.size;
  }

  has(key: string): boolean {
    return this.#arriving.has(key);
  }

  /** Takes one in, or asks again for one that is here. @param isSought it is shown as soon as it is whole. */
  async add(approval: ApprovalView, isSought = false): Promise<void> {
    const key = keyOf(approval);
    const one: Arriving = this.#arriving.get(key) ?? { approval, asked: 0, answered: 0 };
    this.#arriving.set(key, one);
    const turn = ++one.asked;
    const found = (await this.#doors.ask(approval)) ?? { approval, phase: { is: "open" as const } };
    if (one.answered < turn) {
      one.answered = turn;
      one.approval = found.approval;
      const card = one.call ? { ...found, call: one.call } : found;
      if (this.#arriving.get(key) === one) this.#held.put(key, card);
      // The card was shown while this answer was on its way.
      else this.#doors.renew(card);
    }
    if (isSought) this.#held.letGo(key);
  }

  /** ARRIVALS-1. */
  hear(change: StateChange): void {
    for (const [key, one] of this.#arriving) {
      if (!isCallOf(one.approval, change)) continue;
      // The view in a call's change is a call's view (runtime/changes).
      one.call = { ...(change.view as CallAnswer), workspace: change.workspace };
      const held = this.#held.all.find((card) => keyOfCard(card) === key);
      if (held) this.#held.put(key, { ...held, call: one.call });
    }
  }

  /** Forgets an approval that was over before it was shown. */
  drop(key: string): void {
    const one = this.#arriving.get(key);
    if (one) one.answered = Infinity;
    this.#arriving.delete(key);
    this.#held.drop(key);
  }
}
