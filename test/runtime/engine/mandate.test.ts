// Mandate: two engines on one journal in memory, each with its own store; one owns it, one stands by.

import { setImmediate as nextTick } from "node:timers/promises";
import { expect, test } from "vitest";
import { MemoryJournal } from "../../../adapters/memory/index.ts";
import { rows, shared } from "../../support/cluster/sharing.ts";
import type { ApprovalId, SessionId } from "../../../machines/index.ts";
import { MINUTE_MS, Rig, START_MS, WORKSPACE } from "../../support/engine/rig.ts";
import { decision, tellOwn } from "../../support/faults/poisoned.ts";
import { call, said } from "../../support/sessions/said.ts";

const NOTHING = { node: "", compare: [] };
const SESSION = "s" as SessionId;
const DUE = START_MS + 5 * MINUTE_MS;

test("ENGINE-MANDATE-1: of its own accord a spare writes and publishes nothing; what only an owner does it refuses with the owner's name", async () => {
  const { node, settled, journal, published, manual, entries } = shared();
  const owner = await node("a", false);
  const spare = await node("b", true);
  await owner.tell("s", said.created("r", { timeoutAt: DUE }), said.processing("r"));
  await owner.tell("s", said.ask("q", call("t")));
  await settled(owner, spare);
  expect(rows(spare)).toEqual(rows(owner));

  const told = owner.engine.mandate.said("http://a", NOTHING);
  if (told) spare.engine.mandate.heard({ ...told, isProven: true });
  const before = journal.tail;
  for (const what of [{ type: "tallied" }, { type: "clock.accepted" }] as const)
    await expect(spare.engine.own(WORKSPACE, SESSION, what)).rejects.toMatchObject({
      code: "STANDING_BY",
      message: expect.stringContaining("http://a") as string,
    });
  expect(spare.engine.mandate.said("http://b", NOTHING)).toBeUndefined();
  owner.kill();
  manual.advance(60 * MINUTE_MS);
  for (let n = 0; n < 50; n += 1) await nextTick();
  expect(journal.tail).toBe(before);
  expect([published.get("b"), entries("swept")]).toEqual([[], []]);
  expect(spare.engine.mandate.standing(0)).toMatchObject({ role: "standby", owner: "http://a", term: 0 });
});

test("CLUSTER-SAYS-4: a spare takes messages, assignments and decisions; both engines do the same with them, and each answers its own caller", async () => {
  const { node, settled, entries } = shared();
  const owner = await node("a", false);
  const spare = await node("b", true);
  const other = await node("c", true);
  await owner.engine.lead();
  expect((await spare.tell("s", said.prompt("p"), said.ask("q", call("t")))).outcome).toBe("applied");
  await settled(owner, spare, other);
  const assigned = { type: "assigned", approvalId: "q" as ApprovalId, by: "http:ben" } as const;
  const assigning = [spare, other, owner].map((each, n) =>
    tellOwn(each, { ...assigned, to: `ann${n}` }, "s"),
  );
  expect((await Promise.all(assigning)).map(({ outcome }) => outcome)).toEqual(Array(3).fill("applied"));
  const decided = await Promise.all([
    tellOwn(spare, decision("q", "approve", "t"), "s"),
    tellOwn(other, decision("q", "deny", "t"), "s"),
    tellOwn(owner, decision("q", "deny", "t"), "s"),
  ]);
  const answers = decided.flatMap((reply) => reply.answers);
  expect(answers.map(({ result }) => result).sort()).toEqual(["accepted", "ignored", "ignored"]);
  expect(new Set(answers.map(({ state }) => state)).size).toBe(1);
  await settled(owner, spare, other);
  expect(rows(spare)).toEqual(rows(owner));
  expect(rows(other)).toEqual(rows(owner));
  expect(entries("decision").map(({ term }) => term)).toEqual([undefined, undefined, undefined]);
});

test("ENGINE-MANDATE-2: it speaks once its own term is the newest; deadlines then fire once, under that term", async () => {
  const { node, settled, manual, entries, published } = shared();
  const owner = await node("a", false);
  const spare = await node("b", true);
  await owner.tell("s", said.created("r", { timeoutAt: DUE }), said.processing("r"));
  await settled(owner, spare);
  owner.kill();
  expect(await spare.engine.lead()).toBe(true);
  await settled(spare);
  manual.advance(6 * MINUTE_MS);
  await settled(spare);
  expect(entries("term.begun")).toMatchObject([{ term: 1, start: "b-start", node: "http://b" }]);
  const fired = entries("timer.fired");
  expect(fired.length).toBeGreaterThan(0);
  expect(new Set(fired.map(({ term }) => term))).toEqual(new Set([1]));
  const { settled: reply } = await spare.submit("s", [said.created("r2")], { id: "another" });
  expect((await reply).outcome).toBe("applied");
  expect(published.get("b")).not.toEqual([]);
  expect(spare.engine.mandate.standing(0)).toMatchObject({ role: "owner", term: 1, stale: 0 });
});

test("ENGINE-MANDATE-3: an owner that reads a newer term stops at once, and what it still says changes nothing anywhere", async () => {
  const { node, settled, journal, manual } = shared();
  const owner = await node("a", false);
  const spare = await node("b", true);
  await owner.tell("s", said.created("r", { timeoutAt: DUE }), said.processing("r"));
  await settled(owner, spare);
  expect(await spare.engine.lead()).toBe(true);
  await settled(spare);
  for (let n = 0; n < 50; n += 1) await nextTick();
  expect(owner.fatals).toMatchObject([
    { code: "OWNER_REPLACED", message: expect.stringContaining("http://b") as string },
  ]);
  await expect(owner.tell("s", said.created("r2"))).rejects.toMatchObject({ code: "STOPPING" });

  // What it had sent before it knew: it comes late.
  const third = await node("c", true);
  await settled(spare, third);
  const before = rows(third);
  const late = new MemoryJournal(journal, manual);
  await late.open(undefined);
  const sweep = { type: "swept", published: 1_000, trimmed: 1_000, unaged: true };
  await late.append([
    JSON.stringify({ door: "own", workspace: "signalbox", session: "engine", said: sweep }),
  ]);
  await settled(spare, third);
  expect(rows(third)).toEqual(rows(spare));
  const keysOf = (of: ReadonlyMap<string, string>) =>
    [...of.keys()].filter((key) => !/^(proof|meta)/.test(key));
  expect(keysOf(rows(third))).toEqual(keysOf(before));
  expect(third.engine.meta().stale).toBe(1);
});

test("ENGINE-MANDATE-2: of two that stand by, one takes over, and the other goes on standing by", async () => {
  const { node, settled } = shared();
  const owner = await node("a", false);
  const one = await node("b", true);
  const two = await node("c", true);
  await owner.tell("s", said.created("r"));
  await settled(owner, one, two);
  owner.kill();
  const won = await Promise.all([one.engine.lead(), two.engine.lead()]);
  expect(won.filter(Boolean)).toHaveLength(1);
  await settled(one, two);
  expect([one, two].map(({ engine }) => engine.mandate.role).sort()).toEqual(["owner", "standby"]);
  expect([...one.fatals, ...two.fatals]).toEqual([]);
  expect(rows(one)).toEqual(rows(two));
});

test("ENGINE-MANDATE-2: another start of the same engine is not the owner: it begins a term of its own", async () => {
  const { node, settled, entries } = shared();
  const spare = await node("b", true);
  await spare.engine.lead();
  await settled(spare);
  spare.kill();
  const again = await node("b", false, {
    disk: spare.disk,
    cluster: { follows: false, start: "b-again", node: () => "http://b" },
  });
  await settled(again);
  expect(entries("term.begun")).toMatchObject([
    { term: 1, start: "b-start" },
    { term: 2, start: "b-again" },
  ]);
  expect(again.engine.mandate.standing(0)).toMatchObject({ role: "owner", term: 2 });
});

test("ENGINE-MANDATE-6: an owner hands over to a spare that has just asked, never to one that is gone; a spare hands nothing over", async () => {
  const { node, manual } = shared();
  const owner = await node("a", false);
  const spare = await node("b", true);
  const handOver = () => owner.engine.mandate.handOver();
  expect(handOver).toThrow(expect.objectContaining({ code: "NO_SPARE" }) as Error);
  owner.engine.mandate.said("http://a", { node: "http://b", compare: [] });
  expect(handOver()).toEqual(["http://b"]);
  manual.advance(2_000);
  expect(handOver).toThrow(expect.objectContaining({ code: "NO_SPARE" }) as Error);
  const other = () => spare.engine.mandate.handOver();
  expect(other).toThrow(expect.objectContaining({ code: "STANDING_BY" }) as Error);
});

test("CLUSTER-FRESH-5: an engine that stands by shares its journal, also before its store is open", () => {
  const cluster = { follows: true, start: "b-start", node: () => "http://b" };
  expect(new Rig({ cluster }).engine.mandate.isShared).toBe(true);
});

test("ENGINE-MANDATE-4: an engine that is alone writes no term, and nothing in its journal names one", async () => {
  const { node, settled, journal, manual } = shared();
  const alone = await node("a", false);
  await alone.tell("s", said.created("r", { timeoutAt: DUE }), said.processing("r"));
  manual.advance(60 * MINUTE_MS);
  await settled(alone);
  expect(journal.entries.filter(({ body }) => body.includes('"term"'))).toEqual([]);
  expect(alone.engine.meta()).not.toHaveProperty("term", expect.anything());
  expect(alone.engine.mandate.role).toBe("owner");
});
