// Arrivals
// Holds new approvals, which the page learned of from the stream of changes, until the inbox shows their cards.
//
//   Owns:          reading each new approval in full; holding its card back for a moment, until the agent's words have come.
//   Does not own:  the cards that are shown (model.ts), how long a card is held back (runtime/text/held-words).
//
// ARRIVALS-1. If a call changes while the page reads its approval or holds the card back, the card shows that change. An answer
//     of the engine that was already on its way does not overwrite the change.
// ARRIVALS-2. If the page reads the same approval twice, the answer to the later reading counts, even if it comes first.

import type { StateChange } from "../../../../runtime/rows/changes.ts";
import type { ApprovalView } from "../../../../runtime/rows/views.ts";
import type { CallAnswer } from "../../../../runtime/reading/queries.ts";
import { HeldForWords } from "../../../../runtime/text/held-words.ts";
import type { Card } from "./card/card.ts";
import { isCallOf } from "./heard.ts";
import { keyOf, keyOfCard } from "./name.ts";

interface Doors {
  /** Reads an approval in full; undefined if that fails: the card then shows what is known. */
  readonly ask: (approval: ApprovalView) => Promise<Card | undefined>;
  readonly after: ConstructorParameters<typeof HeldForWords>[0];
  readonly show: (card: Card) => void;
  /** Updates a card that is already shown with what was read. */
  readonly renew: (card: Card) => void;
}

interface Arriving {
  approval: ApprovalView;
  /** The call's view in a change that came while the approval was being read. */
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

  /** Reads an approval, or reads it again. @param isSought true if a link names it: its card is shown as soon as it is read. */
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
      // If the inbox has shown the card in the meantime, the shown card is updated.
      else this.#doors.renew(card);
    }
    if (isSought) this.#held.letGo(key);
  }

  /** Puts a changed call on the cards of its approvals that are not shown yet (ARRIVALS-1). */
  hear(change: StateChange): void {
    for (const [key, one] of this.#arriving) {
      if (!isCallOf(one.approval, change)) continue;
      // The cast is safe: the view in a call's change is a call's view (runtime/rows/changes).
      one.call = { ...(change.view as CallAnswer), workspace: change.workspace };
      const held = this.#held.all.find((card) => keyOfCard(card) === key);
      if (held) this.#held.put(key, { ...held, call: one.call });
    }
  }

  drop(key: string): void {
    const one = this.#arriving.get(key);
    if (one) one.answered = Infinity;
    this.#arriving.delete(key);
    this.#held.drop(key);
  }
}
