// Migration
// A data folder of version 0.1.0, opened by this version.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type MemoryDisk, MemoryStore } from "../../../adapters/memory/index.ts";
import { ManualClock } from "../../support/engine/manual-clock.ts";
import { openLmdb } from "../../../adapters/lmdb/index.ts";
import type { ApprovalId, SessionId, WorkspaceId } from "../../../machines/index.ts";
import { migrate, type Migrating } from "../../../runtime/engine/migration.ts";
import type { Store, Write } from "../../../runtime/ports.ts";
import { Queries } from "../../../runtime/reading/queries.ts";
import { diskOf2, fill, META_OF_2, ROWS_OF_2 } from "../../support/engine/format-2.ts";
import { Rig, rowsOf } from "../../support/engine/rig.ts";
import { call, said } from "../../support/sessions/said.ts";
import { WrappedStore } from "../../support/faults/wrapped-store.ts";

const ALL = { gte: " ", lt: "~~" } as const;
const [ACME, BOLT] = ["acme", "bolt"] as readonly string[] as readonly [WorkspaceId, WorkspaceId];
const CHAT = "chat-1" as SessionId;

const silent = {
  progress: (): void => undefined,
  broken: (key: string, cause: unknown): void => {
    throw new Error(key, { cause });
  },
};

/** All rows after this version opened a store once. */
async function migrated(disk: MemoryDisk): Promise<ReadonlyMap<string, string>> {
  const store = new MemoryStore(disk);
  await store.open();
  await migrate(store, silent);
  return rowsOf(disk);
}

const opened = (disk: MemoryDisk): Promise<Rig> =>
  Rig.start({ disk, manual: new ManualClock(META_OF_2.at + 1_000) });

describe("a store of format 2", () => {
  test("MIGRATION-1, ROWS-KEYS-3: every id is followed by its workspace, every workspace has its own lists, and nothing else changes", async () => {
    const before = new Map(ROWS_OF_2);
    const after = await migrated(diskOf2());
    const added = [...after].filter(([key]) => !before.has(key)).map(([key]) => key);
    const gone = [...before].filter(([key]) => !after.has(key)).map(([key]) => key);
    const changed = [...after].filter(([key, text]) => before.has(key) && before.get(key) !== text);
    expect(changed.map(([key]) => key)).toEqual(["meta"]);
    expect(JSON.parse(after.get("meta") ?? "")).toEqual({ ...META_OF_2, format: 6 });
    const owners = [...before].filter(([key]) => /^owner\/(request|approval)\//.test(key));
    expect(gone).toEqual(owners.map(([key]) => key));
    expect(gone.length).toBeGreaterThan(8);
    const workspaceIn = (text: string): string => String(JSON.parse(text)).split("/")[0] ?? "";
    expect(added.filter((key) => key.startsWith("owner/"))).toEqual(
      owners.map(([key, text]) => `${key}/${workspaceIn(text)}`).toSorted(),
    );
    const lists = added.filter((key) => !key.startsWith("owner/")).map((key) => key.replace(/\d{16}/, "AT"));
    expect(lists.filter((key) => key.startsWith("list/request/"))).toEqual([
      expect.stringMatching(
        /^list\/request\/workspace-chat\/acme\/h_\w{52}\/AT\/acme\/chat-1\/request\/r1$/,
      ) as string,
      expect.stringMatching(
        /^list\/request\/workspace-chat\/acme\/h_\w{52}\/AT\/acme\/chat-2\/request\/r2$/,
      ) as string,
      expect.stringMatching(
        /^list\/request\/workspace-chat\/bolt\/h_\w{52}\/AT\/bolt\/chat-1\/request\/r4$/,
      ) as string,
    ]);
    expect(lists.filter((key) => key.startsWith("list/approval/workspace/"))).toHaveLength(5);
    expect(lists).toHaveLength(8);
  });

  test("MIGRATION-1: the converted rows equal those of a new store: all of them are removed with what they belong to", async () => {
    const rig = await opened(diskOf2());
    for (const [workspace, session] of [
      [ACME, "chat-1"],
      [ACME, "chat-2"],
      [ACME, "r_r3"],
      [BOLT, "chat-1"],
      ["shop-5aukz7", "3f0c2a52-0000-4000-8000-000000000001"],
    ] as const) {
      const requests =
        session === "r_r3" ? ["r3"] : session === "chat-1" ? (workspace === ACME ? ["r1"] : ["r4"]) : [];
      const closed = requests.flatMap((id) => [said.processing(id), said.completed(id)]);
      const ends = [...closed, said.stop(), said.sessionEnd()];
      for (const each of ends) await rig.submit(session, [each], { workspace: workspace as WorkspaceId });
    }
    await rig.quiet();
    await rig.pass(9 * 24 * 60 * 60_000, 3 * 60 * 60_000);
    const left = [...rig.rows().keys()].filter((key) =>
      /^(actor|owner|list|asked|calls|alarm|timer)\//.test(key),
    );
    expect(left).toEqual([]);
    expect(rig.engine.meta().counts).toMatchObject({ "request/processing": 0, "approval/pending": 0 });
  });

  test("G7, G12: what was open is found, answered and continued; another workspace may use the same ids", async () => {
    const rig = await opened(diskOf2());
    const queries = new Queries(rig.engine);
    expect(queries.getApproval("a1")).toMatchObject({
      workspace: ACME,
      state: "pending",
      aliases: ["a1-web"],
    });
    expect(queries.getApproval("a1-web")?.id).toBe("a1");
    expect(queries.getRequest("r4")?.workspace).toBe(BOLT);
    expect(queries.listApprovals({ workspace: ACME }).items).toHaveLength(3);
    expect(
      queries.listRequests({ workspace: ACME, chatId: "7" }).items.map(({ requestId }) => requestId),
    ).toEqual(["r2", "r1"]);
    for (const inputs of [[said.created("r1")], [said.ask("a1", call("t9"))]])
      expect(await (await rig.submit(CHAT, inputs, { workspace: BOLT })).settled).toMatchObject({
        outcome: "applied",
      });
    expect(
      await (
        await rig.submit("other", [said.created("r1")], { workspace: ACME })
      ).settled,
    ).toMatchObject({
      reason: "request r1 belongs to acme/chat-1/request/r1",
    });
    const deny = {
      type: "decision",
      approvalId: "a1-web" as ApprovalId,
      decision: "deny",
      by: "me",
    } as const;
    const { answers } = await rig.engine.own(ACME, CHAT, deny);
    expect(answers).toMatchObject([{ result: "accepted", state: "denied" }]);
    expect(queries.getApproval("a1", { workspace: BOLT })?.state).toBe("pending");
    expect(() => queries.getApproval("a1")).toThrow("The id a1 exists 2 times");
  });

  test("MIGRATION-2, G47: killed after any commit, the next start resumes, and comes to the same rows", async () => {
    const whole = await migrated(diskOf2());
    const commits: string[] = [];
    for (let at = 0; ; at += 1) {
      const disk = diskOf2();
      const killed = new WrappedStore(new MemoryStore(disk), async (writes, commit) => {
        if (commits.length === at) throw new Error("killed");
        commits.push(String(writes.length));
        await commit();
      });
      await killed.open();
      commits.length = 0;
      const ended = await migrate(killed, silent).then(
        () => "done",
        () => "killed",
      );
      const { format } = JSON.parse(disk.rows.get("meta") ?? "") as { format: unknown };
      if (at === 0) expect([ended, format]).toEqual(["killed", 2]);
      else if (ended === "killed") expect(format).toBe("2 on its way to 6");
      expect(await migrated(disk)).toEqual(whole);
      if (ended === "done") break;
      expect(at).toBeLessThan(20);
    }
    expect(commits.length).toBeGreaterThan(4);
  });

  test("MIGRATION-2: a half converted store belongs to no version, and a converted store is not touched again", async () => {
    const disk = diskOf2();
    let commits = 0;
    const killed = new WrappedStore(new MemoryStore(disk), async (_, commit) => {
      if ((commits += 1) === 3) throw new Error("killed");
      await commit();
    });
    await expect(Rig.start({ disk, wrapStore: () => killed })).rejects.toThrow("killed");
    // What a version of the previous format compares with.
    expect((JSON.parse(disk.rows.get("meta") ?? "") as { format: unknown }).format).not.toBe(2);
    const done = await migrated(disk);
    const again = new WrappedStore(new MemoryStore(disk), () => Promise.reject(new Error("written to")));
    await again.open();
    await migrate(again, silent);
    expect(rowsOf(disk)).toEqual(done);
  });

  test("META-1, G47: a store of a later version, or of a very old one, is refused and keeps every row", async () => {
    for (const format of [1, 7, "4 on its way to 7", null]) {
      const disk = diskOf2();
      disk.rows.set("meta", JSON.stringify({ ...META_OF_2, format }));
      const before = rowsOf(disk);
      await expect(opened(disk)).rejects.toMatchObject({ code: "STORE_FORMAT", obligation: "stop" });
      expect(rowsOf(disk)).toEqual(before);
    }
  });

  test("G9: a row that cannot be read stays as it is and is reported; all others are converted", async () => {
    const disk = diskOf2([
      ["owner/request/broken", "{"],
      ["owner/approval/nowhere", '"no address"'],
    ]);
    const store = new MemoryStore(disk);
    await store.open();
    const told: string[] = [];
    await migrate(store, { ...silent, broken: (key) => told.push(key) });
    expect(told).toEqual(["owner/request/broken", "owner/approval/nowhere"]);
    const whole = await migrated(diskOf2());
    for (const key of told) disk.rows.delete(key);
    expect(rowsOf(disk)).toEqual(whole);
  });

  test("MIGRATION-2: however large the store is, each commit is bounded, and the progress is reported", async () => {
    const many = Array.from({ length: 120_000 }, (_, n): [string, string] => {
      const id = `r${String(n).padStart(6, "0")}`;
      return [`owner/request/${id}`, JSON.stringify(`acme/s/request/${id}`)];
    });
    const disk = diskOf2(many);
    const sizes: number[] = [];
    const store = new WrappedStore(new MemoryStore(disk), async (writes, commit) => {
      sizes.push(writes.length);
      await commit();
    });
    await store.open();
    const told: Migrating[] = [];
    await migrate(store, { ...silent, progress: (each) => told.push(each) });
    expect(Math.max(...sizes)).toBe(2_000);
    expect(told.map(({ isDone }) => isDone).filter((each) => each)).toHaveLength(1);
    expect(told.length).toBeGreaterThan(1);
    expect(told[0]?.rows).toBeGreaterThanOrEqual(99_000);
    expect(told.at(-1)).toMatchObject({ from: 2, to: 6, isDone: true });
    expect(disk.rows.get("owner/request/r000000/acme")).toBe('"acme/s/request/r000000"');
    expect([...disk.rows.range({ gte: "owner/request/", lt: "owner/request0" })]).toHaveLength(120_000 + 5);
  });

  test("MIGRATION-1: LMDB and memory give the same result", async () => {
    const dir = mkdtempSync(join(tmpdir(), "signalbox-migration-"));
    const clock = new ManualClock(META_OF_2.at);
    try {
      const first = openLmdb(dir, clock);
      await first.store.open();
      await fill(first.store);
      await first.close();
      const next = openLmdb(dir, clock);
      await next.store.open();
      await migrate(killedAt(next.store, 4), silent).catch(() => undefined);
      await next.close();
      const last = openLmdb(dir, clock);
      await last.store.open();
      await migrate(last.store, silent);
      const rows = new Map(last.store.range(ALL));
      await last.close();
      expect(rows).toEqual(await migrated(diskOf2()));
    } finally {
      rmSync(dir, { recursive: true, force: true });
    }
  });
});

/** A store that accepts this many commits and no more. */
function killedAt(store: Store, commits: number): Store {
  let left = commits;
  return new WrappedStore(store, async (_: readonly Write[], commit) => {
    if ((left -= 1) < 0) throw new Error("killed");
    await commit();
  });
}
