// Names
// Ids within one workspace: whose they are, and which of two equal ones is renamed.

import { describe, expect, test } from "vitest";
import { Queries } from "../../../runtime/reading/queries.ts";
import { Rig } from "../../support/engine/rig.ts";
import { call, said as inputs } from "../../support/sessions/said.ts";

describe("ids within a workspace", () => {
  test("R3: a prompt whose id names another session's request gets a request with a new id, and loses nothing", async () => {
    const rig = await Rig.start();
    await rig.tell("s1", inputs.prompt("p1"), inputs.pre(call("t1")));
    const forked = await rig.tell("s2", inputs.prompt("p1"), inputs.pre(call("t1")), inputs.stop());
    expect(forked).toEqual(expect.objectContaining({ outcome: "applied" }));
    expect(forked.reason).toBeUndefined();
    const [id = ""] = rig.changes
      .filter((each) => each.sessionId === "s2" && each.entity === "request")
      .map((each) => each.id);
    expect(id).toMatch(/^r_[a-z2-7]{52}$/);
    expect(rig.state(`s2/request/${id}`)).toMatchObject({ lifecycle: "completed" });
    expect(new Queries(rig.engine).getRequest(id)).toMatchObject({ prompt: "do p1", sessionId: "s2" });
    expect(rig.state("s2/call/t1")).toBeDefined();
    expect(rig.state("s1/request/p1")).toMatchObject({ lifecycle: { processing: "running" } });
    // The prompt keeps its meaning: here that request, there the other.
    await rig.tell("s2", inputs.pre(call("t2")));
    expect(rig.state(`s2/request/${id}_2`)).toMatchObject({ lifecycle: { processing: "running" } });
  });

  test("R3: work without a prompt, and continued work, get a new id if another session has theirs", async () => {
    const rig = await Rig.start();
    await rig.tell("s1", inputs.created("p1"), inputs.created("p2_2"));
    const unseen = { type: "tool.started", call: call("t1"), promptId: "p1" } as const;
    expect(await rig.tell("s2", unseen)).toMatchObject({ outcome: "applied" });
    await rig.tell("s3", inputs.prompt("p2"), inputs.stop());
    expect(await rig.tell("s3", inputs.pre(call("t3")))).toMatchObject({ outcome: "applied" });
    const ids = rig.changes
      .filter(({ entity, from, sessionId }) => entity === "request" && from === null && sessionId !== "s1")
      .map(({ id }) => id.slice(0, 2));
    expect(ids).toEqual(["r_", "p2", "r_"]);
  });

  test("R3: an id that was asked for is granted or refused, never changed", async () => {
    const rig = await Rig.start();
    await rig.tell("s1", inputs.created("g1"), inputs.ask("a1", call("t1")));
    expect(await rig.tell("s2", inputs.created("g1"))).toMatchObject({
      outcome: "rejected",
      reason: "request g1 belongs to w/s1/request/g1",
    });
    expect(await rig.tell("s2", inputs.ask("a1", call("t1")))).toMatchObject({ outcome: "rejected" });
  });
});
