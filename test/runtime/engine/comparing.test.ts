// Comparing: engines on one journal in memory. A spare compares what entries led to with the owner; a store of its own may be
// altered beneath it.

import fc from "fast-check";
import { expect, test } from "vitest";
import type { SessionId } from "../../../machines/index.ts";
import type { Compared } from "../../../runtime/cluster/standing.ts";
import type { Store } from "../../../runtime/ports.ts";
import { keys } from "../../../runtime/rows/keys.ts";
import { rows, shared } from "../../support/cluster/sharing.ts";
import { MINUTE_MS, type Rig } from "../../support/engine/rig.ts";
import { holdsLater } from "../../support/properties/property.ts";
import { sessions } from "../../support/sessions/generate.ts";
import { carried, messagesOf } from "../../support/sessions/turns.ts";
import { call, said } from "../../support/sessions/said.ts";

const FILE = "runtime/engine/comparing.test.ts";

/** The spare asks the owner until both agree, or differ. */
function compare(spare: Rig, owner: Rig): Compared {
  const { mandate } = spare.engine;
  for (;;) {
    const told = owner.engine.mandate.said("http://a", {
      node: "http://b",
      compare: mandate.agreement.wanted(),
    });
    const compared = told ? mandate.heard({ ...told, isProven: true }) : "even";
    if (compared !== "more" && compared !== "doubt") return compared;
  }
}

/** Rows as they are read: without the order of fields, and without epochs from before the first term. */
const alike = (all: ReadonlyMap<string, string>) =>
  [...all].map(([key, text]) => [key, JSON.parse(text.replace(/"epoch":\d+,/, "")) as unknown]);

const ticks = async (): Promise<void> => {
  for (let n = 0; n < 50; n += 1) await new Promise(setImmediate);
};

test("DIGESTS-1, AGREEMENT-1: after random sessions, groups of any length, kills of either and a take-over, both agree", async () => {
  const histories = fc.tuple(
    sessions(12),
    sessions(12),
    fc.array(fc.nat(20), { minLength: 80, maxLength: 80 }),
    fc.nat(15),
    fc.nat(15),
  );
  await holdsLater(FILE, 25, histories, async ([one, other, chance, inA, inB]) => {
    const { node, settled, manual } = shared();
    const translate = carried;
    let owner = await node("a", false, { translate, groupMax: 1 + inA });
    let spare = await node("b", true, { translate, groupMax: 1 + inB, passivateAlways: chance[0] === 0 });
    let spareName = "b";
    const all = [messagesOf(one), messagesOf(other, "s2" as SessionId)].flat();
    for (const [index, message] of all.entries()) {
      await owner.engine.submit(message).catch(() => undefined);
      const next = chance[index + 1];
      if (next === 0) {
        spare.kill();
        spare = await node(spareName, true, { translate });
      } else if (next === 1) {
        await settled(owner, spare);
        owner.kill();
        expect(await spare.engine.lead()).toBe(true);
        spareName = spareName === "b" ? "a" : "b";
        [owner, spare] = [spare, await node(spareName, true, { translate })];
      } else if (next === 2) manual.advance(10 * MINUTE_MS);
    }
    await settled(owner, spare);
    expect(compare(spare, owner)).toBe("even");
    expect(spare.engine.mandate.standing(0).uncompared).toBe(0);
    expect(alike(rows(spare))).toEqual(alike(rows(owner)));
    await Promise.all([owner, spare].map(({ engine }) => engine.stop()));
  });
});

/** A store in which a row reads otherwise than it was written. */
const altered =
  (isMeant: (key: string) => boolean) =>
  (store: Store): Store => {
    const commit = store.commit.bind(store);
    store.commit = (writes) =>
      commit(
        writes.map((write) =>
          "put" in write && isMeant(write.put)
            ? { ...write, value: write.value.replace('"from":null', '"from":"x"') }
            : write,
        ),
      );
    return store;
  };

test("ENGINE-MANDATE-5, DIFFERING-1, CLUSTER-SPARES-2: a spare whose row differs stops, is never opened again and never leads; the owner goes on and says so", async () => {
  const { node, settled } = shared();
  const owner = await node("a", false);
  let seen = 0;
  const isMeant = (key: string): boolean => key.startsWith(keys.changes) && (seen += 1) === 2;
  const spare = await node("b", true, { wrapStore: altered(isMeant) });
  await owner.tell("s", said.prompt("p"), said.created("r"));
  await owner.tell("s", said.created("r2"));
  await owner.tell("s", said.ask("q", call("t")));
  await settled(owner, spare);
  const found = compare(spare, owner);
  if (typeof found !== "object") throw new Error(`The rows do not differ: ${found}.`);
  expect(found).toMatchObject({ of: "changes", position: 2 });
  owner.engine.mandate.said("http://a", { node: "http://b", compare: [], differs: found });
  spare.engine.mandate.differ(found);
  await ticks();
  expect(spare.fatals).toMatchObject([
    { code: "HISTORY_DIFFERS", message: expect.stringContaining("entry 2.") as string },
  ]);
  expect(spare.engine.mandate.role).toBe("fenced");
  expect(await spare.engine.lead().catch(() => false)).toBe(false);
  expect(owner.engine.mandate.spares.troubles(0)).toMatchObject([{ code: "SPARE_DIFFERS" }]);
  expect((await owner.tell("s", said.created("r3"))).outcome).toBe("applied");
  for (const follows of [true, false])
    await expect(node("b", follows)).rejects.toMatchObject({ code: "HISTORY_DIFFERS" });
  const third = await node("c", true);
  owner.engine.mandate.said("http://a", { node: "http://b", compare: [] });
  expect(owner.engine.mandate.spares.troubles(0)).toEqual([]);
  await settled(owner, third);
  expect(compare(third, owner)).toBe("even");
});

test("PLAYING-1: on a shared journal a change carries the term as its epoch, whoever applied it", async () => {
  const { node, settled } = shared();
  const owner = await node("a", false);
  const spare = await node("b", true);
  await settled(owner, spare);
  owner.kill();
  expect(await spare.engine.lead()).toBe(true);
  const third = await node("c", true);
  await spare.tell("s", said.created("r"));
  await settled(spare, third);
  for (const { changes } of [spare, third])
    expect(new Set(changes.map(({ epoch }) => epoch))).toEqual(new Set([1]));
});
