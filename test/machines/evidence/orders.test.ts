// Evidence: orders
// A call, the question about it, its answer and what is heard of both, in every order in which they can be told.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { childAddress, type Input } from "../../../machines/index.ts";
import { alarmIn, approvalView } from "../../../runtime/rows/views.ts";
import { beginning, type Case, cases, expected, inputOf } from "../../support/machines/evidence.ts";
import { ordersOf } from "../../support/machines/orders.ts";
import { holds } from "../../support/properties/property.ts";
import { SESSION, SessionRun, WORKSPACE } from "../../support/sessions/session-run.ts";

const FILE = "test/machines/evidence/orders.test.ts";

interface Piece {
  readonly what: "start" | "question" | "answer" | "of the answer" | "of the call" | "permission";
  readonly input: Input;
}

const OF_THE_ANSWER = /^(taken|alone|left)/;
const whatOf = (evidence: string): Piece["what"] =>
  OF_THE_ANSWER.test(evidence)
    ? "of the answer"
    : evidence === "allowed at the terminal"
      ? "permission"
      : "of the call";

function piecesOf(given: Case): readonly Piece[] {
  const [, start, question, answer] = beginning(given);
  if (!start || !question || !answer) throw new Error("a case begins with a start, a question and an answer");
  return [
    { what: "start", input: start },
    { what: "question", input: question },
    { what: "answer", input: answer },
    ...given.evidence.map((each) => ({ what: whatOf(each), input: inputOf(each) })),
  ];
}

/** An answer follows its question, what is heard of it follows it, and nobody answers once the call is known to be over. */
function canBe(order: readonly Piece[]): boolean {
  const at = (what: Piece["what"]): number => order.findIndex((piece) => piece.what === what);
  const answered = at("answer");
  if (at("question") > answered) return false;
  if (order.some(({ what }, index) => what === "of the answer" && index < answered)) return false;
  const before = order.slice(0, answered);
  const isKnown = before.some(({ what, input }) => what === "start" || input.type === "tool.batch");
  return !isKnown || !before.some(({ what }) => what === "of the call");
}

function told(order: readonly Piece[]) {
  const run = new SessionRun({ policy: { cascade: "interrupt" } });
  run.tell({ type: "prompt.submitted", promptId: "p1", text: "go" });
  for (const { input } of order) run.hear(input);
  run.tell({ type: "session.ended" });
  const [only, ...more] = run.calls;
  expect([only?.id, more.length]).toEqual(["t1", 0]);
  const call = run.snapshot(childAddress(run.home, "call", "t1"));
  const approval = run.snapshot(childAddress(run.home, "approval", "g1"));
  if (!call || !approval) throw new Error("the call or its approval is missing");
  const alarm = alarmIn(call);
  return {
    step: approvalView(WORKSPACE, SESSION, approval).receipt?.step,
    alarm: alarm && `${alarm.kind} ${alarm.because}`,
  };
}

const APPROVED: Case = { closes: "deny", answer: "approve", evidence: ["ran, unseen input"] };
const SHORT: readonly Case[] = [
  APPROVED,
  { ...APPROVED, startsOther: true },
  { ...APPROVED, startsOther: true, closes: "ask" },
  { ...APPROVED, isNameless: true },
  { ...APPROVED, evidence: ["ran on other"] },
  { ...APPROVED, evidence: ["ran on other", "allowed at the terminal"] },
  { ...APPROVED, evidence: ["ran on asked", "alone deny"] },
  { ...APPROVED, evidence: ["ran, every call gated"] },
  { ...APPROVED, answer: "approve edited", evidence: ["ran on edited", "ran, unseen input"] },
  { ...APPROVED, answer: "deny", evidence: ["ran on asked", "allowed at the terminal"] },
  { ...APPROVED, answer: "deny", evidence: ["did not run"] },
  { ...APPROVED, answer: "deadline", evidence: ["ran on asked"] },
];

describe("whatever is heard first", () => {
  test("ALARM-1, ALARM-5, BINDING-1, EVIDENCE-3, PERMITS-1: every order of a short case says what the reference says", () => {
    let tried = 0;
    for (const given of SHORT) {
      for (const order of ordersOf(piecesOf(given))) {
        if (!canBe(order)) continue;
        tried += 1;
        const heard = order.map(({ input }) => input.type).join(" > ");
        expect(told(order), `${JSON.stringify(given)}: ${heard}`).toEqual(expected(given));
      }
    }
    expect(tried).toBeGreaterThan(140);
  });

  test("ALARM-1, RECEIPT-1, BINDING-1, PERMITS-1: any order of any case does", () => {
    const tried = fc
      .record({ given: cases, startsOther: fc.boolean(), isNameless: fc.boolean() })
      .map(({ given, startsOther, isNameless }) => ({
        ...given,
        startsOther: startsOther && !isNameless,
        isNameless,
      }))
      .chain((given) =>
        fc
          .shuffledSubarray([...piecesOf(given)], { minLength: piecesOf(given).length })
          .map((order) => ({ given, order })),
      )
      .filter(({ order }) => canBe(order));
    holds(FILE, 300, tried, ({ given, order }) => {
      expect(told(order)).toEqual(expected(given));
    });
  });
});
