// Working set
// Which rows of the store stay in memory, and which are read each time.

import { describe, expect, test } from "vitest";
import { MemoryDisk, MemoryStore } from "../../../adapters/memory/index.ts";
import { encode } from "../../../runtime/rows/codec.ts";
import { WorkingSet } from "../../../runtime/rows/working-set.ts";
import { call, said } from "../../support/sessions/said.ts";
import { SessionRun } from "../../support/sessions/session-run.ts";
import { WrappedStore } from "../../support/faults/wrapped-store.ts";

/** A session's rows as a store has them: forty calls are open, so their lines have outgrown their inline parts. */
function stored(): { readonly rows: ReadonlyMap<string, string>; readonly store: WrappedStore } {
  const run = new SessionRun().tell(said.prompt("p1"));
  for (let n = 0; n < 40; n += 1) run.tell(said.pre(call(`c${n}`)));
  const disk = new MemoryDisk("rig");
  const rows = new Map<string, string>();
  for (const [key, value] of run.layer.writes()) if (value !== undefined) rows.set(key, encode(key, value));
  for (const [key, text] of rows) disk.rows.set(key, text);
  return { rows, store: new WrappedStore(new MemoryStore(disk)) };
}

/** How often the store is asked for each kind of row when all rows are read twice. */
function readTwice(
  rows: WorkingSet,
  store: WrappedStore,
  keys: Iterable<string>,
): ReadonlyMap<string, number> {
  const asked = new Map<string, number>();
  for (const key of keys) {
    const before = store.reads;
    const values = [rows.get(key), rows.get(key)];
    expect(values[0]).toEqual(values[1]);
    const kind = key.includes("/place/") ? "place" : key.slice(0, key.indexOf("/"));
    asked.set(kind, Math.max(asked.get(kind) ?? 0, store.reads - before));
  }
  return asked;
}

describe("the working set", () => {
  test("WORKING-SET-1: actors, books and deadlines stay in memory; index rows and the places of ids in long lines do not", async () => {
    const { rows: disk, store } = stored();
    await store.open();
    const asked = readTwice(new WorkingSet(store), store, disk.keys());
    expect(Object.fromEntries(asked)).toMatchObject({ actor: 1, book: 1, alarm: 1, place: 2 });
  });

  test("WORKING-SET-1: what a commit made durable stays in memory as if it had been read", async () => {
    const { rows: disk, store } = stored();
    await store.open();
    const read = new WorkingSet(store);
    const values = [...disk.keys()].map((key) => [key, read.get(key)] as const);
    const rows = new WorkingSet(store);
    for (const [key, value] of values) rows.absorb(key, value, disk.get(key) ?? "");
    const asked = readTwice(rows, store, disk.keys());
    expect(Object.fromEntries(asked)).toMatchObject({ actor: 0, book: 0, alarm: 0, place: 2, list: 2 });
  });

  test("I-26: beyond the bound the least recently read rows are dropped, and read back as they were", async () => {
    const { rows: disk, store } = stored();
    await store.open();
    const keys = [...disk.keys()].filter((key) => key.startsWith("actor/"));
    const small = new WorkingSet(store, 4_000);
    const large = new WorkingSet(store);
    const [hot = ""] = keys;
    for (const key of keys)
      expect([small.get(key), small.get(hot)]).toEqual([large.get(key), large.get(hot)]);
    const before = store.reads;
    small.get(hot);
    expect(store.reads).toBe(before);
    for (const key of keys) expect(small.get(key)).toEqual(large.get(key));
    expect(store.reads - before).toBeGreaterThan(keys.length / 2);
  });
});
