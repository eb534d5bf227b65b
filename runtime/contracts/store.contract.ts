// Store contract
// The requirements of the port Store.
//
//   Owns:          the tests that an acknowledged commit is stored completely, and any other commit completely or not at all
//                  (PORTS-2), as far as one process can show this.
//   Does not own:  the requirements for a store that is opened again (store-openings.contract.ts), after crashes and on failing
//                  disks (lmdb/crash.test.ts).

import assert from "node:assert/strict";
import { checkOptions } from "../errors/given-options.ts";
import type { Write } from "../ports.ts";
import { casesOf, claimsAbout, type ContractCase } from "./contract-case.ts";
import { Draws } from "./draws.ts";
import { ALL, OpenStore, put, type StoreContract } from "./open-store.ts";
import { OPENINGS } from "./store-openings.contract.ts";

const ROUNDS = 100;

const test = claimsAbout<OpenStore>();

const ROWS = [
  test("PORTS-2: what was committed is read, by key and in key order", async ({ store, rows }) => {
    await store.commit([put("b", "2"), put("a", "1"), put("c", "3")]);
    assert.equal(store.get("b"), "2");
    assert.equal(store.get("B"), undefined);
    assert.deepEqual(rows(), [
      ["a", "1"],
      ["b", "2"],
      ["c", "3"],
    ]);
  }),

  test("PORTS-2: the writes of a commit are applied in their order", async ({ store, rows }) => {
    const back: readonly Write[] = [{ del: "gone" }, { del: "back" }, put("back")];
    await store.commit([put("a", "old"), put("gone"), put("a", "new"), ...back]);
    assert.deepEqual(rows(), [
      ["a", "new"],
      ["back", "back"],
    ]);
  }),

  test("PORTS-2: an empty commit and the removal of a missing row change nothing", async ({
    store,
    rows,
  }) => {
    await store.commit([put("a")]);
    await store.commit([]);
    await store.commit([{ del: "missing" }]);
    assert.deepEqual(rows(), [["a", "a"]]);
  }),

  test("PORTS-2: a range takes in its lower bound and leaves out its upper one, both ways", async ({
    store,
    keys,
  }) => {
    const all = [" ", "a", "a ", "a/", "a/1", "a/1/x", "a/10", "a/2", "a0", "b", "~"];
    await store.commit(all.map((key) => put(key)));
    assert.deepEqual(keys(ALL), all);
    assert.deepEqual(keys({ gte: "a/", lt: "a0" }), ["a/", "a/1", "a/1/x", "a/10", "a/2"]);
    assert.deepEqual(keys({ gte: "a/", lt: "a0", reverse: true }), ["a/2", "a/10", "a/1/x", "a/1", "a/"]);
    assert.deepEqual(keys({ gte: "a/1/", lt: "a/10" }), ["a/1/x"]);
    assert.deepEqual(keys({ gte: "a/1", lt: "a/1", reverse: true }), []);
    assert.deepEqual(keys({ gte: "b", lt: "a" }), []);
    assert.deepEqual(keys({ gte: "c", lt: "d", reverse: true }), []);
    assert.deepEqual(keys({ gte: "~", lt: "\x7f" }), ["~"]);
  }),

  test("PORTS-2: a limit counts from the end at which reading begins", async ({ store, keys }) => {
    await store.commit(["a", "b", "c", "d"].map((key) => put(key)));
    assert.deepEqual(keys({ ...ALL, limit: 2 }), ["a", "b"]);
    assert.deepEqual(keys({ ...ALL, limit: 2, reverse: true }), ["d", "c"]);
    assert.deepEqual(keys({ gte: "b", lt: "d", limit: 1, reverse: true }), ["c"]);
    assert.deepEqual(keys({ ...ALL, limit: 0 }), []);
    assert.equal(keys({ ...ALL, limit: 9 }).length, 4);
  }),

  test("PORTS-2: any commits leave what a plain map would hold, and any range reads it in byte order", async ({
    store,
    rows,
    seed,
  }) => {
    const draws = new Draws(seed);
    const key = () => draws.list(1, 3, () => draws.oneOf(" ", "/", "a", "~")).join("");
    const write = (): Write => (draws.below(2) === 0 ? put(key(), draws.text()) : { del: key() });
    for (let round = 0; round < ROUNDS; round += 1) {
      const groups = draws.list(0, 4, () => draws.list(0, 20, write));
      await store.commit(rows().map(([del]) => ({ del })));
      const model = new Map<string, string>();
      for (const group of groups) {
        await store.commit(group);
        for (const one of group) {
          if ("put" in one) model.set(one.put, one.value);
          else model.delete(one.del);
        }
      }
      const sorted = [...model].sort(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
      const said = `seed ${seed}, round ${round}: ${JSON.stringify(groups)}`;
      assert.deepEqual({ said, rows: rows() }, { said, rows: sorted });
      for (let n = draws.below(9); n > 0; n -= 1) {
        const range = { gte: key(), lt: key(), limit: draws.below(6), reverse: draws.below(2) === 0 };
        const inside = sorted.filter(([k]) => k >= range.gte && k < range.lt);
        if (range.reverse) inside.reverse();
        assert.deepEqual(
          { said, range, rows: rows(range) },
          { said, range, rows: inside.slice(0, range.limit) },
        );
      }
    }
  }),

  test("PORTS-2: ten thousand rows, put in a scattered order and thinned out again, stay in order", async ({
    store,
    keys,
  }) => {
    const key = (n: number) => `row/${String(n).padStart(5, "0")}`;
    await store.commit(Array.from({ length: 10_000 }, (_, n) => put(key((n * 7919) % 10_000))));
    await store.commit(Array.from({ length: 5_000 }, (_, n) => ({ del: key(n * 2) })));
    const odd = Array.from({ length: 5_000 }, (_, n) => key(n * 2 + 1));
    assert.deepEqual(keys(ALL), odd);
    assert.deepEqual(keys({ ...ALL, reverse: true }), odd.reverse());
  }),
];

const BAD_KEYS = {
  empty: "",
  "1,001 bytes long": "k".repeat(1001),
  "not ASCII": "schlüssel",
  "a control character": "a\nb",
  "a NUL": "a\0b",
} as const;

const TEXTS = [
  ...["", " ", "\0", "a\0b", "\r\n", "é", "日本", "😀", '{"a":"\\u0000"}'],
  ...["x".repeat(3 << 20), "ü😀".repeat(50_000)],
];

const WRITES = [
  ...Object.entries(BAD_KEYS).map(([what, bad]) =>
    test(`PORTS-2, TRANSACTION-2, WRITES-1: a commit with one bad key in the middle (${what}) is refused before anything is applied`, async ({
      store,
      rows,
    }) => {
      await store.commit([put("a", "old")]);
      await assert.rejects(store.commit([put("a", "new"), put(bad), put("z")]), { code: "BAD_KEY" });
      await assert.rejects(store.commit([put("a", "new"), { del: bad }]), { code: "BAD_KEY" });
      assert.deepEqual(rows(), [["a", "old"]]);
      await store.commit([put("k".repeat(1000), "longest")]);
      assert.equal(store.get("k".repeat(1000)), "longest");
    }),
  ),

  test("PORTS-2, WRITES-2: a commit with text that UTF-8 cannot carry is refused before anything is applied", async ({
    store,
    rows,
  }) => {
    await assert.rejects(store.commit([put("a"), put("b", "half \ud83d pair")]), { code: "BAD_TEXT" });
    assert.deepEqual(rows(), []);
  }),

  test("PORTS-2: text comes back as it was given", async ({ store, rows }) => {
    await store.commit(TEXTS.map((text, index) => put(`t/${index}`, text)));
    // The test compares indexes, not the texts themselves, so that a failure does not print megabytes.
    const changed = TEXTS.flatMap((text, index) => (store.get(`t/${index}`) === text ? [] : [index]));
    assert.deepEqual(changed, []);
    assert.ok(rows().every(([key, value]) => value === TEXTS[Number(key.slice(2))]));
  }),
];

const AT_ONCE = [
  test("PORTS-2, SORTED-ROWS-1: a range that is being read shows the rows as they were when reading began", async ({
    store,
    rows,
  }) => {
    await store.commit(["a", "b", "c"].map((key) => put(key, "old")));
    const reading = store.range(ALL)[Symbol.iterator]();
    assert.deepEqual(reading.next().value, ["a", "old"]);
    await store.commit([put("b", "new"), { del: "c" }, put("d", "new")]);
    const rest = [reading.next(), reading.next(), reading.next()].map(({ value }): unknown => value);
    assert.deepEqual(rest, [["b", "old"], ["c", "old"], undefined]);
    assert.deepEqual(rows(), [
      ["a", "old"],
      ["b", "new"],
      ["d", "new"],
    ]);
  }),

  test("PORTS-2: ranges that are left early do not disturb later ones", async ({ store, rows }) => {
    await store.commit(Array.from({ length: 600 }, (_, n) => put(`k${1000 + n}`)));
    for (let round = 0; round < 300; round += 1) {
      for (const [key] of store.range(ALL)) {
        assert.equal(key, "k1000");
        break;
      }
      await store.commit([put("z", String(round))]);
    }
    assert.equal(rows().length, 601);
  }),

  test("PORTS-2: commits that are handed in at once are all kept, the later over the earlier", async ({
    store,
    rows,
  }) => {
    await Promise.all(
      Array.from({ length: 50 }, (_, n) => store.commit([put("last", String(n)), put(`n/${n}`)])),
    );
    assert.equal(store.get("last"), "49");
    assert.equal(rows({ gte: "n/", lt: "n0" }).length, 50);
  }),
];

/** The claims that every store must meet, each as a case for a test runner. @throws RefusedError BAD_OPTION */
export function storeContract(options: StoreContract): readonly ContractCase[] {
  checkOptions("storeContract", options, { seed: "a number", make: "a function!" });
  const { make, seed = 1 } = options;
  return casesOf([...ROWS, ...WRITES, ...AT_ONCE, ...OPENINGS], {
    make: async () => new OpenStore(await make(), seed),
    begin: ({ store }) => store.open(),
    end: async ({ disk }) => disk.dispose?.(),
  });
}
