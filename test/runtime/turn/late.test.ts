// Late
// Messages that come, or come again, after what they are about was removed.

import { expect, test } from "vitest";
import type { AgentId, ApprovalId, SessionId, SourceInput } from "../../../machines/index.ts";
import { DAY_MS, HOUR_MS, Rig, WORKSPACE } from "../../support/engine/rig.ts";
import { call, said } from "../../support/sessions/said.ts";

const keysOf = (rig: Rig, session: string): readonly string[] =>
  [...rig.rows().keys()].filter((key) => key.includes(`w/${session}`) && !/^(change|audit)\//.test(key));

const id = (text: string): ApprovalId => text as ApprovalId;

test("R3: an approval requested after the last request was removed opens a request of its own, whichever agent asks", async () => {
  const rig = await Rig.start();
  await rig.tell("s1", said.prompt("p1"), said.agentPre("sub", call("c1")), said.post(call("c1")));
  await rig.tell("s1", said.stop());
  await rig.pass(DAY_MS + HOUR_MS);
  expect(rig.state("s1/request/p1")).toBeUndefined();
  await rig.tell("s1", said.ask("a1", call("c2")));
  await rig.tell("s1", { ...said.ask("a2", call("c3")), agentId: "sub" as AgentId });
  await rig.tell("s1", said.agentPre("sub", call("c4")));
  const homes = rig.changes
    .filter(({ entity, from }) => from === null && (entity === "approval" || entity === "toolcall"))
    .map(({ id, requestId }) => [id, rig.state(`s1/request/${requestId ?? ""}`) !== undefined]);
  expect(homes).toEqual([
    ["c1", false],
    ["a1", true],
    ["a2", true],
    ["c4", true],
  ]);
});

test("G33: an approval that is requested or decided again after its removal is late", async () => {
  const rig = await Rig.start();
  await rig.tell("s1", said.prompt("p1"), said.pre(call("c1")), said.ask("a1", call("c1")));
  await rig.tell("s1", { ...said.ask("g1", call("c1")), channel: "sdk" } as SourceInput);
  await rig.tell("s1", said.answered("a1", call("c1"), "approve"), said.post(call("c1")), said.stop());
  await rig.pass(DAY_MS + HOUR_MS);
  for (const again of ["a1", "g1"]) {
    const late = { outcome: "rejected", reason: `late: ${again} was removed` };
    expect(await rig.tell("s1", said.ask(again, call("c9")))).toMatchObject(late);
    const decision = { type: "decision", approvalId: id(again), decision: "deny", by: "ann" } as const;
    expect(await rig.engine.own(WORKSPACE, "s1" as SessionId, decision)).toMatchObject(late);
  }
  expect([...rig.rows("owner/approval/").keys()]).toEqual([]);
});

test("G33: a session that came back and was removed again keeps the ids it has seen for the newer tombstone's 7 days", async () => {
  const rig = await Rig.start();
  await rig.tell("s1", said.prompt("p1"), said.stop(), said.sessionEnd());
  await rig.pass(2 * DAY_MS + HOUR_MS, HOUR_MS);
  expect(rig.state("s1")).toBeUndefined();
  const again = { id: "again" };
  await (
    await rig.submit("s1", [said.sessionStart(), said.sessionEnd()], again)
  ).settled;
  await rig.pass(7 * DAY_MS, HOUR_MS);
  expect(rig.state("s1")).toBeUndefined();
  const repeated = await (await rig.submit("s1", [said.sessionStart()], again)).settled;
  expect(repeated).toMatchObject({ outcome: "duplicate" });
  await rig.pass(2 * DAY_MS, HOUR_MS);
  expect(keysOf(rig, "s1")).toEqual([expect.stringMatching(/^last\//), "ledger/w/s1"]);
});
