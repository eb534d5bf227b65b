// Pressure
// A journal that fills up or is full: what is trimmed, what stays, and that it recovers.

import { describe, expect, test } from "vitest";
import { MemoryDisk, MemoryJournal } from "../../../adapters/memory/index.ts";
import { ManualClock } from "../../support/engine/manual-clock.ts";
import { journalFull } from "../../../runtime/errors/errors.ts";
import { ENGINE } from "../../../runtime/message.ts";
import { HOUR_MS, Rig, type RigOptions, START_MS } from "../../support/engine/rig.ts";
import { call, said } from "../../support/sessions/said.ts";
import { WrappedJournal } from "../../support/faults/wrapped-journal.ts";
import { WrappedStore } from "../../support/faults/wrapped-store.ts";

const MAX = 400_000;

/** A rig whose journal holds at most `MAX` bytes. */
function bounded(options: RigOptions = {}): Promise<Rig> {
  const disk = new MemoryDisk("rig");
  const manual = new ManualClock(START_MS);
  const wrapJournal = () => new MemoryJournal(disk, manual, MAX);
  return Rig.start({ disk, manual, wrapJournal, ...options });
}

const heldBytes = ({ disk }: Rig): number =>
  disk.entries.reduce((sum, { body }) => sum + Buffer.byteLength(body), 0);
const filling = { type: "unknown", name: "x".repeat(1_000) } as const;
const fill = async (rig: Rig, count: number): Promise<void> => {
  for (let n = 0; n < count; n += 1) await rig.tell("filler", filling);
};
const tally = (rig: Rig) => rig.engine.own(ENGINE.workspace, ENGINE.session, { type: "tallied" });

describe("a journal that fills up", () => {
  test("TRIMMING-4: above high water entries are trimmed however young they are and whatever is open; no sweep is needed for it", async () => {
    const rig = await bounded();
    await rig.tell("open", said.prompt("p1"), said.pre(call("c1")), said.ask("a1", call("c1")));
    await fill(rig, 1_000);
    expect(rig.clock.now()).toBe(START_MS);
    expect(rig.saidOwn("swept")).toEqual([]);
    expect(heldBytes(rig)).toBeLessThan(MAX);
    expect(rig.disk.trimmed).toBeGreaterThan(600);
    expect(rig.state("open/approval/a1")).toBe("pending");
    await rig.tell("open", said.answered("a1", call("c1"), "deny"));
    expect(rig.state("open/approval/a1")).toBe("denied");
  });

  test("TRIMMING-4, TRIMMING-2: with marks it is trimmed to half of its limit, no further; the entry at the cursor stays", async () => {
    const rig = await bounded({ journalKept: { ms: 30 * 24 * HOUR_MS, bytes: 320_000 } });
    await rig.tell("open", said.prompt("p1"));
    const lowest: number[] = [];
    for (let n = 0; n < 60; n += 1) {
      const before = rig.disk.trimmed;
      await fill(rig, 20);
      await rig.pass(1_000, 1_000);
      if (rig.disk.trimmed > before) lowest.push(heldBytes(rig));
      expect(rig.disk.entries.at(-1)?.position).toBe(rig.engine.meta().position);
    }
    expect(lowest.length).toBeGreaterThan(5);
    expect(Math.min(...lowest)).toBeGreaterThan(MAX * 0.4);
    expect(Math.max(...lowest)).toBeLessThan(MAX * 0.8);
  });

  test("TRIMMING-3, MAINTENANCE-4: a process that dies after trimming leaves a journal that fits its store, with the same rows", async () => {
    const rig = await bounded();
    await rig.tell("open", said.prompt("p1"), said.pre(call("c1")));
    await fill(rig, 400);
    expect(rig.disk.trimmed).toBeGreaterThan(0);
    const before = rig.rows("actor/");
    // It is never stopped: this is what another process finds.
    const next = await rig.restart();
    expect(next.rows("actor/")).toEqual(before);
    await next.tell("open", said.post(call("c1")));
    expect(next.fatals).toEqual([]);
    expect(next.state("open/call/c1")).toMatchObject({ execution: "completed" });
  });

  test("TRIMMING-2: entries that are not applied are never trimmed, however full the journal is", async () => {
    let release = (): void => undefined;
    let held: Promise<void> | undefined;
    const rig = await bounded({
      groupMax: 1,
      wrapStore: (store) =>
        new WrappedStore(store, async (_writes, commit) => {
          await held;
          await commit();
        }),
    });
    await rig.tell("open", said.prompt("p1"));
    held = new Promise((resolve) => (release = resolve));
    const { position } = rig.engine.meta();
    const taken: Promise<unknown>[] = [];
    const refused: unknown[] = [];
    for (let n = 0; n < 600; n += 1)
      await rig.submit("filler", [filling]).then(
        ({ settled }) => taken.push(settled),
        (error: unknown) => refused.push(error),
      );
    expect(refused.length).toBeGreaterThan(100);
    for (const error of refused) expect(error).toMatchObject({ code: "JOURNAL_FULL" });
    expect(rig.disk.trimmed).toBeLessThan(position);
    // JOURNAL-ROOM-1: an own message still has room.
    const word = tally(rig);
    release();
    held = undefined;
    expect((await word).outcome).toBe("applied");
    expect(await Promise.all(taken)).toHaveLength(600 - refused.length);
    expect(rig.fatals).toEqual([]);
  });

  test("TRIMMING-5: an entry counts with the space it takes, not with what can be read of it", async () => {
    const rig = await bounded();
    const { bytes } = rig.engine.meta();
    const position = rig.disk.tail + 1;
    rig.disk.entries.push({ position, at: START_MS, body: "junk", bytes: 8_000_000 });
    rig.disk.appended.ring();
    await rig.quiet();
    expect(rig.engine.meta().bytes - bytes).toBe(8_000_000);
  });
});

describe("a journal that is full", () => {
  async function refusing(): Promise<{
    readonly rig: Rig;
    readonly open: () => void;
    readonly tries: () => number;
  }> {
    let isFull = true;
    let tries = 0;
    const rig = new Rig({
      wrapJournal: (journal) =>
        new WrappedJournal(journal, () => {
          tries += 1;
          return isFull && tries > 1 ? Promise.reject(journalFull("of the test")) : Promise.resolve();
        }),
    });
    await rig.engine.start();
    await rig.tell("s1", said.prompt("p1"));
    return { rig, open: () => (isFull = false), tries: () => tries };
  }

  test("PRESSURE-1: it is reported while it accepts nothing, and an own message finds out when it accepts again", async () => {
    const { rig, open, tries } = await refusing();
    expect(rig.engine.journalFull).toBeUndefined();
    await expect(rig.submit("s1", [said.stop()])).rejects.toMatchObject({ code: "JOURNAL_FULL" });
    expect(rig.engine.journalFull).toMatchObject({ code: "JOURNAL_FULL", since: START_MS });
    const before = tries();
    for (let n = 0; n < 3; n += 1) {
      rig.clock.advance(1_000);
      await rig.quiet();
    }
    expect(tries()).toBe(before + 3);
    expect(rig.engine.journalFull).toMatchObject({ code: "JOURNAL_FULL", since: START_MS });
    open();
    rig.clock.advance(1_000);
    await rig.quiet();
    expect(rig.engine.journalFull).toBeUndefined();
    expect((await rig.tell("s1", said.stop())).outcome).toBe("applied");
    const after = tries();
    rig.clock.advance(10_000);
    await rig.quiet();
    expect(tries()).toBe(after);
  });
});
