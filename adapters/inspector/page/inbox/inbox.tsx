// Inbox
// The home of the panel: what waits for a person, oldest first, answered with single keys.
//
//   Owns:          which card is chosen, the keys.
//   Does not own:  the cards (model.ts), how one looks (card.tsx).
//
// B3. A key answers the question that was shown when it was pressed: the choice moves on by a person's doing only.

import { useEffect, useRef, useState } from "preact/hooks";
import { useValue } from "../engine/value.ts";
import { type Keys, useKeys } from "../parts/keyboard.ts";
import { go } from "../route.ts";
import { CardView, type Mode } from "./card.tsx";
import { Empty } from "./empty.tsx";
import { alike, answer, type Card, clear, inbox, isOpen, type Reply } from "./model.ts";

/** Which card is chosen and what is being written for it, moved by keys and by hand. */
function useChoice(cards: readonly Card[]) {
  const [chosenId, choose] = useState<string>();
  const [written, setMode] = useState<Mode>("reading");
  const chosen = cards.find(({ approval }) => approval.id === chosenId) ?? cards.find(isOpen);
  const shownId = chosen?.approval.id;
  const canAnswer = chosen !== undefined && isOpen(chosen);
  const mode = canAnswer ? written : "reading";
  useEffect(() => {
    if (chosenId === undefined && shownId !== undefined) choose(shownId);
  }, [chosenId, shownId]);
  const select = (id: string, next: Mode = "reading"): void => {
    choose(id);
    setMode(next);
  };
  const step = (by: 1 | -1): void => {
    const at = cards.findIndex((card) => card === chosen);
    const next = cards[Math.min(cards.length - 1, Math.max(0, at + by))];
    if (next) select(next.approval.id);
  };
  const reply = (card: Card | undefined, given: Reply, isForAlike: boolean): void => {
    if (!card || !isOpen(card)) return;
    const open = cards.filter(isOpen);
    const answered = isForAlike ? alike(card) : [card];
    const after = open.slice(open.indexOf(card)).find((each) => !answered.includes(each));
    for (const each of answered) void answer(each.approval.id, given);
    if (card === chosen) choose(after?.approval.id);
    setMode("reading");
  };
  const write = (next: Mode): void => setMode(canAnswer ? next : "reading");
  const keys: Keys = {
    j: () => step(1),
    k: () => step(-1),
    ArrowDown: () => step(1),
    ArrowUp: () => step(-1),
    a: () => reply(chosen, { decision: "approve" }, false),
    A: () => reply(chosen, { decision: "approve" }, true),
    d: () => write("denying"),
    i: () => write("interrupting"),
    e: () => write("editing"),
    c: clear,
    o: () => {
      if (!chosen) return;
      const { workspace, sessionId: session, callId } = chosen.approval;
      go({ view: "session", workspace, session, ...(callId !== undefined && { call: callId }) });
    },
  };
  // While an answer is written no single key gives another one, wherever the focus is.
  useKeys(mode === "reading" ? keys : { Escape: () => setMode("reading") });
  return { chosen, mode, select, reply };
}

export function InboxView() {
  const { cards, isLoaded, hasMore, failure } = useValue(inbox);
  const { chosen, mode, select, reply } = useChoice(cards);
  const list = useRef<HTMLOListElement>(null);
  useEffect(() => {
    list.current?.querySelector("[aria-current=true]")?.scrollIntoView({ block: "nearest" });
  }, [chosen?.approval.id]);

  if (!isLoaded) return <p class="quiet loading">Asking the engine…</p>;
  if (failure && cards.length === 0)
    return (
      <p class="failure" role="alert">
        {failure.message} {failure.next}
      </p>
    );
  if (cards.length === 0) return <Empty />;
  const open = cards.filter(isOpen).length;
  return (
    <section aria-labelledby="inbox-title">
      <header class="title-row">
        <h1 id="inbox-title">
          {open === 0 ? "Nothing waits for you" : `${open} ${open === 1 ? "question" : "questions"}`}
          {hasMore && " and more behind them"}
        </h1>
        {open < cards.length && (
          <button type="button" onClick={clear}>
            Put away the answered <kbd>c</kbd>
          </button>
        )}
      </header>
      <ol class="cards" ref={list}>
        {cards.map((card) => (
          <li key={card.approval.id}>
            <CardView
              card={card}
              isChosen={card === chosen}
              mode={card === chosen ? mode : "reading"}
              onChoose={() => select(card.approval.id)}
              onMode={(next) => select(card.approval.id, next)}
              onReply={(given, isForAlike) => reply(card, given, isForAlike)}
            />
          </li>
        ))}
      </ol>
    </section>
  );
}
