// Releasing
// What becomes durable while earlier rows are being published or counted is published or counted too, and once.

import { setImmediate as nextTick } from "node:timers/promises";
import { expect, test } from "vitest";
import { MemoryDisk, MemoryStore } from "../../../adapters/memory/index.ts";
import { ManualClock } from "../../support/engine/manual-clock.ts";
import { Outbox } from "../../../runtime/outbound/outbox.ts";
import { Series } from "../../../runtime/reading/figures/series.ts";
import { Waiting } from "../../../runtime/engine/waiting.ts";
import { Rig } from "../../support/engine/rig.ts";
import { said } from "../../support/sessions/said.ts";
import { WrappedStore } from "../../support/faults/wrapped-store.ts";

interface Row {
  readonly n: number;
}

test("OUTBOX-1: a row that becomes durable at any moment while the run before it ends leaves too", async () => {
  for (let steps = 0; steps < 40; steps += 1) {
    const store = new MemoryStore(new MemoryDisk("outbox"));
    await store.open();
    await store.commit([1, 2].map((n) => ({ put: `row/${n}`, value: JSON.stringify({ n }) })));
    const sent: number[] = [];
    const leaving = {
      key: (n: number) => `row/${n}`,
      rowsIn: (text: string) => [JSON.parse(text) as Row],
      lineOf: () => "line",
      versionOf: ({ n }: Row) => n,
      lastVersion: () => Promise.resolve(0),
      publish: ({ n }: Row) => Promise.resolve(void sent.push(n)),
    };
    const outbox = new Outbox<Row>(store, leaving, new ManualClock(0), { published: 0, durable: 0 });
    outbox.advance(1);
    for (let step = 0; step < steps; step += 1) await Promise.resolve();
    outbox.advance(2);
    await nextTick();
    expect([steps, ...sent]).toEqual([steps, 1, 2]);
  }
});

test("SERIES-1: the last hour, first asked for while a commit is being told, counts each change once", async () => {
  const read = { series: (): unknown => undefined };
  const rig = new Rig({
    wrapStore: (store) =>
      new WrappedStore(store, async (_, commit) => {
        await commit();
        read.series();
      }),
  });
  const series = new Series(rig.engine, rig.clock);
  await rig.engine.start();
  read.series = () => series.read();
  await rig.tell("s1", said.prompt("p1"));
  expect(changesIn(await series.read())).toBe(rig.changes.length);
  await rig.engine.stop();
});

test("SERIES-1: the last hour is read a few rows at a time; changes between two reads are counted once", async () => {
  const rows: (number | undefined)[] = [];
  const rig = new Rig({
    wrapStore: (inner) => {
      const store = new WrappedStore(inner);
      const range = store.range.bind(store);
      store.range = (bounds) => {
        rows.push(bounds.limit);
        return range(bounds);
      };
      return store;
    },
  });
  const series = new Series(rig.engine, rig.clock);
  await rig.engine.start();
  for (let n = 0; n < 600; n += 1) await rig.tell(`s${n}`, said.prompt(`p${n}`));
  const told = rig.rows("change/").size;
  rows.length = 0;
  const reading = series.read();
  expect(rows).toEqual([250]);
  await rig.tell("between", said.prompt("between"));
  await reading;
  expect(changesIn(await series.read())).toBe(rig.changes.length);
  const pages = rows.filter((limit) => limit === 250);
  expect(pages).toHaveLength(Math.floor(told / 250) + 1);
  await rig.engine.stop();
});

const changesIn = ({ items }: { readonly items: readonly { readonly changes: number }[] }): number =>
  items.reduce((sum, { changes }) => sum + changes, 0);

test("WAITING-1: a caller who asks about a settled entry too late is told that the answer is forgotten, and does not wait for ever", async () => {
  const store = new MemoryStore(new MemoryDisk("waiting"));
  await store.open();
  const waiting = new Waiting(store);
  const results = Array.from({ length: 5_000 }, (_, index) => ({
    position: index + 1,
    at: 0,
    outcome: "applied" as const,
    changes: [],
    answers: [],
  }));
  waiting.settle(results);
  expect(await waiting.at(5_000)).toMatchObject({ position: 5_000, outcome: "applied" });
  await expect(waiting.at(1)).rejects.toMatchObject({ code: "ANSWER_FORGOTTEN" });
  const next = waiting.at(5_001);
  waiting.settle([{ position: 5_001, at: 0, outcome: "applied", changes: [], answers: [] }]);
  expect(await next).toMatchObject({ position: 5_001 });
});
