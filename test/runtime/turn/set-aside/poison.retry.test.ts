// Retrying what was set aside: it is applied again, and its session takes approvals again.

import { describe, expect, test } from "vitest";
import type { Reply } from "../../../../runtime/turn/turn-result.ts";
import { systemIds } from "../../../../adapters/system/index.ts";
import { clients } from "../../../../adapters/composition/clients.ts";
import type { ApprovalId } from "../../../../machines/index.ts";
import { Door } from "../../../../runtime/door/door.ts";
import type { Ledger } from "../../../../runtime/rows/ledger.ts";
import { type Message, writeMessage } from "../../../../runtime/message.ts";
import { asked, decision, diedAt, message, own, tellOwn } from "../../../support/faults/poisoned.ts";
import { MINUTE_MS, type Rig, START_MS } from "../../../support/engine/rig.ts";
import { call, said } from "../../../support/sessions/said.ts";

async function retry(rig: Rig, letter: number): Promise<Reply> {
  const door = new Door({ engine: rig.engine, clock: rig.clock, ids: systemIds(), clients });
  const { taken } = await door.retry(letter, { door: "test", by: "local:ada" });
  const [first] = taken;
  if (!first || !("reply" in first)) throw new Error("The letter was not taken.");
  return first.reply;
}

/** Stops an engine and starts it with an entry that must not be applied. */
async function buried(before: Rig, what: Message): Promise<Rig> {
  await before.engine.stop();
  await diedAt(before, writeMessage(what));
  return before.restart();
}

const closedBy = (rig: Rig): unknown => (rig.row("ledger/w/s1") as Ledger | undefined)?.closedBy;
const letter = (rig: Rig, n: number): unknown => rig.row(`dead/${String(n).padStart(16, "0")}`);
const applied = { outcome: "applied" };

describe("G17: a retry of what was set aside", () => {
  test("G17, I-46, G8: a denial that is retried denies, and only then does its session take approvals", async () => {
    const rig = await buried(await asked(), own(decision("a-s1", "deny")));
    expect(closedBy(rig)).toEqual([1]);
    expect(await tellOwn(rig, decision("a-s1", "approve"))).toMatchObject({ outcome: "rejected" });
    expect(await retry(rig, 1)).toMatchObject({ ...applied, answers: [{ approvalId: "a-s1" }] });
    expect(rig.state("s1/approval/a-s1")).toBe("denied");
    expect([closedBy(rig), rig.rows("buried/").size]).toEqual([undefined, 0]);
    expect(letter(rig, 1)).toMatchObject({ retriedAt: rig.disk.tail });
    await rig.tell("s1", said.prompt("p2"), said.pre(call("c2")), said.ask("other", call("c2")));
    expect(await tellOwn(rig, decision("other", "approve", "c2"))).toMatchObject(applied);
    expect(rig.state("s1/approval/other")).toBe("approved");
  });

  test("G17, G1: an entry is retried once: a second retry is refused, at the door and in the journal", async () => {
    const rig = await buried(await asked(), message("s1", "x", said.post(call("c1"))));
    expect(rig.state("s1/call/c1")).toMatchObject({ execution: "processing" });
    expect(await retry(rig, 1)).toMatchObject(applied);
    expect(rig.state("s1/call/c1")).toMatchObject({ execution: "completed" });
    await expect(retry(rig, 1)).rejects.toMatchObject({ code: "NOT_RETRIED" });
    const rows = rig.rows("actor/");
    expect(await tellOwn(rig, { type: "retried", letter: 1 })).toMatchObject({ outcome: "rejected" });
    expect(rig.rows("actor/")).toEqual(rows);
    // Its sender cannot send it again either.
    expect(await (await rig.engine.submit(message("s1", "x", said.post(call("c1"))))).settled).toMatchObject({
      outcome: "duplicate",
    });
  });

  test("G17, G8: of several entries set aside, each must be retried; over restarts, in any order", async () => {
    const first = await buried(await asked(), message("s1", "x", said.pre(call("c2"))));
    const second = await buried(first, own({ type: "process.gone" }));
    let rig = await buried(second, message("s1", "y", said.pre(call("c3"))));
    expect(closedBy(rig)).toEqual([1, 2, 3]);
    for (const n of [3, 1]) {
      expect(await retry(rig, n)).toMatchObject(applied);
      await rig.engine.stop();
      rig = await rig.restart();
      expect(await tellOwn(rig, decision("a-s1", "approve"))).toMatchObject({
        outcome: "rejected",
        reason: expect.stringMatching("npx signalbox dlq") as string,
      });
    }
    await retry(rig, 2);
    expect(closedBy(rig)).toBeUndefined();
    expect(rig.state("s1/call/c3")).toBeDefined();
  });

  test("G17, G8: an approval that a retry would bring waits until no other entry is missing, and is not lost", async () => {
    const before = await asked();
    await tellOwn(before, decision("late", "approve", "c2"));
    const first = await buried(before, message("s1", "x", said.ask("late", call("c2"))));
    const rig = await buried(first, message("s1", "y", said.pre(call("c3"))));
    expect(await retry(rig, 1)).toMatchObject({ outcome: "rejected" });
    expect([closedBy(rig), rig.state("s1/approval/late")]).toEqual([[2, 1], undefined]);
    await retry(rig, 2);
    expect(await retry(rig, 1)).toMatchObject(applied);
    expect([closedBy(rig), rig.state("s1/approval/late")]).toEqual([undefined, "approved"]);
  });

  test("G17, RETRY-1: an approval set aside closes nothing, because it denies nothing; it cannot be retried", async () => {
    const rig = await buried(await asked(), own(decision("a-s1", "approve")));
    expect([closedBy(rig), rig.state("s1/approval/a-s1")]).toEqual([undefined, "pending"]);
    await expect(retry(rig, 1)).rejects.toMatchObject({ code: "NOT_RETRIED" });
    expect(await tellOwn(rig, decision("a-s1", "approve"))).toMatchObject(applied);
  });

  test("G17: a deadline set aside fires when it is retried; one that was set anew meanwhile keeps its own time", async () => {
    const deadlineAt = START_MS + MINUTE_MS;
    const ask = said.ask("d1", call("c2"), { deadlineAt, onDeadline: "deny" });
    const before = await asked();
    await before.tell("s1", said.pre(call("c2")), ask);
    await before.engine.stop();
    before.clock.advance(2 * MINUTE_MS);
    const fired = {
      type: "timer.fired",
      address: "w/s1/approval/d1",
      timer: "deadline",
      generation: 1,
    } as const;
    await diedAt(before, writeMessage(own(fired)));
    const rig = await before.restart();
    expect([rig.state("s1/approval/d1"), closedBy(rig)]).toEqual(["pending", [1]]);
    await rig.pass(MINUTE_MS, 10_000);
    expect(rig.state("s1/approval/d1")).toBe("pending");
    expect(await retry(rig, 1)).toMatchObject(applied);
    expect([rig.state("s1/approval/d1"), closedBy(rig)]).toEqual(["expired", undefined]);
    expect(rig.state("s1/call/c2")).toMatchObject({ execution: "denied" });
  });

  test("G17, G13: messages that waited for a poison entry are set aside with it, each whole, and each can be retried", async () => {
    const numbered = (sequence: number) => ({
      ...message("s1", `n${sequence}`, said.announced(call(`n${sequence}`))),
      sequence,
    });
    const before = await asked();
    for (const n of [1, 3, 4, 6]) await (await before.engine.submit(numbered(n))).settled;
    const rig = await buried(before, numbered(2));
    expect([closedBy(rig), rig.rows("held/").size]).toEqual([[1, 2, 3], 1]);
    expect(rig.state("s1/call/n4")).toBeUndefined();
    for (const n of [1, 2, 3]) expect(await retry(rig, n)).toMatchObject(applied);
    for (const id of ["n2", "n3", "n4"]) expect(rig.state(`s1/call/${id}`)).toBeDefined();
    expect((await (await rig.engine.submit(numbered(5))).settled).outcome).toBe("applied");
    expect(rig.state("s1/call/n6")).toBeDefined();
    expect(closedBy(rig)).toBeUndefined();
  });

  test("G17, G13: waiting messages are not lost either if the end of their wait is the poison entry", async () => {
    const before = await asked();
    const held = { ...message("s1", "n2", said.announced(call("n2"))), sequence: 2 };
    await (
      await before.engine.submit(held)
    ).settled;
    await before.engine.stop();
    before.clock.advance(MINUTE_MS);
    const fired = { type: "timer.fired", address: "w/s1", timer: "holdback", generation: 1 } as const;
    await diedAt(before, writeMessage(own(fired)));
    const rig = await before.restart();
    expect([closedBy(rig), rig.rows("held/").size]).toEqual([[1, 2], 0]);
    for (const n of [2, 1]) expect(await retry(rig, n)).toMatchObject(applied);
    expect([rig.state("s1/call/n2") !== undefined, closedBy(rig)]).toEqual([true, undefined]);
  });

  test("G17: an entry that crashes processes again when retried is set aside again; its letter stays, and can be retried later", async () => {
    const first = await buried(await asked(), message("s1", "x", said.post(call("c1"))));
    const rig = await buried(first, own({ type: "retried", letter: 1 }));
    expect(closedBy(rig)).toEqual([1]);
    await expect(retry(rig, 2)).rejects.toMatchObject({
      code: "NOT_RETRIED",
      message: expect.stringMatching("letter 1") as string,
    });
    expect(await retry(rig, 1)).toMatchObject(applied);
    expect(closedBy(rig)).toBeUndefined();
  });

  test("G17: retrying its letter also opens a session that a build before 0.1.0 closed", async () => {
    const before = await buried(await asked(), message("s1", "x", said.post(call("c1"))));
    const { closedBy: _, ...ledger } = before.row("ledger/w/s1") as Ledger;
    const { position } = letter(before, 1) as { position: number };
    before.disk.rows.set("ledger/w/s1", JSON.stringify({ ...ledger, closedAt: position }));
    before.disk.rows.delete("buried/0000000000000001");
    await before.engine.stop();
    const rig = await before.restart();
    expect(await tellOwn(rig, decision("a-s1", "approve"))).toMatchObject({ outcome: "rejected" });
    expect(await retry(rig, 1)).toMatchObject(applied);
    expect(rig.row("ledger/w/s1")).not.toHaveProperty("closedAt");
    const more = { type: "approval.requested", channel: "gateway", call: call("c9") } as const;
    await rig.tell("s1", said.pre(call("c9")), { ...more, approvalId: "a9" as ApprovalId });
    expect(await tellOwn(rig, decision("a9", "approve", "c9"))).toMatchObject(applied);
  });

  test("G17: the report of the crashes says where the entry stood, once it is set aside for good", async () => {
    const told: number[] = [];
    const before = await asked({ onPoison: (position) => told.push(position) });
    const rig = await buried(before, message("s1", "x", said.post(call("c1"))));
    expect(told).toEqual([rig.disk.tail]);
  });
});
