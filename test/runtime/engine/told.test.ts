// Told: what an engine answers while another one may own the journal. An answer must be true at every engine.

import { setImmediate as nextTick } from "node:timers/promises";
import { expect, test } from "vitest";
import { MemoryJournal } from "../../../adapters/memory/index.ts";
import { Hold } from "../../../runtime/cluster/hold.ts";
import type { Journal } from "../../../runtime/ports.ts";
import type { Reply } from "../../../runtime/turn/turn-result.ts";
import { shared } from "../../support/cluster/sharing.ts";
import type { Rig } from "../../support/engine/rig.ts";
import { decision, tellOwn } from "../../support/faults/poisoned.ts";
import { call, said } from "../../support/sessions/said.ts";

const ASKED = { node: "", compare: [] };

const turns = async (): Promise<void> => {
  for (let n = 0; n < 50; n += 1) await nextTick();
};

/** Reads nothing while it is paused; then everything that came meanwhile at once. */
function pausable(journal: Journal) {
  let [gate, open] = [Promise.resolve(), (): void => undefined];
  const read = journal.read.bind(journal);
  journal.read = async (...asked) => {
    await read(...asked);
    await gate;
    return read(...asked);
  };
  return {
    journal,
    pause: (): void => {
      gate = new Promise((resolve) => (open = resolve));
    },
    goOn: (): void => open(),
  };
}

/** What a caller has heard so far. */
function hearing(reply: Promise<Reply>) {
  const heard: { result?: string; error?: unknown } = {};
  reply.then(
    ({ answers }) => (heard.result = answers[0]?.result ?? "none"),
    (error: unknown) => (heard.error = error),
  );
  return heard;
}

/** An owner that can be paused, and a spare that it holds back. An approval waits. */
async function owned() {
  const { node, settled, journal, manual } = shared();
  const paused = pausable(new MemoryJournal(journal, manual));
  const owner = await node("a", false, { wrapJournal: () => paused.journal });
  const hold = new Hold();
  const starting = node("b", true, { cluster: { follows: true, start: "b", node: () => "http://b", hold } });
  hold.allow(Infinity);
  const spare = await starting;
  const hear = (): void => {
    const told = owner.engine.mandate.said("http://a", ASKED);
    if (told) spare.engine.mandate.heard({ ...told, isProven: true });
  };
  // Two entries: the engine commits two turns at a time, so the next two are one group.
  await owner.tell("s", said.prompt("p"));
  await owner.tell("s", said.ask("q", call("t")));
  hear();
  await settled(owner, spare);
  const decide = (at: Rig) => hearing(tellOwn(at, decision("q", "approve", "t"), "s"));
  return { owner, spare, hold, hear, settled, decide, ...paused };
}

/** The owner stands still, and the spare reads on without it. A decision at the spare has no answer yet. */
async function decidedInSilence() {
  const all = await owned();
  all.pause();
  await turns();
  all.hold.allow(Infinity);
  const heard = all.decide(all.spare);
  await all.settled(all.spare);
  await turns();
  expect(heard).toEqual({});
  return { ...all, heard };
}

test("ENGINE-MANDATE-3: an owner that stood still answers no decision that it reads together with its successor's term", async () => {
  const { owner, spare, hold, settled, decide, pause, goOn } = await owned();
  pause();
  await turns();
  hold.allow(Infinity);
  const leading = spare.engine.lead();
  const heard = decide(owner);
  expect(await leading).toBe(true);
  await settled(spare);
  goOn();
  await turns();
  expect(owner.fatals).toMatchObject([{ code: "OWNER_REPLACED" }]);
  expect(heard).toEqual({ error: expect.objectContaining({ code: "STOPPING" }) as unknown });
});

test("WAITING-2: a spare whose owner is silent answers a decision once the owner has it", async () => {
  const { owner, spare, hear, settled, goOn, heard } = await decidedInSilence();
  hear();
  await turns();
  expect(heard).toEqual({});
  goOn();
  await settled(owner, spare);
  hear();
  await turns();
  expect(heard).toEqual({ result: "accepted" });
});

test("WAITING-2: a spare whose owner is silent answers a decision once it owns the journal itself", async () => {
  const { spare, heard } = await decidedInSilence();
  expect(await spare.engine.lead()).toBe(true);
  await turns();
  expect(heard).toEqual({ result: "accepted" });
});

test("CLUSTER-SPARE-4, WAITING-2: of two spares that take over at once the loser learns it, although it may tell nobody anything", async () => {
  const { node, settled } = shared();
  const following = (name: string) => {
    const hold = new Hold();
    hold.allow(Infinity);
    return node(name, true, { cluster: { follows: true, start: name, node: () => `http://${name}`, hold } });
  };
  const spares = [await following("b"), await following("c")] as const;
  const won = await Promise.all(spares.map(({ engine }) => engine.lead()));
  expect(won.filter(Boolean)).toHaveLength(1);
  await settled(...spares);
  expect(spares.map(({ engine }) => engine.mandate.role).sort()).toEqual(["owner", "standby"]);
});
