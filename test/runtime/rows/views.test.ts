// Views
// A call as it is shown, after what was first taken for its end was taken back.

import { expect, test } from "vitest";
import type { ApprovalId, Input } from "../../../machines/index.ts";
import { childAddress } from "../../../machines/index.ts";
import { approvalView, callView } from "../../../runtime/rows/views.ts";
import { toolInput } from "../../../runtime/canonical.ts";
import { causeOfCall } from "../../../adapters/cli/wording.ts";
import { callAnswer } from "../../../adapters/cli/answers.ts";
import { SESSION, SessionRun, WORKSPACE } from "../../support/sessions/session-run.ts";

const call = { toolUseId: "t1", tool: "Bash", input: toolInput({ command: "ls" }) };
const started: Input = { type: "tool.started", call };
const listed: Input = { type: "tool.batch", calls: [call] };
const ended: Input = { type: "session.ended" };
const finished: Input = { type: "tool.finished", call, output: "done" };

function shown(...inputs: readonly Input[]) {
  const run = new SessionRun().tell(...inputs);
  const snapshot = run.snapshot(childAddress(run.home, "call", "t1"));
  if (!snapshot) throw new Error("There is no call t1.");
  const view = callView(SESSION, snapshot, undefined);
  return { view, cause: causeOfCall(callAnswer.parse(view)) };
}

test("C2, C4: a call shows why it has no result only as long as it has none", () => {
  expect(shown(started, listed)).toMatchObject({
    view: { execution: "denied", denial: { cause: "inferred", inferredFrom: "batch" } },
    cause: "inferred from its batch",
  });
  expect(shown(started, ended)).toMatchObject({
    view: { execution: "missing-post", missing: { cause: "interrupted" } },
    cause: "interrupted",
  });
  for (const [before, was] of [
    [listed, "denied"],
    [ended, "missing-post"],
  ] as const) {
    const { view, cause } = shown(started, before, finished);
    expect([view.execution, view.was, cause]).toEqual(["completed", was, ""]);
    expect(view).not.toHaveProperty("denial");
    expect(view).not.toHaveProperty("missing");
  }
});

test("DIALOG-1: a row that an older version marked is shown without the note, unless a terminal may have answered it", () => {
  const noteOf = (channel: string) => {
    const asked: Input = { type: "approval.requested", approvalId: "q1" as ApprovalId, call, channel };
    const run = new SessionRun().tell(started, asked);
    const before = run.snapshot(childAddress(run.home, "approval", "q1"));
    if (!before) throw new Error("There is no approval q1.");
    const marked = { ...before, context: { ...before.context, stale: true } };
    return approvalView(WORKSPACE, SESSION, marked).maybeAnswered;
  };
  expect(["gate", "hook", "gateway", "gate-service"].map(noteOf)).toEqual([true, true, undefined, undefined]);
});
