// Heard
// What changes of a call say about the cards of the inbox.

import { describe, expect, test } from "vitest";
import type { Card } from "../../../../adapters/panel/page/inbox/card/card.ts";
import { confirmed, withMoreOfCall } from "../../../../adapters/panel/page/inbox/heard.ts";
import type { Input } from "../../../../machines/index.ts";
import type { StateChange } from "../../../../runtime/rows/changes.ts";
import { approvalView } from "../../../../runtime/rows/views.ts";
import { childAddress } from "../../../../machines/index.ts";
import { asked, call, decided, none, started } from "../../../support/sessions/asking.ts";
import { SESSION, WORKSPACE } from "../../../support/sessions/session-run.ts";

const FIRST = call("make", "t1");
const WORDS: Input = {
  ...{ type: "tool.announced", call: FIRST, messageId: "m" },
  intent: { text: "Ship it", source: "message", confidence: "certain" },
};
const REFUSED: Input = { type: "tool.denied", call: FIRST, verdict: "user", beforeRun: true };

const asking = () => none().tell(started(FIRST), asked(FIRST, "gate", "q1"));

function cardOf(run: ReturnType<typeof asking>, phase: Card["phase"]): Card {
  const snapshot = run.snapshot(childAddress(run.home, "approval", "q1"));
  if (!snapshot) throw new Error("There is no approval q1.");
  return { approval: approvalView(WORKSPACE, SESSION, snapshot), phase };
}

/** Numbers matter to nobody here. */
const changesAfter = (run: ReturnType<typeof asking>, input: Input): readonly StateChange[] =>
  (run.hear(input).changes ?? []).map((change, n) => ({
    ...{ n, version: n, epoch: 1, turn: n, part: 1, parts: 1, at: 0 },
    ...change,
  }));

describe("what cards hear", () => {
  test("HEARD-2: words that come late are on an open card at once, and change no other", () => {
    const run = asking();
    const [open, sent] = [
      cardOf(run, { is: "open" }),
      cardOf(run, { is: "sending", reply: { decision: "deny" } }),
    ];
    const cards = changesAfter(run, WORDS).reduce(withMoreOfCall, [open, sent]);
    expect(cards.map((card) => card.call?.intent?.text)).toEqual(["Ship it", undefined]);
  });

  test("HEARD-1: a change that comes before the engine's reply to the answer is kept", () => {
    const run = asking().tell(decided("q1", "deny", "make"));
    const sending = cardOf(run, { is: "sending", reply: { decision: "deny" } });
    const cards = changesAfter(run, REFUSED).reduce<readonly Card[]>(confirmed, [sending]);
    expect(cards[0]?.phase).toMatchObject({ is: "sending", seen: "obeyed" });
  });

  test("HEARD-1: late words are no sign that a denial was obeyed; the agent's own word is", () => {
    const run = asking().tell(decided("q1", "deny", "make"));
    const denied = cardOf(run, { is: "committed", reply: { decision: "deny" } });
    const seenAfter = (input: Input) => {
      const [card] = changesAfter(run, input).reduce<readonly Card[]>(confirmed, [denied]);
      return card?.phase.is === "committed" && card.phase.seen;
    };
    expect([seenAfter(WORDS), seenAfter(REFUSED)]).toEqual([undefined, "obeyed"]);
  });
});
