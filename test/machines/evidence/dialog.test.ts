// Dialog
// Nothing speaks of a terminal where the asker has none, and of an answer there only where something shows it.

import { describe, expect, test } from "vitest";
import { childAddress, type Input } from "../../../machines/index.ts";
import { approvalView } from "../../../runtime/rows/views.ts";
import { asked, call, none } from "../../support/sessions/asking.ts";
import { SESSION, type SessionRun, WORKSPACE } from "../../support/sessions/session-run.ts";

const FIRST = call("make", "t1");
const NEXT = call("ls", "t2");
const begins = (about: typeof FIRST, isClient = true): Input => ({
  type: "tool.started",
  call: about,
  ...(isClient && { oneByOne: true }),
});
const placed = (about: typeof FIRST): Input => ({ type: "tool.announced", call: about, messageId: "m1" });

const isMaybeAnswered = (run: SessionRun): boolean[] =>
  run.approvals.map(({ id }) => {
    const snapshot = run.snapshot(childAddress(run.home, "approval", id));
    return snapshot !== undefined && approvalView(WORKSPACE, SESSION, snapshot).maybeAnswered === true;
  });

describe("the note of an answer at the terminal", () => {
  test.each([
    ["hook", true],
    ["gate", true],
    ["gate-sdk", false],
    ["gate-mcp", false],
    ["gate-service", false],
    ["gateway", false],
    ["sample", false],
    ["hooks", false],
  ])("DIALOG-1: what is asked by %s is maybe answered, once its client began another call: %s", (by, is) => {
    expect(isMaybeAnswered(none().tell(begins(FIRST), asked(FIRST, by, "q1"), begins(NEXT)))).toEqual([is]);
  });

  test("DIALOG-1: it goes where the same is asked by a channel that has no terminal, too", () => {
    const run = none().tell(begins(FIRST), asked(FIRST, "hook", "q1"), begins(NEXT));
    expect(isMaybeAnswered(run)).toEqual([true]);
    expect(isMaybeAnswered(run.tell(asked(FIRST, "gate-sdk", "q2")))).toEqual([false]);
  });

  test("DIALOG-2: what a service begins beside a client's question shows nothing", () => {
    expect(isMaybeAnswered(none().tell(begins(FIRST), asked(FIRST), begins(NEXT, false)))).toEqual([false]);
  });

  test("DIALOG-2: a start that is told again, and one of a call that stands before it, show nothing", () => {
    const again = none().tell(begins(NEXT), begins(FIRST), asked(FIRST), begins(NEXT));
    expect(isMaybeAnswered(again)).toEqual([false]);
    const late = none().tell(placed(NEXT), placed(FIRST), begins(FIRST), asked(FIRST), begins(NEXT));
    expect(isMaybeAnswered(late)).toEqual([false]);
    const later = none().tell(placed(FIRST), placed(NEXT), begins(FIRST), asked(FIRST), begins(NEXT));
    expect(isMaybeAnswered(later)).toEqual([true]);
  });

  test.each([
    ["gate", "terminal"],
    ["gate-sdk", "client"],
    ["gate-mcp", "client"],
  ])("DIALOG-1: a user's answer to what %s asks is said to be given at the %s", (channel, by) => {
    const answer: Input = {
      ...{ type: "tool.permission", call: FIRST, decision: "accept", settles: true },
      source: "user_temporary",
    };
    const [{ context } = {}] = none().tell(begins(FIRST), asked(FIRST, channel, "q1"), answer).approvals;
    expect(context).toMatchObject({ by, observed: true });
  });
});
