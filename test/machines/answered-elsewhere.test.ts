// Answered elsewhere
// An approval that was answered at the client's terminal says so, in whatever order that is heard.

import { describe, expect, test } from "vitest";
import type { ApprovalId, Input } from "../../machines/index.ts";
import { asked, call, none, started } from "../support/sessions/asking.ts";
import type { SessionRun } from "../support/sessions/session-run.ts";

const about = call("ls", "a");
const LEFT: Input = { type: "waiter.gone", approvalId: "g1" as ApprovalId };
const REFUSED: Input = { type: "tool.denied", call: about, verdict: "user" };
const RAN: Input = { type: "tool.finished", call: about };
const word = (decision: "accept" | "reject"): Input => ({
  type: "tool.permission",
  call: about,
  decision,
  source: decision === "accept" ? "user_temporary" : "user_reject",
  settles: true,
});
const asking = (): SessionRun => none().tell(started(about), asked(about, "gate", "g1"));

function outcomeAfter(evidence: readonly Input[]) {
  const [{ state, context } = { state: "", context: {} }] = asking().tell(...evidence).approvals;
  const { outcome, by, observed } = context;
  return { answer: state === "withdrawn" ? outcome : state, by, observed };
}

const ordersOf = <T>(all: readonly T[]): readonly (readonly T[])[] =>
  all.length === 0
    ? [[]]
    : all.flatMap((one, n) => ordersOf(all.filter((_, m) => m !== n)).map((rest) => [one, ...rest]));

describe("an approval answered at the terminal", () => {
  test.each([
    ["denied", ordersOf([LEFT, REFUSED, word("reject")])],
    ["approved", ordersOf([LEFT, RAN, word("accept")])],
  ])("I-24, APPROVAL-2: says that it was %s, and that the terminal did so, in every order", (answer, all) => {
    for (const order of all)
      expect([order, outcomeAfter(order)]).toEqual([order, { answer, by: "terminal", observed: true }]);
  });

  test.each([
    ["denied", REFUSED],
    ["approved", RAN],
  ])("I-24, APPROVAL-2: without telemetry, says by the call's end that it was %s", (answer, result) => {
    for (const order of ordersOf([LEFT, result]))
      expect([order, outcomeAfter(order)]).toMatchObject([order, { answer, by: "elsewhere" }]);
  });

  test.each([
    ["denied", "reject"],
    ["approved", "accept"],
  ] as const)(
    "PERMITS-2, I-24: says that it was %s where that is told before it is asked for",
    (state, said) => {
      for (const before of [
        [started(about), word(said)],
        [word(said), started(about)],
      ]) {
        const run = none().tell(...before, asked(about, "gate", "g1"));
        expect(run.approvals).toMatchObject([{ state, context: { by: "terminal", observed: true } }]);
      }
    },
  );

  test("APPROVAL-2: says nothing where nothing was heard, and each word of it changes it once", () => {
    expect(outcomeAfter([LEFT])).toMatchObject({ answer: "unknown", by: "elsewhere" });
    const run = asking().tell(LEFT);
    const heard = [REFUSED, REFUSED, word("reject"), word("reject")].map((input) => run.hear(input));
    const told = heard.map(({ audits = [] }) =>
      audits.filter(({ kind }) => kind === "observed-outcome").map(({ by }) => by),
    );
    expect(told).toEqual([["elsewhere"], [], ["terminal"], []]);
  });
});
