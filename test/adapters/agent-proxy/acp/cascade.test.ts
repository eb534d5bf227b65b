// Cascade
// What one denial ends of the calls beside it: nothing is foreseen, and what the agent says of each is believed.

import { expect, it } from "vitest";
import type { ApprovalId, CallContext, SessionId } from "../../../../machines/index.ts";
import { HOUR_MS, Rig, WORKSPACE } from "../../../support/engine/rig.ts";
import { approvalIn } from "../../../support/rules/ruled.ts";

const SESSION = "agent-1";

async function tell(rig: Rig, note: object, gate?: object): Promise<void> {
  const data = { hook: { session: SESSION, prompt: "p", ...note }, ...(gate && { gate }) };
  const message = rig.message(SESSION, [], { type: "acp.hook", source: "acp", data });
  await (
    await rig.engine.submit(message)
  ).settled;
}

/** Three calls of one prompt that wait, of which the first is denied. */
async function denied(interrupt: boolean): Promise<Rig> {
  const rig = await Rig.start();
  await tell(rig, { acp: "session" });
  await tell(rig, { acp: "prompt", text: "Go." });
  for (const call of ["c1", "c2", "c3"]) {
    await tell(rig, { acp: "call", call, tool: "execute", status: "pending" });
    const gate = { approvalId: `a-${call}`, deadlineAt: rig.clock.now() + HOUR_MS, onDeadline: "deny" };
    await tell(rig, { acp: "permission", call, tool: "execute", tool_input: { command: call } }, gate);
  }
  const decision = { type: "decision", decision: "deny", by: "local:ann", interrupt } as const;
  await rig.engine.own(WORKSPACE, SESSION as SessionId, { ...decision, approvalId: "a-c1" as ApprovalId });
  return rig;
}

const endOf = (rig: Rig, id: string): unknown => {
  const rows = [...rig.rows(`actor/${WORKSPACE}/${SESSION}/call/`).values()].map(
    (text) =>
      JSON.parse(text) as { readonly value: { readonly execution: unknown }; readonly context: CallContext },
  );
  const row = rows.find(({ context }) => context.toolUseId === id);
  return row?.context.denial?.cause ?? row?.value.execution;
};
const waits = (rig: Rig): readonly unknown[] =>
  ["a-c2", "a-c3"].map((id) => approvalIn(rig, id, SESSION)?.state);

it("PROXY-CALLS-3: a denial ends no other call; one that its agent ends is denied by the agent, one that ran has run", async () => {
  const rig = await denied(false);
  expect(waits(rig)).toEqual(["pending", "pending"]);
  await tell(rig, { acp: "call", call: "c1", tool: "execute", status: "rejected", output: "no" });
  expect(waits(rig)).toEqual(["pending", "pending"]);
  await tell(rig, {
    acp: "call",
    call: "c2",
    tool: "execute",
    status: "refused",
    output: "The user rejected…",
  });
  await tell(rig, { acp: "call", call: "c3", tool: "execute", status: "completed", output: "ok" });
  expect(["c1", "c2", "c3"].map((id) => endOf(rig, id))).toEqual(["direct", "hook", "completed"]);
});

it("PROXY-CALLS-3: so it is where the denial interrupts: the cancelled turn says how each call ended", async () => {
  const rig = await denied(true);
  expect(endOf(rig, "c2")).not.toBe("cascade");
  await tell(rig, { acp: "call", call: "c2", tool: "execute", status: "completed", output: "ok" });
  expect(endOf(rig, "c2")).toBe("completed");
});
