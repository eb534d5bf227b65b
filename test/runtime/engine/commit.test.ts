// Commit
// Groups of turns become durable as a whole, and nobody is told what is not durable.

import { setImmediate as nextTick } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { MemoryDisk } from "../../../adapters/memory/index.ts";
import type { Meta } from "../../../runtime/rows/meta.ts";
import type { Write } from "../../../runtime/ports.ts";
import type { SourceMessage } from "../../../runtime/message.ts";
import { messages, play } from "../../support/sessions/play.ts";
import { allRecordings, recording, type Recording } from "../../support/sessions/recording.ts";
import { Rig, type RigOptions, rowsOf } from "../../support/engine/rig.ts";
import { call, said } from "../../support/sessions/said.ts";
import { type Around, keyOf, WrappedStore } from "../../support/faults/wrapped-store.ts";

const around = (by: Around): RigOptions => ({ wrapStore: (store) => new WrappedStore(store, by) });

/** A commit takes so long that the next group has time to fill. */
const slow =
  (ticks: number, seen: (writes: readonly Write[]) => void = () => undefined): Around =>
  async (writes, commit) => {
    for (let tick = 0; tick < ticks; tick += 1) await nextTick();
    await commit();
    seen(writes);
  };

const everything = (recorded: Recording): readonly SourceMessage[] =>
  messages(recorded, ["hooks", "stream", "transcript"]);

async function played(list: readonly SourceMessage[], options: RigOptions): Promise<Map<string, string>> {
  const rig = await Rig.start(options);
  await play(rig.engine, rig.clock, list);
  await rig.quiet();
  await rig.engine.stop();
  expect(rig.fatals).toEqual([]);
  return rig.rows();
}

/** The same without any time passing: where groups end makes no difference to a stamp. */
async function atOnce(list: readonly SourceMessage[]): Promise<Map<string, string>> {
  const rig = await Rig.start();
  for (const message of list) await rig.engine.submit(message);
  await rig.quiet();
  return rig.rows();
}

const positionIn = (writes: readonly Write[]): number => {
  const meta = writes.find((write) => keyOf(write) === "meta");
  return meta && "put" in meta ? (JSON.parse(meta.value) as Meta).position : 0;
};

describe("groups", () => {
  test("G10: groups of 1 and of 64 leave the same bytes, in every row, for every recording", async () => {
    let largest = 0;
    for (const recorded of allRecordings()) {
      const list = everything(recorded);
      const single = await played(list, { groupMax: 1 });
      let before = 0;
      const watch = slow(40, (writes) => {
        largest = Math.max(largest, positionIn(writes) - before);
        before = positionIn(writes);
      });
      const grouped = await played(list, { groupMax: 64, ...around(watch) });
      expect(grouped).toEqual(single);
    }
    // The groups were full: the largest had as many turns as allowed.
    expect(largest).toBe(64);
  });

  test("I-25, I-26, G10: dropping every row from memory after each turn leaves the same bytes, for every recording", async () => {
    for (const recorded of allRecordings()) {
      const list = everything(recorded);
      const warm = await played(list, { groupMax: 1 });
      const cold = await played(list, { groupMax: 1, passivateAlways: true });
      expect(cold).toEqual(warm);
      expect(warm.size).toBeGreaterThan(10);
    }
  });

  test("G10: the same journal applied by another engine leaves the same bytes", async () => {
    const list = everything(recording("t3-tui-deny-feedback"));
    const first = await Rig.start();
    await play(first.engine, first.clock, list);
    await first.quiet();
    await first.engine.stop();
    const copy = new MemoryDisk("rig");
    copy.entries = [...first.disk.entries];
    const second = await Rig.start({ disk: copy });
    await second.engine.stop();
    expect(second.rows()).toEqual(first.rows());
  });

  test("I-30, READING-READER-1, G40: a reader sees a whole group once it is durable, and nothing of it before", async () => {
    let letGo: (() => void) | undefined;
    let isHeld = false;
    const hold: Around = async (_, commit) => {
      if (isHeld) await new Promise<void>((resolve) => (letGo = resolve));
      await commit();
    };
    const rig = await Rig.start(around(hold));
    await rig.tell("s1", said.prompt("p1"));
    const rows = rig.rows();
    const before = rig.engine.meta();
    const released = rig.changes.length;
    isHeld = true;
    const ends = ["c1", "c2", "c3"].map((id) => rig.tell("s1", said.pre(call(id))));
    let answered = 0;
    for (const end of ends) void end.then(() => (answered += 1));
    for (let tick = 0; tick < 50; tick += 1) await nextTick();
    expect(new Map(rig.engine.store.range({ gte: " ", lt: "~" }))).toEqual(rows);
    expect(rig.engine.store.get("actor/w/s1/call/c1")).toBeUndefined();
    expect(rig.engine.meta()).toEqual(before);
    expect(rig.engine.lag()).toMatchObject({ journal: 3, waiting: 3 });
    expect([rig.changes.length, answered]).toEqual([released, 0]);
    isHeld = false;
    letGo?.();
    await Promise.all(ends);
    expect(answered).toBe(3);
    expect(rig.changes.length).toBeGreaterThan(released);
    for (const id of ["c1", "c2", "c3"])
      expect(rig.state(`s1/call/${id}`)).toMatchObject({ execution: "processing" });
  });
});

describe("a commit that fails", () => {
  const list = everything(recording("s3-permreq-deny-interrupt"));
  /** Changes of a later start carry its epoch; all else must equal the undisturbed run. */
  const withoutEpoch = (rows: ReadonlyMap<string, string>): readonly (readonly [string, string])[] =>
    [...rows]
      .filter(([key]) => key !== "starts")
      .map(([key, text]) =>
        key.startsWith("change/") ? [key, text.replace(/"epoch":\d+/, '"epoch":0')] : [key, text],
      );

  // The first commit belongs to the start: `start` itself fails with it.
  const places = [2, 3, 7, 12, 20];

  test.each([
    ["before anything of it is written", false],
    ["after all of it is written", true],
  ])(
    "G4, PORTS-2: a commit that fails %s releases nothing and stops the engine once; a restart goes on",
    async (_, isWritten) => {
      const unbroken = withoutEpoch(await atOnce(list));
      for (const failing of places) {
        let commits = 0;
        let toldAtFailure = 0;
        const rig: Rig = new Rig({
          groupMax: 2,
          ...around(async (_writes, commit) => {
            commits += 1;
            if (commits < failing) return commit();
            if (commits === failing) toldAtFailure = rig.changes.length;
            if (isWritten) await commit();
            throw new Error("planted");
          }),
        });
        await rig.engine.start();
        const answers = list.map(async (message) => {
          const { settled } = await rig.engine.submit(message);
          return settled;
        });
        const ends = await Promise.allSettled(answers);
        await nextTick();
        expect(rig.fatals.map(({ message }) => message)).toEqual(["planted"]);
        expect(rig.engine.isReady).toBe(false);
        expect(rig.changes.length).toBe(toldAtFailure);
        // Nothing was written after the failure either.
        expect(commits).toBe(failing);
        const durable = JSON.parse(rig.disk.rows.get("meta") ?? "{}") as Meta;
        for (const end of ends) {
          if (end.status === "fulfilled") expect(end.value.position).toBeLessThanOrEqual(durable.position);
          else expect(end.reason).toMatchObject({ code: "STOPPING", obligation: "retry" });
        }
        expect(ends.filter(({ status }) => status === "rejected").length).toBeGreaterThan(0);
        await expect(rig.engine.submit(rig.message("s1", []))).rejects.toMatchObject({ code: "STOPPING" });

        const next = await Rig.start({ disk: rig.disk, manual: rig.clock });
        // The journal had all of it: nothing is sent again.
        expect(next.disk.tail).toBe(list.length);
        await next.quiet();
        expect(withoutEpoch(rowsOf(next.disk))).toEqual(unbroken);
        const epochs = new Set(next.log().map(({ epoch }) => epoch));
        expect([...epochs].every((epoch) => epoch === 1 || epoch === 2)).toBe(true);
      }
    },
  );

  test("PORTS-2: a failing first commit fails the start", async () => {
    const rig = new Rig(around(() => Promise.reject(new Error("planted"))));
    await expect(rig.engine.start()).rejects.toThrow("planted");
    expect(rig.engine.isReady).toBe(false);
  });

  test("G6: an engine whose store was taken over releases nothing more and stops", async () => {
    const first = await Rig.start();
    await first.tell("s1", said.prompt("p1"));
    const released = first.changes.length;
    const second = await Rig.start({ disk: first.disk, manual: first.clock });
    await expect(first.tell("s1", said.pre(call("c1")))).rejects.toMatchObject({ code: "STOPPING" });
    expect(first.fatals).toMatchObject([{ code: "STORE_FENCED" }]);
    expect(first.changes.length).toBe(released);
    await second.quiet();
    expect(second.state("s1/call/c1")).toMatchObject({ execution: "processing" });
    expect(second.changes.every(({ epoch }) => epoch === 2)).toBe(true);
  });
});
