// The log as it grows: what is a leaf, what a crash leaves, what is never signed, what is removed.

import { readdirSync, statSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { filesIn, keptIn } from "../../../adapters/audit-log/index.ts";
import { rowsIn } from "../../../runtime/audit/rows-in.ts";
import { openLog } from "../../../runtime/audit/kept-log.ts";
import { keys } from "../../../runtime/rows/keys.ts";
import { verifyLog } from "../../../runtime/audit/verify-log.ts";
import { openedCheckpoint } from "../../../runtime/tlog/checkpoint.ts";
import { rootOf } from "../../../runtime/tlog/tree.ts";
import { hashesOf } from "../../../runtime/audit/kept-log.ts";
import { scratchEach } from "../../support/processes/scratch.ts";
import { holdsLater } from "../../support/properties/property.ts";
import { AuditRows, SIGNER } from "../../support/tlog/audit-rows.ts";
import { checkedLog, saidIn } from "../../support/tlog/checked.ts";
import { Killed, MemoryLog } from "../../support/tlog/memory-log.ts";

const FILE = "audit-log.test.ts";
const scratch = scratchEach();
const OTHER_SEED = Buffer.alloc(32, 9).toString("base64url");

const numbersIn = (files: MemoryLog): readonly unknown[] =>
  checkedLog(files.files, SIGNER.text).entries.flatMap((entry) => saidIn(entry)["n"] ?? []);
const kindsIn = (files: MemoryLog): readonly unknown[] =>
  checkedLog(files.files, SIGNER.text)
    .entries.map(saidIn)
    .filter(({ n }) => n === undefined)
    .map(({ v, at, ...said }) => said);
const numbers = (from: number, to: number): readonly number[] =>
  Array.from({ length: to - from + 1 }, (_, n) => from + n);

describe("AuditLog", () => {
  test("AUDIT-LOG-1: each row is a leaf once, in order, behind a leaf that says where the log begins", async () => {
    const [rows, files] = [new AuditRows(), new MemoryLog()];
    const log = rows.log(files);
    for (const count of [3, 0, 300, 1]) {
      rows.add(count);
      await log.catchUp();
    }
    expect(numbersIn(files)).toEqual(numbers(1, 304));
    expect(kindsIn(files)).toEqual([{ kind: "log-begun", store: "store-1", from: 1 }]);
  });

  test("AUDIT-LOG-1, AUDIT-LOG-ROWS-1: rows that were swept, or cannot be read, are told, and the others follow", async () => {
    const [rows, files] = [new AuditRows(), new MemoryLog()];
    const log = rows.log(files);
    rows.add(200);
    for (const n of [1, 2, 70, 71, 72, 200]) rows.lose(n);
    rows.disk.rows.set("audit/0000000000000100", "{");
    await log.catchUp();
    expect(kindsIn(files)).toEqual([
      { kind: "log-begun", store: "store-1", from: 3 },
      { kind: "rows-missing", from: 70, to: 72 },
      { kind: "rows-missing", from: 100, to: 100 },
      { kind: "rows-missing", from: 200, to: 200 },
    ]);
    expect(numbersIn(files)).toEqual(numbers(3, 199).filter((n) => ![70, 71, 72, 100].includes(n)));
    expect(verifyLog(files.kept(), { verifier: SIGNER })).toMatchObject({ missing: 5, wrong: [] });
  });

  test("AUDIT-LOG-2, LOG-WRITER-1, LOG-WRITER-3: however it is killed, and however often, the log on disk is whole, and goes on", async () => {
    const lives = fc.array(fc.record({ count: fc.integer({ min: 0, max: 400 }), left: fc.nat(30) }), {
      minLength: 1,
      maxLength: 6,
    });
    await holdsLater(FILE, 25, lives, async (list) => {
      const [rows, files] = [new AuditRows(), new MemoryLog()];
      let largest = 0;
      const roots = new Map<number, Buffer>();
      for (const { count, left } of list) {
        rows.add(count);
        files.left = left;
        const ended = await rows
          .log(files)
          .catchUp()
          .catch((error: unknown) => error);
        expect(ended === undefined || ended instanceof Killed).toBe(true);
        if (!files.files.has("log/checkpoint")) continue;
        const { size, root } = checkedLog(files.files, SIGNER.text);
        expect(size).toBeGreaterThanOrEqual(largest);
        expect(roots.get(size) ?? root).toEqual(root);
        expect(verifyLog(files.kept(), { verifier: SIGNER }).wrong).toEqual([]);
        largest = size;
        roots.set(size, root);
      }
      files.left = Infinity;
      await rows.log(files).catchUp();
      expect(numbersIn(files)).toEqual(numbers(1, rows.audits));
      expect(verifyLog(files.kept(), { verifier: SIGNER }).wrong).toEqual([]);
    });
  });

  test("LOG-WRITER-2: each checkpoint that was ever signed is the beginning of the log", async () => {
    const batches = fc.array(fc.integer({ min: 1, max: 300 }), { minLength: 1, maxLength: 8 });
    await holdsLater(FILE, 20, batches, async (counts) => {
      const [rows, files] = [new AuditRows(), new MemoryLog()];
      const notes: string[] = [];
      for (const count of counts) {
        rows.add(count);
        await rows.log(files).catchUp();
        notes.push(files.files.get("log/checkpoint")?.toString() ?? "");
      }
      const against = notes.map((note) => openedCheckpoint(note, SIGNER));
      expect(verifyLog(files.kept(), { verifier: SIGNER, against }).wrong).toEqual([]);
      const log = openLog(files.kept(), SIGNER);
      for (const { size, root } of against) expect(rootOf(size, hashesOf(log))).toEqual(root);
    });
  });

  test("AUDIT-LOG-3, LOG-WRITER-2: a log whose pieces, checkpoint or key are others gets no new checkpoint", async () => {
    const damage: readonly ((files: MemoryLog) => void)[] = [
      ({ files }) => void files.delete("log/checkpoint"),
      ({ files }) => void files.set("log/tile/0/000.p/11", Buffer.alloc(11 * 32)),
      ({ files }) => void files.delete("log/tile/entries/000.p/11"),
      ({ files }) => void files.set("openings/000", Buffer.from("-\n")),
    ];
    for (const hurt of damage) {
      const [rows, files] = [new AuditRows(), new MemoryLog()];
      rows.add(10);
      await rows.log(files).catchUp();
      hurt(files);
      const before = new Map(files.files);
      const log = rows.log(files);
      await log.start();
      rows.add(1);
      await log.stop();
      expect(log.troubles()).toMatchObject([{ code: "AUDIT_LOG_DIFFERS", isEssential: false }]);
      expect(files.files).toEqual(before);
    }
  });

  test("AUDIT-LOG-KEY-1, AUDIT-LOG-3: another key signs nothing in this log", async () => {
    const [rows, files] = [new AuditRows(), new MemoryLog()];
    rows.add(3);
    await rows.log(files).catchUp();
    await expect(rows.log(files, OTHER_SEED).catchUp()).rejects.toThrow("not signed by its key");
    expect(() => openedCheckpoint(files.files.get("log/checkpoint")?.toString() ?? "", SIGNER)).not.toThrow();
  });

  test("LOG-WRITER-2: a checkpoint that another process signed meanwhile stops the log", async () => {
    const [rows, files] = [new AuditRows(), new MemoryLog()];
    const [one, other] = [rows.log(files), rows.log(files)];
    rows.add(3);
    await one.catchUp();
    rows.add(3);
    await other.catchUp();
    await expect(one.catchUp()).rejects.toThrow("its checkpoint was replaced");
  });

  test("LOG-WRITER-4: after an error it reads its files again, and goes on once there is room", async () => {
    const [rows, files] = [new AuditRows(), new MemoryLog()];
    const log = rows.log(files);
    await log.start();
    await log.catchUp();
    rows.add(5);
    files.left = 1;
    await expect(log.catchUp()).rejects.toThrow(Killed);
    rows.clock.advance(60_000);
    await log.catchUp().catch(() => undefined);
    expect(log.troubles()).toMatchObject([{ code: "AUDIT_LOG_STUCK" }]);
    files.left = Infinity;
    await log.stop();
    expect(log.troubles()).toEqual([]);
    expect(numbersIn(files)).toEqual(numbers(1, 5));
  });

  test("AUDIT-LOG-3: a log that was never started is not touched at its end: its folder may be another engine's", async () => {
    const [rows, files] = [new AuditRows(), new MemoryLog()];
    rows.add(3);
    await rows.log(files).stop();
    expect(files.writes).toBe(0);
  });

  test("AUDIT-LOG-2: it writes once a minute while it runs, and at its end", async () => {
    const [rows, files] = [new AuditRows(), new MemoryLog()];
    const log = rows.log(files);
    await log.start();
    await log.catchUp();
    rows.add(2);
    rows.clock.advance(60_000);
    await expect.poll(() => numbersIn(files)).toEqual([1, 2]);
    rows.add(1);
    await log.stop();
    expect(numbersIn(files)).toEqual([1, 2, 3]);
  });

  test("AUDIT-LOG-4, AUDIT-LOG-PLACE-1: of another store the log says that it begins anew; the same one goes on", async () => {
    const [rows, files] = [new AuditRows(), new MemoryLog()];
    rows.add(5);
    await rows.log(files).catchUp();
    await rows.log(files).catchUp();
    const other = new AuditRows();
    other.incarnation = "store-2";
    other.add(7, () => ({ by: "local:ben" }));
    await other.log(files).catchUp();
    expect(kindsIn(files)).toEqual([
      { kind: "log-begun", store: "store-1", from: 1 },
      { kind: "log-begun", store: "store-2", from: 1 },
    ]);
    const behind = new AuditRows();
    behind.add(2);
    await behind.log(files).catchUp();
    behind.add(1);
    await behind.log(files).catchUp();
    expect(kindsIn(files).at(-1)).toEqual({ kind: "log-begun", store: "store-1", from: 3 });
    expect(numbersIn(files)).toEqual([1, 2, 3, 4, 5, 1, 2, 3, 4, 5, 6, 7, 3]);
    expect(verifyLog(files.kept(), { verifier: SIGNER }).wrong).toEqual([]);
  });

  test("AUDIT-LOG-PLACE-1, FORGETTING-3: a last row that was forgotten in between is still of the same store", async () => {
    const [rows, files] = [new AuditRows(), new MemoryLog()];
    rows.add(4);
    await rows.log(files).catchUp();
    const { tool: _, ...kept } = JSON.parse(rows.disk.rows.get(keys.audit(4)) ?? "") as Record<
      string,
      unknown
    >;
    rows.disk.rows.set(keys.audit(4), JSON.stringify({ ...kept, forgotten: true }));
    rows.add(1);
    await rows.log(files).catchUp();
    expect(numbersIn(files)).toEqual([1, 2, 3, 4, 5]);
  });

  test("G60, AUDIT-LOG-5: what is removed is in no file any more, every proof stays, and the log says how much it was", async () => {
    const [rows, files] = [new AuditRows(), new MemoryLog()];
    const log = rows.log(files);
    rows.add(600, (n) => ({ reason: n % 3 === 1 ? `secret-${n}` : "fine" }));
    await log.catchUp();
    const before = checkedLog(files.files, SIGNER.text);
    rows.add(3, (n) => ({ reason: `secret-${n}` }));
    expect(await log.erase(({ sessionId }) => sessionId === "s1")).toBe(201);
    expect(await log.erase(({ sessionId }) => sessionId === "s1")).toBe(0);
    const after = checkedLog(files.files, SIGNER.text);
    expect(after.entries.slice(0, before.size)).toEqual(before.entries);
    expect(kindsIn(files).at(-1)).toEqual({ kind: "rows-erased", count: 201 });
    const texts = [...files.files.values()].map((each) => each.toString()).join("");
    expect(texts.match(/secret-\d+/g)).toEqual(["secret-602", "secret-603"]);
    expect(verifyLog(files.kept(), { verifier: SIGNER })).toMatchObject({
      removed: 201,
      rows: 603,
      wrong: [],
    });
    rows.add(1);
    await rows.log(files).catchUp();
    expect(verifyLog(files.kept(), { verifier: SIGNER }).wrong).toEqual([]);
  });

  test("AUDIT-LOG-5: killed while it removes, it leaves a whole log, and the next time removes the rest", async () => {
    for (let left = 0; left < 14; left += 1) {
      const [rows, files] = [new AuditRows(), new MemoryLog()];
      rows.add(600);
      await rows.log(files).catchUp();
      files.left = left;
      await rows
        .log(files)
        .erase(({ sessionId }) => sessionId === "s1")
        .catch(() => undefined);
      files.left = Infinity;
      expect(verifyLog(files.kept(), { verifier: SIGNER }).wrong).toEqual([]);
      await rows.log(files).erase(({ sessionId }) => sessionId === "s1");
      expect(verifyLog(files.kept(), { verifier: SIGNER })).toMatchObject({ removed: 200, wrong: [] });
    }
  });

  test("AUDIT-LOG-FILES-1, AUDIT-LOG-FILES-2, KEPT-LOG-1: in a folder it is its user's alone; who reads an old checkpoint finds its pieces", async () => {
    const dir = scratch();
    const rows = new AuditRows();
    const log = rows.log(filesIn(dir));
    rows.add(10);
    await log.catchUp();
    const older = keptIn(dir).checkpoint() ?? "";
    rows.add(300);
    await log.catchUp();
    const kept = { ...keptIn(dir), checkpoint: () => older };
    expect([...rowsIn(openLog(kept, SIGNER))].map(({ row }) => row?.n)).toEqual([
      ...numbers(1, 10).toReversed(),
      undefined,
    ]);
    const modes = readdirSync(dir, { recursive: true, encoding: "utf8" }).map(
      (path) => statSync(`${dir}/${path}`).mode & 0o077,
    );
    expect(new Set(modes)).toEqual(new Set([0]));
    expect(verifyLog(keptIn(dir), { verifier: SIGNER })).toMatchObject({ isOpened: true, wrong: [] });
    expect(verifyLog(keptIn(`${dir}/log`), { verifier: SIGNER })).toMatchObject({
      isOpened: false,
      wrong: [],
    });
  });
});
