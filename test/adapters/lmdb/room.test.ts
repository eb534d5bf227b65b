// Room
// The embedded journal on a disk that fills up, and in a folder of a version that did not count its bytes.

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { DiskRoom } from "../../../adapters/lmdb/disk-room.ts";
import { openLmdb } from "../../../adapters/lmdb/index.ts";
import { decodeHead, encodeHead } from "../../../adapters/lmdb/journal-format.ts";
import { openTables } from "../../../adapters/lmdb/tables.ts";
import { ManualClock } from "../../support/engine/manual-clock.ts";

const MIB = 1024 * 1024;
let dir: string;

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), "signalbox-room-"));
});
afterEach(() => rm(dir, { recursive: true }));

test("DISK-ROOM-1: on a disk that fills up sources are turned away first, own words later, and none once there is room again", async () => {
  const clock = new ManualClock(0);
  let freeMib = 70;
  const disk = new DiskRoom(dir, clock, () =>
    Promise.resolve({ bavail: freeMib, blocks: 10_000, bsize: MIB }),
  );
  await disk.ask();
  const own = { own: true };
  const full: unknown = expect.objectContaining({ code: "JOURNAL_FULL", obligation: "retry" });
  const thrown = (step: () => void): unknown => {
    try {
      step();
    } catch (error) {
      return error;
    }
    return undefined;
  };
  expect(thrown(() => disk.take(5 * MIB, {}))).toBeUndefined();
  expect(thrown(() => disk.take(5 * MIB, {}))).toEqual(full);
  for (let n = 0; n < 9; n += 1) expect(thrown(() => disk.take(5 * MIB, own))).toBeUndefined();
  expect(thrown(() => disk.take(5 * MIB, own))).toEqual(full);
  freeMib = 1_000;
  clock.advance(1_000);
  // This one asks, and is told what was known before.
  expect(thrown(() => disk.take(1, own))).toBeUndefined();
  await disk.ask();
  expect(thrown(() => disk.take(5 * MIB, {}))).toBeUndefined();
});

test("DISK-ROOM-1: a disk that cannot be asked bounds nothing", async () => {
  const disk = new DiskRoom(dir, new ManualClock(0), () => Promise.reject(new Error("no such disk")));
  await disk.ask();
  disk.take(Number.MAX_SAFE_INTEGER, {});
});

test("LMDB-JOURNAL-4: a journal whose head does not say its bytes is counted once, and goes on", async () => {
  const clock = new ManualClock(1_000);
  const first = openLmdb(dir, clock);
  await first.store.open();
  await first.journal.open(undefined);
  await first.journal.append(["a".repeat(1_000), "é".repeat(500)]);
  const { bytes } = await first.journal.fill();
  await first.close();
  const { root, meta } = await openTables(dir);
  const head = decodeHead(meta.get("journal") ?? "");
  const counted = encodeHead({ ...head, bytes: 0 });
  await meta.put("journal", counted.slice(0, counted.lastIndexOf(" ")));
  await root.close();
  const again = openLmdb(dir, clock);
  await again.store.open();
  await again.journal.open(undefined);
  expect((await again.journal.fill()).bytes).toBe(bytes);
  await again.journal.trim(2);
  expect((await again.journal.fill()).bytes).toBe(0);
  await again.close();
});
