// Seam: engines of two builds on one journal in memory; each entry of a term is applied by the build that began the term.

import { setImmediate as nextTick } from "node:timers/promises";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { MemoryDisk } from "../../../adapters/memory/index.ts";
import { patienceMs } from "../../../runtime/cluster/seam.ts";
import { GROUP_MAX } from "../../../runtime/engine/opening.ts";
import { ENGINE } from "../../../runtime/message.ts";
import { keys } from "../../../runtime/rows/keys.ts";
import { rows, shared } from "../../support/cluster/sharing.ts";
import type { Rig } from "../../support/engine/rig.ts";
import { holdsLater } from "../../support/properties/property.ts";
import { said } from "../../support/sessions/said.ts";

const FILE = "test/runtime/engine/seam.test.ts";

const ticks = async (count = 40): Promise<void> => {
  for (let n = 0; n < count; n += 1) await nextTick();
};

const end = (rig: Rig, waitMs = 0) =>
  rig.engine.own(ENGINE.workspace, ENGINE.session, { type: "term.ended", waitMs });

const code = (rig: Rig): unknown => Reflect.get(rig.fatals[0] ?? {}, "code");

interface Entry {
  readonly position: number;
  readonly type: string | undefined;
  readonly term: number | undefined;
  readonly build: string | undefined;
}

const entriesOf = (journal: MemoryDisk): readonly Entry[] =>
  journal.entries.map(({ position, body }) => {
    const { said: what, term } = JSON.parse(body) as {
      readonly term?: number;
      readonly said?: { readonly type: string; readonly term?: number; readonly build?: string };
    };
    return { position, type: what?.type, term: what?.term ?? term, build: what?.build };
  });

/** The build that must apply each entry, by the journal alone; undefined for an entry that nobody may apply yet. */
function dueIn(entries: readonly Entry[]): readonly (string | undefined)[] {
  const due: (string | undefined)[] = [];
  let [newest, build, isOver]: [number, string | undefined, boolean] = [0, undefined, true];
  for (const entry of entries) {
    const counts = entry.type === "term.begun" && entry.term === newest + 1;
    if (counts) {
      // What lies between two terms belongs to the next one.
      for (let at = due.length; at > 0 && isOver && due[at - 1] === undefined; at -= 1)
        due[at - 1] = entry.build;
      [newest, build, isOver] = [entry.term, entry.build, false];
    }
    due.push(isOver ? undefined : build);
    if (entry.type === "term.ended" && entry.term === newest && !isOver) isOver = true;
  }
  return due;
}

/** The build that applied each entry of a store. */
function appliedIn(disk: MemoryDisk): readonly string[] {
  const from = [...disk.rows.range({ gte: keys.builds, lt: `${keys.builds}~` })].map(
    ([key, row]) =>
      [Number(key.slice(keys.builds.length)), (JSON.parse(row) as { build: string }).build] as const,
  );
  const { position } = JSON.parse(disk.rows.get(keys.meta) ?? '{"position":0}') as { position: number };
  return Array.from(
    { length: position },
    (_, at) => from.findLast(([first]) => first <= at + 1)?.[1] ?? "none",
  );
}

const step = fc.oneof(
  fc.record({ does: fc.constant("tell" as const), node: fc.nat(2) }),
  fc.record({ does: fc.constant("lead" as const), node: fc.nat(2) }),
  fc.record({ does: fc.constant("end" as const), node: fc.nat(2) }),
  fc.record({ does: fc.constant("restart" as const), node: fc.nat(2), build: fc.constantFrom("old", "new") }),
);

test("CLUSTER-SEAM-1, CLUSTER-SEAM-4: whoever restarts as which build, each entry of a term is applied by the term's build alone", () =>
  holdsLater(FILE, 60, fc.array(step, { minLength: 5, maxLength: 30, size: "max" }), async (steps) => {
    const { node, journal, settled } = shared();
    const disks: MemoryDisk[] = [];
    const rigs: (Rig | undefined)[] = [];
    const begin = async (n: number, build: string): Promise<void> => {
      const rig = await node(`n${n}`, true, { build }).catch(() => undefined);
      rigs[n] = rig;
      if (rig) disks[n] = rig.disk;
    };
    for (const n of [0, 1, 2]) await begin(n, "old");
    expect(await rigs[0]?.engine.lead()).toBe(true);
    await settled(...rigs.flatMap((rig) => rig ?? []));
    let told = 0;
    for (const { does, node: n, ...more } of steps) {
      const rig = rigs[n];
      if (does === "restart") {
        rig?.kill();
        await ticks(5);
        await begin(n, "build" in more ? more.build : "old");
      } else if (rig?.engine.isReady === true) {
        if (does === "tell") void rig.tell("s", said.prompt(`p${(told += 1)}`)).catch(() => undefined);
        else if (does === "lead") void rig.engine.lead().catch(() => undefined);
        else void end(rig).catch(() => undefined);
      }
      await ticks();
    }
    const due = dueIn(entriesOf(journal));
    for (const [n, disk] of disks.entries())
      expect([n, appliedIn(disk)]).toEqual([n, due.slice(0, appliedIn(disk).length)]);
    for (const rig of rigs) rig?.kill();
  }));

test("CLUSTER-SEAM-2, CLUSTER-SEAM-3, LOOP-2: all end at the same entry; the new build goes on there, and the old one is refused", async () => {
  const { node, settled, journal } = shared();
  const [a, b, c] = [
    await node("a", true, { build: "1" }),
    await node("b", true, { build: "1" }),
    await node("c", true, { build: "1" }),
  ];
  expect(await a.engine.lead()).toBe(true);
  await a.tell("s", said.prompt("p"));
  await settled(a, b, c);
  expect((await end(a)).outcome).toBe("applied");
  await ticks();
  expect([a, b, c].map(code)).toEqual(Array(3).fill("TERM_ENDED"));
  const seam = journal.tail;
  for (const rig of [a, b, c]) rig.kill();

  const next = await node("b", true, { build: "2" });
  const late = await node("a", true, { build: "1" });
  // What services send meanwhile waits in the journal, and is more than one commit.
  const waits = Array.from({ length: 3 * GROUP_MAX }, (_, n) =>
    late.tell("s", said.prompt(`q${n}`)).catch(() => undefined),
  );
  await ticks();
  expect([next, late].map(({ engine }) => engine.meta().position)).toEqual([seam, seam]);
  expect(next.engine.mandate.patienceMs).toBe(0);
  expect(await next.engine.lead()).toBe(true);
  await settled(next);
  await ticks();
  await Promise.all(waits);
  expect([code(late), late.engine.meta().position]).toEqual(["BUILD_DIFFERS", seam]);
  expect(next.engine.meta()).toMatchObject({ term: { n: 2, build: "2" }, position: journal.tail });
  late.kill();
  const again = await node("a", true, { build: "2" });
  await settled(next, again);
  expect(rows(again)).toEqual(rows(next));
  // An empty folder reads the past with the builds of that past, one after the other.
  for (const build of ["2", "1"])
    await expect(node("d", true, { build })).rejects.toMatchObject({ code: "STOPPING" });
  const whole = await node("d", true, { build: "2" });
  await settled(next, whole);
  expect(rows(whole)).toEqual(rows(next));
});

test("CLUSTER-SEAM-4: in the middle of a term another build is refused, and takes nothing", async () => {
  const { node, settled } = shared();
  const a = await node("a", true, { build: "1" });
  const b = await node("b", true, { build: "1" });
  await a.engine.lead();
  await settled(a, b);
  b.kill();
  const before = JSON.stringify([...b.disk.rows.range({ gte: keys.builds, lt: `${keys.builds}~` })]);
  await expect(node("b", true, { build: "2" })).rejects.toMatchObject({ code: "BUILD_DIFFERS" });
  expect(JSON.stringify([...b.disk.rows.range({ gte: keys.builds, lt: `${keys.builds}~` })])).toBe(before);
});

test("ENGINE-MANDATE-8: a spare ends no term, and neither does an engine that never had to begin one", async () => {
  const { node, settled } = shared();
  const owner = await node("a", false);
  const spare = await node("b", true);
  await settled(owner, spare);
  const toEnd = (rig: Rig) => () => rig.engine.mandate.toEnd();
  expect(toEnd(owner)).toThrow(expect.objectContaining({ code: "NO_TERM" }) as Error);
  expect(toEnd(spare)).toThrow(expect.objectContaining({ code: "STANDING_BY" }) as Error);
  owner.kill();
  await spare.engine.lead();
  expect(spare.engine.mandate.toEnd()).toEqual([]);
});

test("CLUSTER-SAYS-1: after the end of its term an owner's word changes nothing", async () => {
  const { node, settled } = shared();
  const a = await node("a", true, { build: "1" });
  await a.engine.lead();
  await end(a);
  await ticks();
  const stamped = a.engine.mandate.stamp({ type: "tallied" });
  a.kill();
  const b = await node("a", true, { build: "1" });
  expect(stamped).toEqual({ term: 1 });
  const late = b.engine.submit({
    door: "own",
    ...ENGINE,
    said: { type: "term.ended", waitMs: 0 },
    ...stamped,
  });
  late.catch(() => undefined);
  expect(await b.engine.lead()).toBe(true);
  await settled(b);
  expect(b.engine.meta()).toMatchObject({ term: { n: 2 } });
});

test("CLUSTER-SEAM-5: at a seam the build that ended the term waits for another one as long as the owner said, another build not at all", () => {
  const term = { n: 1, start: "s", node: "", build: "1", mayEnd: true } as const;
  expect(patienceMs({ term }, "1")).toBe(3_000);
  expect(patienceMs({ term }, "2")).toBe(3_000);
  const ended = { term: { ...term, ended: { position: 7, waitMs: 60_000 } } };
  expect([patienceMs(ended, "1"), patienceMs(ended, "2")]).toEqual([60_000, 0]);
});
