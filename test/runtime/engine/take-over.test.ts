// Take-over: a spare that takes over dies at each step of it, and so does the owner that it became when it trims.

import { setImmediate as nextTick } from "node:timers/promises";
import { expect, test } from "vitest";
import { MemoryJournal } from "../../../adapters/memory/index.ts";
import type { Outlet } from "../../../runtime/ports.ts";
import { Deadly } from "../../support/faults/deadly.ts";
import { rows, shared } from "../../support/cluster/sharing.ts";
import { MINUTE_MS, type Rig, START_MS } from "../../support/engine/rig.ts";
import { call, said } from "../../support/sessions/said.ts";

const DUE = START_MS + 5 * MINUTE_MS;

/** All that may become of it, whoever applies it. */
const STORY = [
  ...["session s idle", "session s running", "request p created", "request p queued", "request p processing"],
  ...["request r created", "request r processing", "session s waiting_input", "approval q pending"],
  ...["request r waiting", "request r timeout", "approval q withdrawn", "session s running"],
];

const ticks = async (count = 60): Promise<void> => {
  for (let n = 0; n < count; n += 1) await nextTick();
};

/** The owner answers the spare, so that the spare compares and the owner knows what the spare holds. */
function answer(owner: Rig, spare: Rig): void {
  const { agreement } = spare.engine.mandate;
  const asked = { node: "http://c", compare: agreement.wanted(), holds: agreement.held };
  const told = owner.engine.mandate.said("http://b", asked);
  if (told) spare.engine.mandate.heard({ ...told, isProven: true });
}

/** Everything that was published, by whoever published it: each id with its texts. */
class Published {
  readonly texts = new Map<string, Set<string>>();

  /** @param max after so many changes the outlet takes no more, as if its process had ended there. */
  outlet(max = Infinity): Outlet {
    let count = 0;
    return {
      publish: ({ messageId, body }) => {
        count += 1;
        if (count > max) return new Promise(() => undefined);
        this.texts.set(messageId, (this.texts.get(messageId) ?? new Set()).add(body));
        return Promise.resolve();
      },
      lastVersion: () => Promise.resolve(0),
      close: () => Promise.resolve(),
    };
  }
}

/** @param dies at this step of what "b" does; @returns whether it came to that step. */
async function play(dies: number): Promise<boolean> {
  const { node, settled, manual, journal, entries } = shared();
  const published = new Published();
  const owner = await node("a", false, { outlet: published.outlet(3) });
  const third = await node("c", true, { outlet: published.outlet() });
  const steps = new Deadly(dies);
  const spare = await node("b", true, {
    journalKept: { ms: 0, bytes: 0 },
    outlet: steps.outlet(published.outlet()),
    wrapJournal: () => steps.journal(new MemoryJournal(journal, manual)),
    wrapStore: (store) => steps.store(store),
  });
  await owner.tell("s", said.prompt("p"), said.created("r", { timeoutAt: DUE }), said.processing("r"));
  await owner.tell("s", said.ask("q", call("t")));
  await settled(owner, spare, third);
  owner.kill();

  steps.arm();
  const leads = spare.engine.lead().catch(() => false);
  const all = leads.then(async () => {
    await ticks();
    manual.advance(6 * MINUTE_MS);
    await ticks();
    for (let n = 0; n < 3; n += 1) answer(spare, third);
    await spare.engine.retention.sweep(10);
    await ticks();
    steps.end();
  });
  // What a dead process still awaits fails once its journal is closed.
  all.catch(() => undefined);
  await steps.over;
  const { isDead } = steps;
  if (!isDead) expect(journal.trimmed).toBeGreaterThan(0);
  spare.kill();
  await ticks();

  expect(await third.engine.lead()).toBe(true);
  await settled(third);
  manual.advance(6 * MINUTE_MS);
  await settled(third);
  await ticks();
  const again = await node("b", true, { outlet: published.outlet() });
  await settled(again, third);
  expect(rows(again)).toEqual(rows(third));
  expect(third.fatals).toEqual([]);

  const log = third.log();
  expect(log.map(({ entity, id, to }) => `${entity} ${id} ${to}`)).toEqual(STORY);
  expect([...published.texts.values()].filter((texts) => texts.size > 1)).toEqual([]);
  expect(published.texts.size).toBe(log.length);
  const terms = entries("term.begun").map(({ term }) => term);
  expect(new Set(terms).size).toBe(terms.length);
  return isDead;
}

test("CLUSTER-ROLE-1, CLUSTER-SPARES-4: the engine that takes over dies before and after each write, append, publication and trim; the next one loses nothing, doubles nothing and fires each deadline once", async () => {
  let step = 1;
  while (await play(step)) step += 1;
  process.stdout.write(`a take-over with its first trim has ${step - 1} steps\n`);
  expect(step).toBeGreaterThan(30);
});
