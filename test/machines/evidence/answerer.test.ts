// Answerer
// What a model's answer is worth beside a person's: it settles its own question, and excuses nothing.

import { describe, expect, test } from "vitest";
import { type ApprovalId, childAddress, type Input, isModels } from "../../../machines/index.ts";
import type { CallContext } from "../../../machines/facts/call-facts.ts";
import { alarmIn } from "../../../runtime/rows/views.ts";
import { beginning, inputOf } from "../../support/machines/evidence.ts";
import { call, none } from "../../support/sessions/asking.ts";
import type { SessionRun } from "../../support/sessions/session-run.ts";

const about = call("ls", "t1");
const id = "review-1" as ApprovalId;
const answered = (decision: "approve" | "deny", by: string): readonly Input[] => [
  { type: "approval.requested", approvalId: id, call: about, channel: "model" },
  { type: "approval.answered", approvalId: id, call: about, decision, by },
];
const shown = (run: SessionRun, kind: "call" | "approval", of: string) =>
  run.snapshot(childAddress(run.home, kind, of));
const alarm = (run: SessionRun): string | undefined => {
  const found = shown(run, "call", "t1");
  return found && alarmIn(found)?.kind;
};

describe("a model's answer", () => {
  test("ANSWERER-1: allows the call that it is about, which raises no alarm", () => {
    const run = none().tell({ type: "tool.announced", call: about }, ...answered("approve", "model"));
    const finished = run.tell({ type: "tool.finished", call: about, output: "" });
    expect(shown(finished, "approval", id)).toMatchObject({
      value: "approved",
      context: { by: "model", observed: true },
    });
    expect(alarm(finished)).toBeUndefined();
  });

  test("ANSWERER-1, C4: denies it with a cause of its own, which a vaguer word does not replace", () => {
    const run = none().tell({ type: "tool.announced", call: about }, ...answered("deny", "model"));
    const declined = run.tell({ type: "tool.denied", call: about, verdict: "rule", beforeRun: true });
    const { denial } = shown(declined, "call", "t1")?.context as CallContext;
    expect(denial).toMatchObject({ cause: "model", by: "model" });
  });

  test("ANSWERER-1: does not excuse a call that ran though it was denied here; a person's at the terminal does", () => {
    for (const [by, kind] of [
      ["model", "executedAfterDenial"],
      ["terminal", undefined],
    ] as const) {
      const run = none().tell(
        ...beginning({ closes: "deny", answer: "deny", evidence: [] }),
        inputOf("ran on asked"),
      );
      expect(alarm(run)).toBe("executedAfterDenial");
      const approvalId = "g1" as ApprovalId;
      const said: Input = { type: "approval.answered", approvalId, call: about, decision: "approve", by };
      expect(alarm(run.tell(said))).toBe(kind);
    }
  });

  test("ANSWERER-1: is told by its name", () => {
    expect(["model", "rule:1", "terminal", "local:model"].map(isModels)).toEqual([true, false, false, false]);
  });
});
