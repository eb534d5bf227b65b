// Migration
// A data folder of an earlier format, opened by this version.

import { describe, expect, test } from "vitest";
import { type MemoryDisk, MemoryStore } from "../../../adapters/memory/index.ts";
import type { ApprovalId, SessionId, WorkspaceId } from "../../../machines/index.ts";
import { migrate, type Migrating } from "../../../runtime/engine/migration.ts";
import { Queries } from "../../../runtime/reading/queries.ts";
import { ManualClock } from "../../support/engine/manual-clock.ts";
import { Rig, rowsOf } from "../../support/engine/rig.ts";
import { FORMAT_3, FORMAT_4, FORMAT_5, type StoredFormat } from "../../support/engine/stored-format.ts";
import { WrappedStore } from "../../support/faults/wrapped-store.ts";
import { call, said } from "../../support/sessions/said.ts";

const ACME = "acme" as WorkspaceId;

/** All rows after this version opened a store once. */
async function migrated(disk: MemoryDisk): Promise<ReadonlyMap<string, string>> {
  const store = new MemoryStore(disk);
  await store.open();
  await migrate(store, () => undefined);
  return rowsOf(disk);
}

const opened = ({ meta: { at, configuration } }: StoredFormat, disk: MemoryDisk): Promise<Rig> =>
  Rig.start({ disk, manual: new ManualClock(at + 1_000), configuration });

/** A disk whose `meta` row names another format. */
function diskOf(stored: StoredFormat, format: unknown): MemoryDisk {
  const disk = stored.disk();
  disk.rows.set("meta", JSON.stringify({ ...stored.meta, format }));
  return disk;
}

describe("a store of an earlier format", () => {
  test.each([FORMAT_3, FORMAT_4, FORMAT_5])(
    "MIGRATION-2, G47: killed before its one commit or after it, it has one of the two formats, and the next start goes on",
    async (stored) => {
      const whole = await migrated(stored.disk());
      for (const isCommitted of [false, true]) {
        const disk = stored.disk();
        const killed = new WrappedStore(new MemoryStore(disk), async (_, commit) => {
          if (isCommitted) await commit();
          throw new Error("killed");
        });
        await killed.open();
        await expect(migrate(killed, () => undefined)).rejects.toThrow("killed");
        expect(rowsOf(disk)).toEqual(isCommitted ? whole : new Map(stored.rows));
        expect(await migrated(disk)).toEqual(whole);
      }
    },
  );

  test("MIGRATION-2: a conversion is told once, and a converted store is not touched again", async () => {
    const store = new MemoryStore(FORMAT_3.disk());
    await store.open();
    const told: Migrating[] = [];
    await migrate(store, (each) => told.push(each));
    const again = new WrappedStore(store, () => Promise.reject(new Error("written to")));
    await migrate(again, (each) => told.push(each));
    expect(told).toEqual([{ from: 3, to: 6 }]);
  });

  test("MIGRATION-4, SESSION-RECORDS-4: only its format changes; what is open goes on from books in rows of their own", async () => {
    const after = await migrated(FORMAT_4.disk());
    const changed = [...after].filter(([key, text]) => new Map(FORMAT_4.rows).get(key) !== text);
    expect(changed.map(([key]) => key)).toEqual(["meta"]);
    expect(after.size).toBe(FORMAT_4.rows.length);
    const rig = await opened(FORMAT_4, FORMAT_4.disk());
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
    const rig = await opened(FORMAT_5, FORMAT_5.disk());
    expect(new Queries(rig.engine).getApproval("acme-chat-1-c2")?.state).toBe("pending");
    const open = call("c1", "Bash", { command: "echo 1" });
    const reply = await rig.submit("chat-1", [said.post(open)], { workspace: ACME });
    expect((await reply.settled).outcome).toBe("applied");
    const { value } = JSON.parse(rig.rows().get("actor/acme/chat-1/call/c1") ?? "") as { value: unknown };
    expect(value).toMatchObject({ execution: "completed" });
  });
});

describe("what is refused", () => {
  async function refused(stored: StoredFormat, disk: MemoryDisk): Promise<unknown> {
    const before = rowsOf(disk);
    const error: unknown = await opened(stored, disk).catch((cause: unknown) => cause);
    expect(error).toMatchObject({ code: "STORE_FORMAT", obligation: "stop" });
    expect(rowsOf(disk)).toEqual(before);
    return error;
  }

  test.each([2, "2 on its way to 3", "2 on its way to 6"])(
    "MIGRATION-6, G47: a store of format %s is refused and left unchanged; the refusal names the version that converts it",
    async (format) => {
      expect(await refused(FORMAT_3, diskOf(FORMAT_3, format))).toMatchObject({
        message: expect.stringContaining(`format ${format};`) as string,
        next: expect.stringContaining("Signalbox 0.2.0 converts it") as string,
      });
    },
  );

  test("MIGRATION-6: a store of any format that may lack deadlines is refused; an unreadable row about them harms nothing", async () => {
    for (const format of [3, 6])
      for (const row of [undefined, JSON.stringify({ list: 1, behind: "list/request/state/created/x" })]) {
        const disk = diskOf(FORMAT_3, format);
        if (row === undefined) disk.rows.delete("unended");
        else disk.rows.set("unended", row);
        const next = expect.stringContaining("signalbox sweep") as string;
        expect(await refused(FORMAT_3, disk)).toMatchObject({ next });
      }
    const disk = FORMAT_3.disk();
    disk.rows.set("unended", "{");
    expect((await opened(FORMAT_3, disk)).engine.meta().format).toBe(6);
  });

  test("META-1, G47: a store of a later version, or of a very old one, is refused and keeps every row", async () => {
    for (const format of [1, 7, 20, "4 on its way to 7", null])
      expect(await refused(FORMAT_3, diskOf(FORMAT_3, format))).toMatchObject({
        next: expect.stringContaining("Start the version that made the store") as string,
      });
  });
});

test("MIGRATION-6, ACTORS-3: actors that a build before 0.1.0 wrote last are read, and go on", async () => {
  const disk = FORMAT_5.disk();
  const versions: Readonly<Record<string, string>> = { session: "2", request: "1", call: "1", approval: "1" };
  for (const [key, text] of FORMAT_5.rows) {
    if (!key.startsWith("actor/")) continue;
    const row = JSON.parse(text) as { readonly machine: string };
    disk.rows.set(key, JSON.stringify({ ...row, version: versions[row.machine] }));
  }
  const rig = await opened(FORMAT_5, disk);
  const queries = new Queries(rig.engine);
  expect(queries.listRequests({ workspace: ACME }).items.length).toBeGreaterThan(0);
  const answer = {
    type: "decision",
    approvalId: "acme-chat-1-c2" as ApprovalId,
    decision: "deny",
    by: "me",
  } as const;
  const { answers } = await rig.engine.own(ACME, "chat-1" as SessionId, answer);
  expect(answers).toMatchObject([{ result: "accepted", state: "denied" }]);
  expect(rig.row("actor/acme/chat-1/approval/acme-chat-1-c2")).toMatchObject({ version: "5" });
  expect(rig.defects).toEqual([]);
});

test("ROWS-KEYS-3: the key of an owner row has the id before the workspace, for the same id in two workspaces", async () => {
  const rig = await opened(FORMAT_5, FORMAT_5.disk());
  for (const workspace of ["acme", "bolt"] as readonly string[] as readonly WorkspaceId[])
    await (
      await rig.submit("own", [said.created("r1")], { workspace })
    ).settled;
  expect([...rig.rows("owner/request/r1/")]).toEqual(
    ["acme", "bolt"].map((each) => [`owner/request/r1/${each}`, JSON.stringify(`${each}/own/request/r1`)]),
  );
});
