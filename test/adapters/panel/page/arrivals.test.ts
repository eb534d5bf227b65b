// Arrivals
// A card between the moment its approval is heard of and the moment it is shown.

import { describe, expect, test } from "vitest";
import type { Card } from "../../../../adapters/panel/page/inbox/card/card.ts";
import { Arrivals } from "../../../../adapters/panel/page/inbox/arrivals.ts";
import { keyOf } from "../../../../adapters/panel/page/inbox/name.ts";
import type { Input } from "../../../../machines/index.ts";
import { childAddress } from "../../../../machines/index.ts";
import type { StateChange } from "../../../../runtime/rows/changes.ts";
import { approvalView } from "../../../../runtime/rows/views.ts";
import { asked, call, none, started } from "../../../support/sessions/asking.ts";
import { SESSION, WORKSPACE } from "../../../support/sessions/session-run.ts";

const MAKE = call("make", "t1");

/** A session in which one call waits, and an inbox whose questions and timer the test answers. */
function inbox() {
  const run = none().tell(started(MAKE), asked(MAKE, "gate", "q1"));
  const snapshot = run.snapshot(childAddress(run.home, "approval", "q1"));
  if (!snapshot) throw new Error("There is no approval q1.");
  const approval = approvalView(WORKSPACE, SESSION, snapshot);
  const shown: Card[] = [];
  const renewed: Card[] = [];
  const questions: ((card: Card | undefined) => void)[] = [];
  const timers: (() => void)[] = [];
  const arrivals = new Arrivals({
    ask: () => new Promise((resolve) => questions.push(resolve)),
    after: (_, callback) => {
      timers.push(callback);
      return () => void timers.splice(timers.indexOf(callback), 1);
    },
    show: (card) => shown.push(card),
    renew: (card) => renewed.push(card),
  });
  const told = (text: string, source = "message"): readonly StateChange[] => {
    const announced: Input = { type: "tool.announced", call: MAKE, messageId: "m" };
    const intent = { text, source, confidence: "certain" };
    return (run.hear({ ...announced, intent } as Input).changes ?? []).map((change, n) => ({
      ...{ n, version: n, epoch: 1, turn: n, part: 1, parts: 1, at: 0 },
      ...change,
    }));
  };
  const card = (text?: string): Card => ({
    approval,
    phase: { is: "open" },
    ...(text !== undefined && {
      call: { id: "t1", workspace: WORKSPACE, intent: { text, source: "description" } } as Card["call"] &
        object,
    }),
  });
  return {
    ...{ arrivals, approval, card, told },
    more: () => renewed.map((each) => each.call?.intent?.text),
    words: () => shown.map((each) => each.call?.intent?.text),
    hear: (changes: readonly StateChange[]) => {
      for (const change of changes) if (change.entity === "toolcall") arrivals.hear(change);
    },
    answer: async (which: number, found: Card | undefined) => {
      questions[which]?.(found);
      await Promise.resolve();
      await Promise.resolve();
    },
    pass: () => timers.splice(0).forEach((each) => each()),
  };
}

describe("a card that is not shown yet", () => {
  test("ARRIVALS-1: has the words that came while it was held", async () => {
    const { arrivals, approval, card, told, words, hear, answer } = inbox();
    void arrivals.add(approval);
    await answer(0, card("Deploys the shop"));
    expect(words()).toEqual([]);
    hear(told("Ship it"));
    expect(words()).toEqual(["Ship it"]);
  });

  test("ARRIVALS-1: has the words that came while it was asked for, whatever the answer knows", async () => {
    const { arrivals, approval, card, told, words, hear, answer } = inbox();
    void arrivals.add(approval);
    hear(told("Ship it"));
    await answer(0, card("Deploys the shop"));
    expect(words()).toEqual(["Ship it"]);
  });

  test("ARRIVALS-1: is told more where its time was over before an answer came", async () => {
    const { arrivals, approval, card, words, more, answer, pass } = inbox();
    void arrivals.add(approval);
    await answer(0, card());
    void arrivals.add(approval);
    pass();
    await answer(1, card("Deploys the shop"));
    expect([words(), more()]).toEqual([[undefined], ["Deploys the shop"]]);
  });

  test("ARRIVALS-2: an answer that was asked for earlier and comes later counts no more", async () => {
    const { arrivals, approval, card, words, answer, pass } = inbox();
    void arrivals.add(approval);
    void arrivals.add(approval);
    await answer(1, card("new"));
    await answer(0, card("old"));
    pass();
    expect(words()).toEqual(["new"]);
  });

  test("ARRIVALS-1: is never shown once it is over, and is shown by what is known where it cannot be read", async () => {
    const { arrivals, approval, card, words, answer, pass } = inbox();
    void arrivals.add(approval);
    arrivals.drop(keyOf(approval));
    await answer(0, card("late"));
    pass();
    expect([words(), arrivals.size]).toEqual([[], 0]);
    void arrivals.add(approval, true);
    await answer(1, undefined);
    expect(words()).toEqual([undefined]);
  });
});
