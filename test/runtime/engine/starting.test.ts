// Starting
// What a start finds, reports and takes over.

import { describe, expect, test } from "vitest";
import { MemoryDisk } from "../../../adapters/memory/index.ts";
import type { OwnMessage } from "../../../runtime/message.ts";
import { Rig, type RigOptions } from "../../support/engine/rig.ts";
import { call, said } from "../../support/sessions/said.ts";

describe("starting", () => {
  test("S1.19, S1.21: a start reports what is open: requests and approvals, the oldest first", async () => {
    const rig = await Rig.start();
    await rig.tell("s1", said.prompt("p1"), said.pre(call("c1")), said.ask("a1", call("c1")));
    rig.clock.advance(1);
    await rig.tell("s2", said.created("g1"));
    await rig.tell("s3", said.prompt("p3"), said.stop());
    await rig.engine.stop();
    const next = await rig.restart();
    expect(next.engine.recovered).toEqual({
      epoch: 2,
      at: next.clock.now(),
      replayed: 0,
      openRequests: 2,
      pendingApprovals: 1,
      oldest: ["w/s1/request/p1", "w/s2/request/g1"],
    });
  });

  test("RUNTIME-CURSOR-1: a fresh store on a trimmed journal starts at the oldest entry kept, and does so again after a restart", async () => {
    const disk = new MemoryDisk("rig");
    disk.trimmed = 1_000;
    const first = await Rig.start({ disk });
    await first.engine.stop();
    const next = await Rig.start({ disk, manual: first.clock });
    expect(next.engine.meta().position).toBe(1_000);
    expect((await next.tell("s1", said.prompt("p1"))).position).toBe(1_001);
  });

  test("G7: a store in the format of another version is refused, with what to do, and keeps every row", async () => {
    const rig = await Rig.start();
    await rig.tell("s1", said.prompt("p1"));
    await rig.engine.stop();
    const meta = JSON.parse(rig.disk.rows.get("meta") ?? "") as object;
    rig.disk.rows.set("meta", JSON.stringify({ ...meta, format: 1 }));
    const before = rig.rows();
    await expect(rig.restart()).rejects.toMatchObject({
      code: "STORE_FORMAT",
      obligation: "stop",
      next: expect.stringContaining("--data") as string,
    });
    expect(rig.rows()).toEqual(before);
  });

  test("G10: a changed configuration is a journalled input; an unchanged one is not", async () => {
    const rig = await Rig.start();
    await rig.engine.stop();
    const { configuration } = JSON.parse(rig.disk.rows.get("meta") ?? "") as {
      configuration: NonNullable<RigOptions["configuration"]>;
    };
    const other = { ...configuration, hungAfterMs: 5 };
    const next = await rig.restart({ configuration: other });
    expect(next.disk.entries.map(({ body }) => (JSON.parse(body) as OwnMessage).said)).toEqual([
      { type: "configured", configuration: other },
    ]);
    expect(next.engine.meta().configuration).toEqual(other);
    await next.engine.stop();
    const last = await next.restart({ configuration: other });
    expect(last.disk.tail).toBe(1);
  });
});
