// Held: a spare behind its owner, entries that crash engines, and what may be trimmed. Two engines on one journal in memory.

import { setImmediate as nextTick } from "node:timers/promises";
import { expect, test } from "vitest";
import { MemoryJournal } from "../../../adapters/memory/index.ts";
import { Hold } from "../../../runtime/cluster/hold.ts";
import { writeMessage } from "../../../runtime/message.ts";
import { rows, shared } from "../../support/cluster/sharing.ts";
import type { Rig } from "../../support/engine/rig.ts";
import { message } from "../../support/faults/poisoned.ts";
import { call, said } from "../../support/sessions/said.ts";

const ticks = async (): Promise<void> => {
  for (let n = 0; n < 50; n += 1) await nextTick();
};

/** A journal, and an owner with a session on it. */
async function owned() {
  const world = shared();
  const owner = await world.node("a", false);
  await owner.tell("s", said.prompt("p"), said.created("r"));
  await owner.tell("s", said.ask("q", call("t")));
  const spareOf = async (name: string) => {
    const hold = new Hold();
    hold.allow(0);
    const cluster = { follows: true, hold, start: `${name}-start`, node: () => `http://${name}` };
    return { hold, spare: await world.node(name, true, { cluster }) };
  };
  return { ...world, owner, spareOf };
}

/** The owner answers the spare. */
function answer(owner: Rig, spare: Rig): void {
  const { agreement } = spare.engine.mandate;
  const asked = { node: "http://b", compare: agreement.wanted(), holds: agreement.held };
  const told = owner.engine.mandate.said("http://a", asked);
  if (told) spare.engine.mandate.heard({ ...told, isProven: true });
}

/** The owner's process dies; the journal has an entry at which `times` of its processes died. */
async function diesAt({ owner, journal, manual }: Awaited<ReturnType<typeof owned>>, times: number) {
  owner.kill();
  const late = new MemoryJournal(journal, manual);
  await late.open(undefined);
  const body = writeMessage(message("s", "deadly", said.created("r2")));
  const [position = 0] = await late.append([body]);
  owner.disk.rows.set("trying", JSON.stringify({ position, times }));
  return position;
}

test("CLUSTER-HOLD-1: a spare applies what its owner has applied, never more, and all of it after a take-over", async () => {
  const world = await owned();
  const { owner, spareOf, settled, journal } = world;
  const { hold, spare } = await spareOf("b");
  await ticks();
  expect(spare.engine.meta().position).toBe(0);
  answer(owner, spare);
  await settled(owner, spare);
  expect(rows(spare)).toEqual(rows(owner));

  await diesAt(world, 1);
  await ticks();
  expect(spare.engine.meta().position).toBe(journal.tail - 1);
  hold.allow(Infinity);
  expect(await spare.engine.lead()).toBe(true);
  await settled(spare);
  expect(spare.changes.map(({ id }) => id)).toContain("r2");

  // One that begins far behind, with all entries there at once.
  const { hold: other, spare: late } = await spareOf("c");
  for (const upTo of [1, 2]) {
    other.allow(upTo);
    await ticks();
    expect(late.engine.meta().position).toBe(upTo);
  }
});

test("CLUSTER-HOLD-2: what the owner set aside as poison its spare sets aside, without trying it: the rows are the same", async () => {
  const world = await owned();
  const { owner, spareOf, settled, node } = world;
  const { spare } = await spareOf("b");
  answer(owner, spare);
  await settled(spare);
  const position = await diesAt(world, 3);
  const again = await node("a", false, { disk: owner.disk });
  await settled(again);
  expect(again.engine.meta().poison).toEqual([position]);
  await ticks();
  expect(spare.engine.meta().position).toBe(position - 1);
  answer(again, spare);
  await settled(again, spare);
  expect(spare.rows("dead/").size).toBe(1);
  expect(rows(spare)).toEqual(rows(again));
});

test("CLUSTER-HOLD-3, CLUSTER-TERM-2: a spare that never heard of the poison finds it in the next owner's term", async () => {
  const world = await owned();
  const { owner, spareOf, settled, node, entries } = world;
  const first = await spareOf("b");
  const second = await spareOf("c");
  for (const { spare } of [first, second]) answer(owner, spare);
  await settled(first.spare, second.spare);
  const position = await diesAt(world, 3);
  const cluster = { follows: true, start: "a-again", node: () => "http://a" };
  const again = await node("a", true, { disk: owner.disk, cluster });
  expect(await again.engine.lead()).toBe(true);
  expect(entries("term.begun")).toMatchObject([{ term: 1, poison: [position] }]);
  await settled(again);
  again.kill();
  expect(second.spare.engine.meta().position).toBe(position - 1);
  second.hold.allow(Infinity);
  await settled(second.spare);
  expect(rows(second.spare)).toEqual(rows(again));
});

test("CLUSTER-SPARES-4, AGREEMENT-6: beside a spare the owner trims what the spare holds and has compared, and no more", async () => {
  const { node, settled, journal } = shared();
  const owner = await node("a", false, { journalKept: { ms: 0, bytes: 0 } });
  const spare = await node("b", true);
  for (let n = 0; n < 5; n += 1) await owner.tell("s", said.created(`r${n}`));
  await settled(owner, spare);
  answer(owner, spare);
  const sweep = () => owner.engine.retention.sweep(10);
  expect([(await sweep()).journalEntries, journal.trimmed]).toEqual([0, 0]);
  expect(owner.engine.mandate.spares.troubles(owner.clock.now() + 60_000)).toMatchObject([
    { code: "NO_SPARE_HOLDS" },
  ]);

  await settled(owner, spare);
  for (let n = 0; n < 3; n += 1) answer(owner, spare);
  const { held } = spare.engine.mandate.agreement;
  expect(held).toBe(spare.engine.meta().position);
  await owner.tell("s", said.created("late"));
  await sweep();
  expect([journal.trimmed, owner.engine.meta().position > held]).toEqual([held, true]);

  // Nobody has asked an engine that was started alone: it trims as it always did.
  const alone = await shared().node("alone", false, { journalKept: { ms: 0, bytes: 0 } });
  await alone.tell("s", said.created("r"));
  expect((await alone.engine.retention.sweep(10)).journalEntries).toBeGreaterThan(0);
});

test("NATS-OWNER-LINE-4: an answer that nobody proved tells how far somebody has applied, and names no poison", async () => {
  const { owner, spareOf } = await owned();
  const { spare, hold } = await spareOf("b");
  const told = owner.engine.mandate.said("http://a", { node: "", compare: [] });
  if (!told) throw new Error("The owner says nothing.");
  spare.engine.mandate.heard({ ...told, poison: [1], isProven: false });
  await ticks();
  expect([spare.engine.meta().position, hold.isPoison(1)]).toEqual([told.applied, false]);
  spare.engine.mandate.heard({ ...told, poison: [1], isProven: true });
  await ticks();
  expect([spare.engine.meta().position, hold.isPoison(1)]).toEqual([told.applied, true]);
});
