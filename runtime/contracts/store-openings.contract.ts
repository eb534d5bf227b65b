// Store, opened again
// The requirements of the port Store for a store that is opened again, by a second process, or not at all.
//
//   Owns:          the tests that a store keeps what was committed (G3), and that only the process that opened it last can
//                  write (PORTS-3, G6), as far as one process can show this.
//   Does not own:  the requirements for rows and commits (store.contract.ts), and after crashes (lmdb/crash.test.ts).

import assert from "node:assert/strict";
import { claimsAbout } from "./contract-case.ts";
import { ALL, type OpenStore, put } from "./open-store.ts";

const test = claimsAbout<OpenStore>();

export const OPENINGS = [
  test("G3: what was committed is there after a restart, and nothing else", async ({ store, disk, rows }) => {
    await store.commit([put("a"), put("b")]);
    await store.commit([{ del: "a" }]);
    await store.close();
    const next = disk.store();
    await next.open();
    assert.deepEqual(rows(ALL, next), [["b", "b"]]);
  }),

  test("PORTS-3: every opening gives the epoch after the last one", async ({ store, disk }) => {
    await store.close();
    const epochs: number[] = [];
    for (let round = 0; round < 3; round += 1) {
      const next = disk.store();
      epochs.push(await next.open());
      await next.close();
    }
    assert.deepEqual(epochs, [2, 3, 4]);
  }),

  test("PORTS-3, G6: once a second has opened the store, every commit of the first fails and changes nothing", async ({
    store,
    disk,
    rows,
  }) => {
    await store.commit([put("a", "first")]);
    const second = disk.store();
    assert.equal(await second.open(), 2);
    const fenced = { code: "STORE_FENCED", obligation: "stop" };
    for (let round = 0; round < 2; round += 1) await assert.rejects(store.commit([put("a", "late")]), fenced);
    assert.equal(second.get("a"), "first");
    await second.commit([put("a", "second")]);
    await assert.rejects(store.commit([put("a", "late")]), fenced);
    assert.deepEqual(rows(ALL, second), [["a", "second"]]);
    await second.close();
  }),

  test("PORTS-3: a store that is not open neither reads nor writes", async ({ store, disk, rows }) => {
    await store.close();
    const closed = { code: "STORE_CLOSED" };
    for (const shut of [store, disk.store()]) {
      assert.throws(() => shut.get("a"), closed);
      assert.throws(() => rows(ALL, shut), closed);
      await assert.rejects(shut.commit([put("a")]), closed);
    }
  }),
];
