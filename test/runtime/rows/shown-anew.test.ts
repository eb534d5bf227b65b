// Shown anew
// Followers hear of whatever a view shows: what they were told last is what stands.

import { describe, expect, test } from "vitest";
import { childAddress, type Input } from "../../../machines/index.ts";
import { approvalView, callView } from "../../../runtime/rows/views.ts";
import { announced, asked, call, none, started } from "../../support/sessions/asking.ts";
import { sessions } from "../../support/sessions/generate.ts";
import { holds } from "../../support/properties/property.ts";
import { type Heard, SESSION, SessionRun, WORKSPACE } from "../../support/sessions/session-run.ts";

const FILE = "test/runtime/rows/shown-anew.test.ts";
const FIRST = call("make", "t1");

/** What readers are shown of each call and approval, by itself: not how its batch is ordered, nor when it was heard of. */
function shownBy(run: SessionRun): ReadonlyMap<string, string> {
  const shown = new Map<string, string>();
  const add = (entity: string, id: string, view: object | undefined): void => {
    if (view) shown.set(`${entity} ${id}`, textOf(view));
  };
  for (const { id } of run.calls) {
    const snapshot = run.snapshot(childAddress(run.home, "call", id));
    add("toolcall", id, snapshot && callView(SESSION, snapshot, undefined));
  }
  for (const { id } of run.approvals) {
    const snapshot = run.snapshot(childAddress(run.home, "approval", id));
    add("approval", id, snapshot && approvalView(WORKSPACE, SESSION, snapshot));
  }
  return shown;
}

const textOf = (view: unknown): string =>
  JSON.stringify({ ...(view as object), ordered: undefined, updatedAt: undefined });

const toldIn = ({ changes = [] }: Heard): readonly string[] =>
  changes.map(({ entity, id, to }) => `${entity} ${id} ${to}`);

describe("what followers hear of", () => {
  test("ROWS-CHANGES-1: in any session, what was told last of a call or an approval is what is shown of it", () => {
    holds(FILE, 60, sessions(40), ({ policy, steps }) => {
      const run = new SessionRun({ policy: { cascade: policy } });
      const told = new Map<string, string>();
      for (const step of steps) {
        const { changes = [] } = run.take(step) ?? {};
        for (const { entity, id, view } of changes) told.set(`${entity} ${id}`, textOf(view));
        for (const [name, view] of shownBy(run)) expect([name, told.get(name)]).toEqual([name, view]);
      }
    });
  });

  test("ROWS-CHANGES-1: words that come late, a gate that joins with its own id, and a call that is found are told", () => {
    const run = none().tell(started(FIRST), asked(FIRST, "hook", "q1"));
    const intent = { text: "Ship it", source: "message", confidence: "certain" } as const;
    const words: Input = { type: "tool.announced", call: FIRST, messageId: "m1", intent };
    expect(toldIn(run.hear(words))).toEqual(["toolcall t1 annotated"]);
    const { changes = [] } = run.hear(asked(FIRST, "gate", "q2"));
    expect(changes.find(({ entity }) => entity === "approval")).toMatchObject({
      ...{ id: "q1", from: "pending", to: "annotated" },
      view: { channels: ["hook", "gate"], aliases: ["q2"] },
    });
    const early = none().tell(asked(FIRST, "gateway", "q3"));
    expect(toldIn(early.hear(started(FIRST)))).toContain("approval q3 annotated");
  });

  test("ROWS-CHANGES-2: what nobody is shown, and what is heard again, is told to nobody", () => {
    const run = none().tell(announced(FIRST), started(FIRST), asked(FIRST, "gate", "q1"));
    const ofBoth = (input: Input) =>
      toldIn(run.hear(input)).filter((each) => /^(toolcall|approval) /.test(each));
    expect([started(FIRST), announced(FIRST), asked(FIRST, "gate", "q1")].flatMap(ofBoth)).toEqual([]);
  });
});
