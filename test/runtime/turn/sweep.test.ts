// Sweep
// What the sweep removes from the store, when, and how much at once.

import { setImmediate as nextTick } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { NO_QUOTA } from "../../../runtime/quota.ts";
import { DEFAULT_CONFIGURATION } from "../../../runtime/config.ts";
import { keys } from "../../../runtime/rows/keys.ts";
import type { Meta } from "../../../runtime/rows/meta.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, Rig, type RigOptions, splitLog } from "../../support/engine/rig.ts";
import { call, said } from "../../support/sessions/said.ts";
import { keyOf, WrappedStore } from "../../support/faults/wrapped-store.ts";

/** A session that comes, works and ends. */
async function passing(rig: Rig, session: string): Promise<void> {
  await rig.tell(session, said.prompt(`${session}-p`), said.pre(call("c1")), said.post(call("c1")));
  await rig.tell(session, said.stop(), said.sessionEnd());
}

describe("the sweep", () => {
  const short = { ...DEFAULT_CONFIGURATION, changesKeptMs: HOUR_MS / 2, deadsKeptMs: HOUR_MS / 2 };

  /** A rig whose store reports how many rows of its logs each commit removed. */
  const counting = (deletions: number[]): RigOptions => ({
    configuration: short,
    groupMax: 1,
    wrapStore: (store) =>
      new WrappedStore(store, (writes, commit) => {
        const gone = writes.filter((write) => "del" in write && /^(change|dead)\//.test(keyOf(write)));
        if (gone.length > 0) deletions.push(gone.length);
        return commit();
      }),
  });

  test("TURN-SWEEP-1, MAINTENANCE-3: each removes at most 500 rows, of all logs together; the next follows at once, until all is removed", async () => {
    const deletions: number[] = [];
    const rig = await Rig.start(counting(deletions));
    await rig.pass(MINUTE_MS, MINUTE_MS);
    for (let n = 0; n < 600; n += 1)
      await rig.submit("s1", [said.pre(call(`c${n}`)), said.post(call(`c${n}`))]);
    for (let n = 0; n < 1_500; n += 1) {
      // As many as get letters in one second.
      if (n % 50 === 0) rig.clock.advance(1_000);
      await rig.submit("s1", [], { type: "test.refused" });
    }
    await rig.tell("s1", said.stop());
    const { length } = rig.changes;
    const rows = rig.rows("change/").size;
    expect(rows).toBeGreaterThan(500);
    expect(await rig.engine.retention.due()).toMatchObject({ changes: 0, deadLetters: 0 });
    rig.clock.advance(HOUR_MS / 2);
    await rig.quiet();
    expect(await rig.engine.retention.due()).toMatchObject({ changes: length, deadLetters: 1_500 });
    await rig.pass(HOUR_MS / 2);
    const full = Math.floor((rows + 1_500) / 500);
    expect(deletions).toEqual([...Array<number>(full).fill(500), (rows + 1_500) % 500]);
    expect([rig.rows("change/").size, rig.rows("dead/").size]).toEqual([0, 0]);
    expect(rig.engine.meta()).toMatchObject({ changes: length, changesFrom: length, deads: 1_500 });
    expect(rig.saidOwn("swept").map(({ goesOn }) => goesOn)).toEqual([
      // The first, a minute after the start, found nothing yet.
      undefined,
      undefined,
      ...Array<boolean>(full).fill(true),
    ]);
    expect([...rig.rows("mark/").keys()].length).toBe(2);
  });

  test("TURN-SWEEP-1, DUE-1: on request it runs at once, in pieces, and removes what was counted before", async () => {
    const deletions: number[] = [];
    const rig = await Rig.start({
      ...counting(deletions),
      journalKept: { ms: HOUR_MS / 4, bytes: 1e9 },
      // Measuring kept data would write an own message.
      configuration: { ...short, quota: NO_QUOTA },
    });
    await rig.pass(MINUTE_MS, MINUTE_MS);
    for (let n = 0; n < 700; n += 1)
      await rig.submit("s1", [said.pre(call(`c${n}`)), said.post(call(`c${n}`))]);
    for (let n = 0; n < 40; n += 1) await rig.submit("s1", [], { type: "test.refused" });
    await rig.quiet();
    expect(await rig.engine.retention.sweep(Infinity)).toMatchObject({
      rows: 0,
      journalEntries: 0,
      more: false,
    });
    const { position } = rig.engine.meta();
    rig.clock.advance(40 * MINUTE_MS);
    await rig.quiet();
    const sums = { changes: 0, deadLetters: 0, journalEntries: 0 };
    const due = await rig.engine.retention.due();
    for (let more = true; more;) {
      const swept = await rig.engine.retention.sweep(2);
      expect(swept.rows).toBeLessThanOrEqual(1_000);
      for (const kind of ["changes", "deadLetters", "journalEntries"] as const) sums[kind] += swept[kind];
      ({ more } = swept);
    }
    expect(sums).toEqual({ changes: rig.changes.length, deadLetters: 40, journalEntries: position });
    // The entry at the cursor could not be trimmed yet when they were counted.
    const counted = { ...sums, journalEntries: position - 1 };
    expect(due).toMatchObject({ ...counted, auditRows: 0, requests: 0, sessions: 0 });
    expect(await rig.engine.retention.due()).toMatchObject({ changes: 0, deadLetters: 0, journalEntries: 0 });
    expect(Math.max(...deletions)).toBe(500);
    expect(rig.disk.trimmed).toBe(position);
  });

  test("MAINTENANCE-1: the first comes a minute after a start, not an hour; a start soon after a sweep does not sweep again", async () => {
    let rig = await Rig.start();
    await passing(rig, "s1");
    await rig.pass(MINUTE_MS - 1, MINUTE_MS);
    expect(rig.saidOwn("swept")).toEqual([]);
    await rig.pass(1);
    expect(rig.saidOwn("swept")).toHaveLength(1);
    await rig.engine.stop();
    rig = await rig.restart();
    await rig.pass(10 * MINUTE_MS, MINUTE_MS);
    expect(rig.saidOwn("swept")).toHaveLength(1);
    await rig.pass(HOUR_MS, MINUTE_MS);
    expect(rig.saidOwn("swept")).toHaveLength(2);
  });

  test("G9: an unreadable row stops nothing else from being removed, and goes with its neighbours", async () => {
    const rig = await Rig.start({ configuration: short });
    for (let n = 0; n < 300; n += 1)
      await rig.submit("s1", [said.pre(call(`c${n}`)), said.post(call(`c${n}`))]);
    for (let n = 0; n < 40; n += 1) await rig.submit("s1", [], { type: "test.refused" });
    await rig.quiet();
    await rig.engine.stop();
    splitLog(rig.disk);
    const bad = [1, 2, 250, 251, 500]
      .map((n) => keys.change(n))
      .concat(keys.dead(1), keys.dead(2), keys.dead(40));
    for (const key of bad) rig.disk.rows.set(key, key.endsWith("1") ? '{"at":' : "null");
    const next = await rig.restart();
    await next.pass(2 * HOUR_MS, HOUR_MS / 4);
    expect(next.engine.meta().changesFrom).toBeGreaterThanOrEqual(rig.changes.length);
    expect(next.rows("change/").size).toBeLessThan(5);
    expect([...next.rows("dead/")]).toEqual([[keys.dead(40), "null"]]);
    expect(next.defects).toEqual([]);
    // A later letter tells how old the one before it is.
    await (
      await next.submit("s1", [], { type: "test.refused" })
    ).settled;
    await next.pass(2 * HOUR_MS, HOUR_MS / 4);
    expect(next.rows("dead/").size).toBe(0);
  });

  test("G9, MAINTENANCE-3: if only unreadable rows are left, sweeping comes to an end", async () => {
    const rig = await Rig.start({ configuration: short });
    for (let n = 0; n < 120; n += 1) {
      if (n % 40 === 0) rig.clock.advance(1_000);
      await rig.submit("s1", [], { type: "test.refused" });
    }
    await rig.quiet();
    await rig.engine.stop();
    for (let n = 1; n <= 120; n += 1) rig.disk.rows.set(keys.dead(n), "{");
    const next = await rig.restart();
    await next.pass(2 * HOUR_MS, HOUR_MS / 4);
    expect(next.rows("dead/").size).toBe(0);
    expect(next.saidOwn("swept").length).toBeLessThan(6);
  });

  test("G33, G44: audit rows stay 400 days, dead letters 30, changes 7", async () => {
    // The end of the session would be a change of its own, a day later.
    const rig = await Rig.start({ configuration: { ...DEFAULT_CONFIGURATION, idleMs: 1_000 * DAY_MS } });
    await rig.tell("s1", said.prompt("p1"), said.pre(call("c1")), said.ask("a1", call("c1")));
    await rig.tell("s1", said.answered("a1", call("c1"), "approve"), said.stop());
    await (
      await rig.submit("s1", [], { type: "test.refused" })
    ).settled;
    const left = () => ["change/", "dead/", "audit/"].map((prefix) => rig.rows(prefix).size > 0);
    await rig.pass(7 * DAY_MS - HOUR_MS, DAY_MS);
    expect(left()).toEqual([true, true, true]);
    await rig.pass(2 * HOUR_MS, HOUR_MS);
    expect(left()).toEqual([false, true, true]);
    await rig.pass(23 * DAY_MS, DAY_MS);
    await rig.pass(2 * HOUR_MS, HOUR_MS);
    expect(left()).toEqual([false, false, true]);
    await rig.pass(369 * DAY_MS, 3 * DAY_MS);
    expect(left()).toEqual([false, false, true]);
    await rig.pass(2 * DAY_MS, HOUR_MS);
    expect(left()).toEqual([false, false, false]);
  });

  test("G10: its message says what it removes: replaying the journal gives the same bytes", async () => {
    const rig = await Rig.start({ configuration: short });
    for (let n = 0; n < 5; n += 1) {
      await passing(rig, `s${n}`);
      await rig.pass(HOUR_MS, HOUR_MS / 4);
    }
    await rig.engine.stop();
    const copy = new Rig({ configuration: short, manual: rig.clock });
    copy.disk.entries = [...rig.disk.entries];
    await copy.engine.start();
    await copy.engine.stop();
    await nextTick();
    expect(copy.rows()).toEqual(rig.rows());
    expect(JSON.parse(copy.disk.rows.get(keys.meta) ?? "") as Meta).toMatchObject({
      changesFrom: expect.any(Number) as number,
    });
    expect(rig.saidOwn("swept").length).toBeGreaterThanOrEqual(4);
  });
});
