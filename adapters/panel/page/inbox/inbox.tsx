// Inbox
// The panel's first view: the pending approvals, the most urgent first. A person answers them with single keys.
//
//   Owns:          what is above the list, folding the approvals that were answered earlier.
//   Does not own:  the cards (model.ts), the chosen card and the keys (choice.ts), the list (list.tsx).

import { useEffect, useMemo, useState } from "preact/hooks";
import { defined } from "../../../../machines/defined.ts";
import type { Card } from "./card/card.ts";
import { useValue } from "../engine/value.ts";
import { NotShown } from "../engine/at-peer.tsx";
import { Failure } from "../parts/failure.tsx";
import { later } from "../parts/later.tsx";
import type { Route } from "../route.ts";
import { type Choice, useChoice } from "./bulk/choice.ts";
import { hasRow, useStacks } from "./equal/stacks.ts";
import { filter, matches } from "./filter/filter.ts";
import { Filters } from "./filter/filters.tsx";
import { List } from "./list.tsx";
import { canApprove, clear, inbox, isOpen } from "./model.ts";
import type { ApprovalName } from "./name.ts";
import { grouped } from "./order.ts";
import { pickedIn, shownWhole } from "./bulk/together.ts";
import { isSnoozed, snoozed, wake } from "./team/snoozed.ts";

const Elsewhere = later(async () => (await import("./elsewhere.tsx")).Elsewhere);
const Empty = later(async () => (await import("./empty.tsx")).Empty);
const LastAnswer = later(async () => (await import("./reply/last-answer.tsx")).LastAnswer);
const BulkDialog = later(async () => (await import("./bulk/bulk.tsx")).BulkDialog);

/** How many of the answered cards at the top of the list are shown; the earlier ones are folded. */
const ANSWERED_SHOWN = 5;

export function InboxView({ approval }: Extract<Route, { view: "inbox" }>) {
  const { cards, isLoaded, hasMore, failure, partial } = useValue(inbox);
  const [isUnfolded, unfold] = useState(false);
  const by = useValue(filter);
  const [isWithSnoozed, showSnoozed] = useState(false);
  const groups = useGroups(cards, isWithSnoozed, approval);
  const shown = useMemo(() => groups.flat(), [groups]);
  const folded = isUnfolded ? new Set<Card>() : foldedOf(shown);
  const stacks = useStacks(shown);
  const visible = (chosen?: Card): readonly Card[] =>
    shown.filter((card) => !folded.has(card) && hasRow(stacks, card, chosen));
  const choice = useChoice(shown, visible, stacks, approval);
  const { bulk } = choice;

  if (!isLoaded) return <p class="quiet loading">Asking the engine…</p>;
  if (failure && cards.length === 0) return <Failure>{failure.words}</Failure>;
  const fate = choice.told && (
    <Elsewhere approval={choice.told} cards={cards} shown={shown} onFound={choice.seek} />
  );
  const notShown = failure ? <Failure>{failure.words}</Failure> : <NotShown {...defined({ partial })} />;
  if (cards.length === 0)
    return (
      <>
        {fate}
        <Empty />
        {notShown}
      </>
    );
  const open = cards.filter((card) => isOpen(card) && !isSnoozed(card)).length;
  const sleeping = cards.filter(isSnoozed).length;
  return (
    <section aria-labelledby="inbox-title" class="inbox">
      <header class="title-row">
        <h1 id="inbox-title">
          {open === 0 ? "Nothing waits for you" : `${open} ${open === 1 ? "approval" : "approvals"}`}
          {hasMore && " and more after them"}
        </h1>
        <Picked cards={shown} choice={choice} />
        {sleeping > 0 && (
          <button type="button" aria-pressed={isWithSnoozed} onClick={() => showSnoozed(!isWithSnoozed)}>
            {sleeping} snoozed
          </button>
        )}
        {open + sleeping < cards.length && (
          <button type="button" onClick={clear}>
            Clear answered <kbd>c</kbd>
          </button>
        )}
      </header>
      <Filters cards={cards} by={by} shown={shown.length} />
      {notShown}
      {fate}
      {shown.length === 0 && <p class="quiet">Nothing that waits here matches the filters.</p>}
      <div class="panes">
        <List
          cards={shown}
          groups={groups}
          rows={new Set(visible(choice.chosen))}
          stacks={stacks}
          answered={folded.size}
          onUnfold={() => unfold(true)}
          choice={choice}
        />
        {!choice.chosen && shown.some(isOpen) && <Unchosen {...choice} />}
      </div>
      <Last {...choice} />
      {bulk && <BulkDialog {...bulk} onEnd={choice.endBulk} />}
    </section>
  );
}

const Unchosen = ({ next }: Pick<Choice, "next">) => (
  <p class="unchosen quiet">
    <span>
      Nothing is chosen. <kbd>j</kbd> chooses the next that waits.
    </span>
    <button type="button" class="next" onClick={next}>
      Next approval
    </button>
  </p>
);

/** The element is on the page even while it is empty: a screen reader announces only what is added to an existing element. */
const Last = ({ last, putLastAway }: Pick<Choice, "last" | "putLastAway">) => (
  <div class="unseen last-answer" role="status">
    {last && <LastAnswer card={last} onClose={putLastAway} />}
  </div>
);

/** The cards to show, by session. @param asked the approval that a link names: if it is snoozed, its snooze ends (SNOOZED-2). */
function useGroups(cards: readonly Card[], isWithSnoozed: boolean, asked: ApprovalName | undefined) {
  const by = useValue(filter);
  const asleep = useValue(snoozed);
  useEffect(() => asked && wake(asked), [asked]);
  return useMemo(
    () => grouped(cards.filter((card) => matches(card, by) && (isWithSnoozed || !isSnoozed(card)))),
    [cards, by, asleep, isWithSnoozed],
  );
}

function Picked({ cards, choice }: { readonly cards: readonly Card[]; readonly choice: Choice }) {
  const those = pickedIn(cards, choice.picked);
  const seen = shownWhole(those.filter(canApprove));
  if (choice.picked.size === 0) return null;
  return (
    <div class="actions" role="group" aria-label="Picked">
      <span class="quiet">{those.length} picked</span>
      <button
        type="button"
        class="approve"
        disabled={seen.length === 0}
        onClick={() => choice.askBulk(seen, { decision: "approve" })}
      >
        Approve {seen.length}… <kbd>A</kbd>
      </button>
      <button
        type="button"
        class="deny"
        disabled={those.length === 0}
        onClick={() => choice.askBulk(those, { decision: "deny" })}
      >
        Deny {those.length}…
      </button>
      <button type="button" onClick={choice.pickNone}>
        Pick none
      </button>
    </div>
  );
}

/** The answered cards that the list folds, because they would push the pending cards down. */
function foldedOf(cards: readonly Card[]): ReadonlySet<Card> {
  const first = cards.findIndex(isOpen);
  const answered = first < 0 ? cards.length : first;
  return new Set(answered > ANSWERED_SHOWN + 1 ? cards.slice(0, answered - ANSWERED_SHOWN) : []);
}
