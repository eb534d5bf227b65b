// Migration resumed
// A folder of the format before goes on with what is open in it; a conversion that an earlier version began is ended.

import { describe, expect, test } from "vitest";
import { type MemoryDisk, MemoryStore } from "../../../adapters/memory/index.ts";
import { ManualClock } from "../../support/engine/manual-clock.ts";
import type { WorkspaceId } from "../../../machines/index.ts";
import { migrate } from "../../../runtime/engine/migration.ts";
import { Queries } from "../../../runtime/reading/queries.ts";
import { diskOf2 } from "../../support/engine/format-2.ts";
import { Rig, rowsOf } from "../../support/engine/rig.ts";
import { FORMAT_3, FORMAT_4, FORMAT_5 } from "../../support/engine/stored-format.ts";
import { WrappedStore } from "../../support/faults/wrapped-store.ts";
import { call, said } from "../../support/sessions/said.ts";

const ACME = "acme" as WorkspaceId;

/** All rows after this version opened a store once. */
async function migrated(disk: MemoryDisk): Promise<ReadonlyMap<string, string>> {
  const store = new MemoryStore(disk);
  await store.open();
  await migrate(store, {
    progress: () => undefined,
    broken: (key, cause) => {
      throw new Error(key, { cause });
    },
  });
  return rowsOf(disk);
}

describe("a store of format 4", () => {
  test("MIGRATION-4, SESSION-RECORDS-4: only its format changes; what is open goes on from books in rows of their own", async () => {
    const after = await migrated(FORMAT_4.disk());
    const changed = [...after].filter(([key, text]) => new Map(FORMAT_4.rows).get(key) !== text);
    expect(changed.map(([key]) => key)).toEqual(["meta"]);
    expect(after.size).toBe(FORMAT_4.rows.length);
    const rig = await Rig.start({
      disk: FORMAT_4.disk(),
      manual: new ManualClock(FORMAT_4.meta.at + 1_000),
      configuration: FORMAT_4.meta.configuration,
    });
    const queries = new Queries(rig.engine);
    expect(queries.getApproval("a2")?.state).toBe("pending");
    for (const [session, id, input] of [
      ["chat-1", "c2", undefined],
      ["chat-1", "c4", undefined],
      ["chat-2", "d1", { command: "same" }],
      ["chat-2", "d17", { command: "same" }],
    ] as const) {
      const reply = await rig.submit(session, [said.post(call(id, "Bash", input ?? { command: id }))], {
        workspace: ACME,
      });
      expect((await reply.settled).outcome).toBe("applied");
      const { value } = JSON.parse(rig.rows().get(`actor/acme/${session}/call/${id}`) ?? "") as {
        value: unknown;
      };
      expect(value).toMatchObject({ execution: "completed" });
    }
    const kept = [...rig.rows("book/acme/chat-2/request/").keys()];
    expect(kept).toEqual(["book/acme/chat-2/request/q1"]);
    await rig.pass(40 * 24 * 60 * 60_000, 6 * 60 * 60_000);
    expect([...rig.rows("book/").keys()].filter((key) => !key.includes("chat-1"))).toEqual([]);
    expect(rig.defects).toEqual([]);
  });

  test("MIGRATION-5: of one of format 5 only its format changes, and what is open in it goes on", async () => {
    const after = await migrated(FORMAT_5.disk());
    const changed = [...after].filter(([key, text]) => new Map(FORMAT_5.rows).get(key) !== text);
    expect(changed).toEqual([["meta", JSON.stringify({ ...FORMAT_5.meta, format: 6 })]]);
    expect(after.size).toBe(FORMAT_5.rows.length);
    const rig = await Rig.start({
      disk: FORMAT_5.disk(),
      manual: new ManualClock(FORMAT_5.meta.at + 1_000),
      configuration: FORMAT_5.meta.configuration,
    });
    expect(new Queries(rig.engine).getApproval("acme-chat-1-c2")?.state).toBe("pending");
    const open = call("c1", "Bash", { command: "echo 1" });
    const reply = await rig.submit("chat-1", [said.post(open)], { workspace: ACME });
    expect((await reply.settled).outcome).toBe("applied");
    const { value } = JSON.parse(rig.rows().get("actor/acme/chat-1/call/c1") ?? "") as { value: unknown };
    expect(value).toMatchObject({ execution: "completed" });
  });

  test("MIGRATION-2, MIGRATION-5: a conversion that an earlier version began is marked as this one's before any row of it is written", async () => {
    const disk = diskOf2();
    const meta = JSON.parse(disk.rows.get("meta") ?? "") as object;
    disk.rows.set("meta", JSON.stringify({ ...meta, format: "2 on its way to 5" }));
    const before = disk.rows.size;
    const killed = new WrappedStore(new MemoryStore(disk), async (_, commit) => {
      await commit();
      throw new Error("killed");
    });
    await killed.open();
    const silent = { progress: () => undefined, broken: () => undefined };
    await expect(migrate(killed, silent)).rejects.toThrow("killed");
    expect(disk.rows.size).toBe(before);
    expect(JSON.parse(disk.rows.get("meta") ?? "")).toEqual({ ...meta, format: "2 on its way to 6" });
  });

  test("MIGRATION-2: what an earlier version began to convert is converted, what a later one began is refused", async () => {
    for (const format of ["2 on its way to 4", "3 on its way to 4", "2 on its way to 3"]) {
      const disk = format.startsWith("2") ? diskOf2() : FORMAT_3.disk();
      const meta = JSON.parse(disk.rows.get("meta") ?? "") as object;
      disk.rows.set("meta", JSON.stringify({ ...meta, format }));
      expect(JSON.parse((await migrated(disk)).get("meta") ?? "")).toEqual({ ...meta, format: 6 });
    }
    const disk = FORMAT_4.disk();
    disk.rows.set("meta", JSON.stringify({ ...FORMAT_4.meta, format: "4 on its way to 7" }));
    await expect(Rig.start({ disk })).rejects.toMatchObject({ code: "STORE_FORMAT" });
  });
});
