// Sweep, its bounds
// Which changes a sweep removes: whole turns, old ones, in order, and none with a change that is not published.

import fc from "fast-check";
import { expect, test } from "vitest";
import { MemoryDisk, MemoryStore } from "../../../adapters/memory/index.ts";
import { completed } from "../../../runtime/config.ts";
import { after, keys } from "../../../runtime/rows/keys.ts";
import { freshMeta, meta, type Meta } from "../../../runtime/rows/meta.ts";
import { Layer } from "../../../runtime/rows/overlay.ts";
import { isOverdue, sweep } from "../../../runtime/turn/sweep.ts";
import { DAY_MS, START_MS } from "../../support/engine/rig.ts";
import { holdsLater } from "../../support/properties/property.ts";

const FILE = "test/runtime/turn/sweep.bounds.test.ts";
const KEPT_MS = 7 * DAY_MS;

/** A row of the log: how many changes its turn had, how long before the sweep it was written. */
interface Turn {
  readonly changes: number;
  readonly agoMs: number;
}

interface Case {
  readonly turns: readonly Turn[];
  readonly from: number;
  /** How many of the changes the outlet has taken. */
  readonly published: number;
}

const aTurn: fc.Arbitrary<Turn> = fc.record({
  changes: fc.integer({ min: 1, max: 4 }),
  agoMs: fc.constantFrom(0, KEPT_MS - 1, KEPT_MS, KEPT_MS + 1, 30 * DAY_MS),
});
const someTurns: fc.Arbitrary<Case> = fc
  .array(aTurn, { maxLength: 12 })
  .map((turns) => turns.toSorted((one, other) => other.agoMs - one.agoMs))
  .chain((turns) => {
    const all = turns.reduce((sum, { changes }) => sum + changes, 0);
    return fc.record({
      turns: fc.constant(turns),
      from: fc.constantFrom(0, 17),
      published: fc.integer({ min: 0, max: all }),
    });
  });

/** A store with these turns in its log. */
async function storeOf({ turns, from }: Case) {
  const store = new MemoryStore(new MemoryDisk("sweep"));
  await store.open();
  let last = from;
  const log = turns.map(({ changes, agoMs }) => {
    last += changes;
    return { last, agoMs, text: JSON.stringify({ n: last - changes + 1, at: START_MS - agoMs }) };
  });
  const known: Meta = {
    ...freshMeta("sweep"),
    at: START_MS,
    changes: last,
    changesFrom: from,
    configuration: completed({ changesKeptMs: KEPT_MS }),
  };
  await store.commit([
    { put: keys.meta, value: JSON.stringify(known) },
    ...log.map(({ last, text }) => ({ put: keys.change(last), value: text })),
  ]);
  return { store, log, known };
}

/** What a turn reads of a store. */
const over = (store: MemoryStore): Layer =>
  new Layer({
    get(key) {
      const text = store.get(key);
      return text === undefined ? undefined : (JSON.parse(text) as unknown);
    },
    *keys(prefix, behind = "") {
      for (const [key] of store.range({ gte: prefix, lt: after(prefix) })) if (key > behind) yield key;
    },
  });

const ENTRY = { position: 1, at: START_MS, body: "" };

test("TURN-SWEEP-2, TURN-SWEEP-1: a sweep takes the turns that are old and wholly published, up to the first that is not", () =>
  holdsLater(FILE, 1_000, someTurns, async (given) => {
    const { store, log, known } = await storeOf(given);
    const published = given.from + given.published;
    const isOver = log.map(({ last, agoMs }) => agoMs >= KEPT_MS && last <= published);
    const until = isOver.includes(false) ? isOver.indexOf(false) : log.length;
    const last = log[until - 1]?.last ?? given.from;
    expect(isOverdue(store, known, published)).toBe(until > 0);
    const layer = over(store);
    const { rows, changes } = sweep(layer, ENTRY, { type: "swept", published, trimmed: 0 });
    expect({ rows, changes }).toEqual({ rows: until, changes: last - given.from });
    expect([...layer.keys(keys.changes)]).toEqual(log.slice(until).map((turn) => keys.change(turn.last)));
    expect(meta(layer).changesFrom).toBe(last);
  }));
