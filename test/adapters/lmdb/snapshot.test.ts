// LMDB, snapshots
// A store read at one moment beside the process that writes to it, and made again from what was read.

import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { fillLmdb, openLmdb, openSnapshot, type Piece } from "../../../adapters/lmdb/index.ts";
import { Environment } from "../../../adapters/lmdb/environment.ts";
import { RedoLog } from "../../../adapters/lmdb/redo-log.ts";
import { decodeRedo } from "../../../adapters/lmdb/redo-row.ts";
import { markOf, systemClock } from "../../../adapters/system/index.ts";
import { keys } from "../../../runtime/rows/keys.ts";
import { FORMAT } from "../../../runtime/rows/meta.ts";
import { leaveRedo, startChild } from "../../support/lmdb/children.ts";
import { changed, rawIn } from "../../support/lmdb/raw.ts";
import { scratchEach } from "../../support/processes/scratch.ts";

const base = scratchEach();
let dir: string;
let other: string;
beforeEach(() => {
  [dir, other] = [join(base(), "store"), join(base(), "other")];
});

async function opened(at = dir) {
  const folder = openLmdb(at, systemClock(), { markOf });
  const epoch = await folder.store.open();
  await folder.journal.open(undefined);
  return { ...folder, epoch };
}

async function piecesOf(at = dir, hasJournal = true): Promise<readonly Piece[]> {
  const snapshot = await openSnapshot(at);
  try {
    return [...snapshot.pieces(hasJournal)];
  } finally {
    await snapshot.close();
  }
}

/** The rows of some pieces, by kind. */
function rowsIn(pieces: readonly Piece[], kind: Piece["kind"]): ReadonlyMap<string, string> {
  const writes = pieces
    .filter((each) => each.kind === kind)
    .flatMap(({ n, bytes }) => decodeRedo(n, bytes) ?? []);
  return new Map(writes.flatMap((write) => ("put" in write ? [[write.put, write.value]] : [])));
}

async function fill(pieces: readonly Piece[], after = 0): Promise<void> {
  const filling = await fillLmdb(other, { after, markOf });
  for (const piece of pieces) await filling.put(piece);
  await filling.close();
}

describe("a snapshot", () => {
  it.each(["write", "fold"])(
    "LMDB-SNAPSHOT-1, LMDB-SNAPSHOT-2: beside a process that writes all the time (%s) it is of one moment, with all that was acknowledged by then",
    async (scenario) => {
      const child = startChild(scenario, dir);
      await child.said("committed", 5);
      for (let round = 0; round < 6; round += 1) {
        const acknowledged = child.lines.filter((line) => line.startsWith("committed")).length;
        const appended = Number(
          child.lines.findLast((line) => line.startsWith("appended"))?.split(" ")[1] ?? 0,
        );
        const pieces = await piecesOf();
        const rows = rowsIn(pieces, "rows");
        const n = Number(rows.get("row/0"));
        expect(n).toBeGreaterThanOrEqual(acknowledged);
        for (let row = 0; row < 40; row += 1) expect(rows.get(`row/${row}`)).toBe(String(n));
        expect([...rows.keys()].filter((key) => key.startsWith("group/"))).toHaveLength(n);
        const entries = rowsIn(pieces, "entries");
        const [, tail] = rowsIn(pieces, "journal").get("journal")?.split(" ") ?? [];
        expect(entries.size).toBe(Number(tail));
        expect(entries.size).toBeGreaterThanOrEqual(appended);
        await child.said("committed", acknowledged + 10);
      }
      child.kill();
      await child.ended;
    },
  );

  it("LMDB-SNAPSHOT-2, LMDB-SNAPSHOT-4: of a killed owner's store it has what lies in the redo log, and the same pieces as once that is folded", async () => {
    await leaveRedo(dir);
    const before = await rawIn(dir);
    const pieces = await piecesOf();
    expect(await rawIn(dir)).toEqual(before);
    expect(before.redo).toEqual([1, 2, 3]);
    await (await opened()).close();
    const folded = await piecesOf();
    expect(rowsIn(pieces, "rows").size).toBeGreaterThan(before.rows.size);
    expect(folded.filter(({ kind }) => kind === "rows")).toEqual(
      pieces.filter(({ kind }) => kind === "rows"),
    );
  });

  it("LMDB-SNAPSHOT-3: it leaves out what is one process's own, and has the outlets' places apart", async () => {
    const folder = await opened();
    const puts = [keys.starts, keys.trying, keys.differs, keys.published, keys.posted, "a", "z"];
    await folder.store.commit(puts.map((put) => ({ put, value: `"${put}"` })));
    await folder.close();
    const pieces = await piecesOf();
    expect([...rowsIn(pieces, "rows").keys()]).toEqual(["a", "z"]);
    expect([...rowsIn(pieces, "outlets").keys()]).toEqual([keys.posted, keys.published]);
    expect([...rowsIn(pieces, "journal").keys()]).toEqual(["journal"]);
    expect((await piecesOf(dir, false)).map(({ kind }) => kind)).toEqual(["rows", "outlets"]);
  });

  it("LMDB-SNAPSHOT-1: a store that is missing, damaged or of a newer version is refused in words", async () => {
    await expect(openSnapshot(dir)).rejects.toMatchObject({
      code: expect.stringMatching(/STORE_LOST|ENOENT/) as string,
    });
    const folder = await opened();
    await folder.store.commit([{ put: keys.meta, value: JSON.stringify({ format: FORMAT + 1 }) }]);
    await folder.close();
    await expect(openSnapshot(dir)).rejects.toMatchObject({ code: "STORE_FORMAT" });
    await changed(dir, async ({ redo }) => {
      void redo.put(9, Buffer.from("nonsense"));
      await redo.flushed;
    });
    await expect(openSnapshot(dir)).rejects.toMatchObject({ code: "STORE_DAMAGED" });
  });
});

describe("a reader that was killed", () => {
  it("REDO-LOG-7: it is forgotten at the next checkpoint, and keeps no page from being used again", async () => {
    const environment = new Environment(dir, { markOf });
    await environment.takeOver();
    const log = new RedoLog(environment, systemClock());
    await log.commit([{ put: "a", value: "1" }]);
    const reader = startChild("snapshot", dir);
    const [, pid = ""] = (await reader.said("open")).split(" ");
    const isListed = () => new RegExp(`^\\s*${pid} `, "m").test(environment.tables.root.readerList());
    await log.commit([{ put: "a", value: "2" }]);
    await log.end();
    expect(isListed()).toBe(true);
    reader.kill();
    await reader.ended;
    expect(isListed()).toBe(true);
    await log.commit([{ put: "a", value: "3" }]);
    await log.end();
    expect(isListed()).toBe(false);
    await environment.close();
  });
});

describe("a store made from a snapshot", () => {
  it("LMDB-FILLING-1: it has the same rows and entries, goes on behind them, and its epoch is above the one before", async () => {
    const first = await opened();
    const rows = Array.from({ length: 3_000 }, (_, n) => ({
      put: `row/${n}`,
      value: `${n} `.padEnd(900, "x"),
    }));
    await first.store.commit(rows);
    await first.journal.append(["one", "two", "three"]);
    await first.journal.trim(1);
    await first.close();
    const pieces = await piecesOf();
    expect(pieces.length).toBeGreaterThan(3);
    await fill(pieces, 41);
    const same = (await piecesOf(other)).map(({ bytes }, n) => pieces[n]?.bytes.equals(bytes));
    expect(same).toEqual(pieces.map(() => true));
    const second = openLmdb(other, systemClock(), { markOf });
    expect(await second.store.open()).toBe(43);
    const cursor = await second.journal.open(undefined, true);
    expect([...second.store.range({ gte: "row/", lt: "row0" })]).toHaveLength(3_000);
    expect([await second.journal.first(), second.journal.tail()]).toEqual([2, 3]);
    expect((await second.journal.entry(3))?.body).toBe("three");
    expect(await second.journal.append(["four"])).toEqual([4]);
    expect(cursor.incarnation).toBe(rowsIn(pieces, "journal").get("journal")?.split(" ")[0]);
    await second.close();
  });

  it("LMDB-FILLING-1: a piece that is not what was cut is written in no part", async () => {
    const filling = await fillLmdb(other, { after: 0, markOf });
    await expect(filling.put({ kind: "rows", n: 1, bytes: Buffer.from("nonsense") })).rejects.toMatchObject({
      code: "STORE_DAMAGED",
    });
    await filling.close();
    expect((await rawIn(other)).rows.size).toBe(0);
  });

  it("LMDB-SNAPSHOT-5: a row that was altered at rest cannot be read from it, nor where it is restored", async () => {
    const folder = await opened();
    await folder.store.commit([
      { put: "quota/a", value: '{"n":1}' },
      { put: "quota/b", value: '{"n":2}' },
    ]);
    await folder.close();
    await changed(dir, async ({ rows }) => {
      await rows.put("quota/a", (rows.get("quota/a") ?? "").replace("1", "7"));
    });
    await fill(await piecesOf());
    const again = await opened(other);
    expect(() => JSON.parse(again.store.get("quota/a") ?? "") as unknown).toThrow();
    expect(again.store.get("quota/b")).toBe('{"n":2}');
    await again.close();
  });
});
