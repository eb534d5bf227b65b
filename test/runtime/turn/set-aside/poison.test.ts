// Poison
// Entries that crash the process applying them, and what is taken for one or not.

import { describe, expect, test } from "vitest";
import { MemoryJournal } from "../../../../adapters/memory/index.ts";
import type { ApprovalId } from "../../../../machines/index.ts";
import { storeFailed } from "../../../../runtime/errors/errors.ts";
import { writeMessage } from "../../../../runtime/message.ts";
import { asked, decision, diedAt, message, own, tellOwn } from "../../../support/faults/poisoned.ts";
import { Rig } from "../../../support/engine/rig.ts";
import { call, said } from "../../../support/sessions/said.ts";
import { keyOf, WrappedStore } from "../../../support/faults/wrapped-store.ts";

describe("a session that lost an entry", () => {
  test("I-46, G8: a denial set aside leaves its approval pending; approving no longer counts there, denying does", async () => {
    const before = await asked();
    await before.engine.stop();
    await diedAt(before, JSON.stringify(own(decision("a-s1", "deny"))));
    const rig = await before.restart();
    expect(rig.row("dead/0000000000000001")).toMatchObject({ code: "POISON", position: rig.disk.tail });
    expect(rig.state("s1/approval/a-s1")).toBe("pending");
    const approve = await tellOwn(rig, decision("a-s1", "approve"));
    expect(approve).toMatchObject({ outcome: "rejected", answers: [] });
    expect(rig.state("s1/approval/a-s1")).toBe("pending");
    expect(await tellOwn(rig, decision("a-s2", "approve"), "s2")).toMatchObject({ outcome: "applied" });
    expect(rig.state("s2/approval/a-s2")).toBe("approved");
    expect(await tellOwn(rig, decision("a-s1", "deny"))).toMatchObject({ outcome: "applied" });
    expect(rig.state("s1/approval/a-s1")).toBe("denied");
  });

  test("I-46, G8: nor does an approval that waited for its request; an answer seen elsewhere still counts", async () => {
    const before = await asked();
    await tellOwn(before, decision("late", "approve", "c2"));
    await before.engine.stop();
    await diedAt(before, writeMessage(message("s1", "x", said.post(call("c1")))));
    const rig = await before.restart();
    const late = await rig.tell("s1", said.ask("late", call("c2")));
    expect([late.outcome, rig.state("s1/approval/late")]).toEqual(["rejected", undefined]);
    const answered = { type: "approval.answered", decision: "approve", by: "terminal" } as const;
    await rig.tell("s1", { ...answered, approvalId: "a-s1" as ApprovalId, call: call("c1") });
    expect(rig.state("s1/approval/a-s1")).toBe("approved");
    await rig.engine.stop();
  });

  test("I-46, G1: the entry sent again under its id is a repeat", async () => {
    const before = await asked();
    await before.engine.stop();
    const one = message("s1", "x", said.post(call("c1")));
    await diedAt(before, writeMessage(one));
    const rig = await before.restart();
    expect(await (await rig.engine.submit(one)).settled).toMatchObject({ outcome: "duplicate" });
  });
});

describe("what is not poison", () => {
  /** An engine that is abandoned, like a killed one. */
  const killed = (rig: Rig): Promise<Rig> => rig.restart();

  test("I-46: crashes count while processes make no progress; progress and a clean stop clear the count", async () => {
    let rig = await Rig.start();
    await rig.tell("s1", said.prompt("p1"));
    for (const deaths of [1, 2, 3, 4]) {
      rig = await killed(rig);
      expect(rig.row("starts")).toEqual({ position: rig.disk.tail, deaths });
    }
    await rig.tell("s1", said.stop());
    rig = await killed(rig);
    expect(rig.row("starts")).toEqual({ position: rig.disk.tail, deaths: 1 });
    await rig.engine.stop();
    expect(rig.row("starts")).toBeUndefined();
    rig = await rig.restart();
    expect(rig.row("starts")).toEqual({ position: rig.disk.tail, deaths: 0 });
    await rig.engine.stop();
    expect(rig.rows("dead/").size).toBe(0);
  });

  test("G17, POISON-DETECTOR-1: a process that lived for ten seconds did not crash at its start: crashes while idle do not count", async () => {
    let rig = await Rig.start();
    await rig.tell("s1", said.prompt("p1"));
    for (let kills = 0; kills < 5; kills += 1) {
      rig = await killed(rig);
      await rig.pass(10_000, 1_000);
      expect(rig.row("starts")).toBeUndefined();
    }
  });

  test.each([1, 2, "0.1.0"] as const)(
    "G17: an entry named at fewer than three crashes in a row (%s) is applied, and its name is cleared",
    async (times) => {
      const before = await Rig.start();
      await before.engine.stop();
      await diedAt(before, writeMessage(message("s1", "m1", said.prompt("p1"))), Number(times));
      if (times === "0.1.0") before.disk.rows.set("trying", String(before.disk.tail));
      const rig = await before.restart();
      expect(rig.state("s1/request/p1")).toBeDefined();
      expect([rig.row("trying"), rig.rows("dead/").size]).toEqual([undefined, 0]);
    },
  );

  test("G17: only consecutive crashes count: a process that dies before it reaches the entry breaks the series", async () => {
    const before = await Rig.start();
    await before.engine.stop();
    await diedAt(before, writeMessage(message("s1", "m1", said.prompt("p1"))), 2);
    // It crashes as soon as it has noted its start.
    const first = new Rig({
      ...before.options,
      disk: before.disk,
      manual: before.clock,
      wrapStore: (inner) =>
        new WrappedStore(inner, async (writes, commit) => {
          await commit();
          if (writes.map(keyOf).includes("starts")) throw storeFailed(new Error("killed"));
        }),
    });
    await expect(first.engine.start()).rejects.toThrow();
    expect(before.row("trying")).toBeUndefined();
    const rig = await before.restart();
    expect([rig.state("s1/request/p1") !== undefined, rig.rows("dead/").size]).toEqual([true, 0]);
  });

  test("I-46: a disk that refuses the commit of an entry, however often, sets nothing aside", async () => {
    const before = await Rig.start();
    await before.engine.stop();
    const journal = new MemoryJournal(before.disk, before.clock);
    await journal.open(undefined);
    await journal.append([writeMessage(message("s1", "m1", said.prompt("p1")))]);
    const full = { wrapStore: failing };
    for (let starts = 0; starts < 6; starts += 1) {
      const rig = new Rig({ ...before.options, ...full, disk: before.disk, manual: before.clock });
      rig.engine.start().catch(() => undefined);
      while (rig.fatals.length === 0) await new Promise((resolve) => setImmediate(resolve));
      expect(rig.fatals).toMatchObject([{ code: "STORE_FAILED" }]);
    }
    expect(before.row("starts")).toMatchObject({ deaths: 5 });
    const rig = await before.restart();
    expect(rig.state("s1/request/p1")).toBeDefined();
    expect(rig.rows("dead/").size).toBe(0);
  });

  test("I-46: a start writes one extra row, and two commits an entry while in doubt", async () => {
    const commits: string[][] = [];
    const seen = {
      wrapStore: (inner: Parameters<typeof failing>[0]) =>
        new WrappedStore(inner, (writes, commit) => {
          commits.push(writes.map(keyOf));
          return commit();
        }),
    };
    const first = await Rig.start();
    await first.engine.stop();
    const rig = await first.restart(seen);
    expect(commits).toEqual([["starts"]]);
    await rig.tell("s1", said.prompt("p1"));
    expect(commits.flat()).not.toContain("trying");
    await rig.engine.stop();
    rig.disk.rows.set("starts", JSON.stringify({ position: rig.disk.tail, deaths: 1 }));
    commits.length = 0;
    const doubted = await rig.restart(seen);
    await doubted.tell("s1", said.stop());
    expect(commits.map(([key]) => key).slice(0, 3)).toEqual(["starts", "trying", "trying"]);
    expect(commits).toHaveLength(4);
  });
});

/** A store that accepts no commit with a cursor in it. */
function failing(inner: ConstructorParameters<typeof WrappedStore>[0]): WrappedStore {
  return new WrappedStore(inner, (writes, commit) =>
    writes.map(keyOf).includes("meta") ? Promise.reject(storeFailed(new Error("ENOSPC"))) : commit(),
  );
}
