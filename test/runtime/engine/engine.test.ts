// Engine
// What a sender is promised: one input, one answer; accepted or clearly refused; nothing lost by a stop.

import { setImmediate as nextTick } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import type { Reply } from "../../../runtime/turn/turn-result.ts";
import { MemoryDisk } from "../../../adapters/memory/index.ts";
import type { ApprovalId, SessionId } from "../../../machines/index.ts";
import { FatalError } from "../../../runtime/errors/errors.ts";
import type { OwnMessage } from "../../../runtime/message.ts";
import { Gate } from "../../support/faults/gate.ts";
import { messages } from "../../support/sessions/play.ts";
import { recording } from "../../support/sessions/recording.ts";
import { Rig, type RigOptions, WORKSPACE } from "../../support/engine/rig.ts";
import { call, said } from "../../support/sessions/said.ts";
import { WrappedJournal } from "../../support/faults/wrapped-journal.ts";
import { WrappedStore } from "../../support/faults/wrapped-store.ts";

const decision = (approvalId: string, key?: string): OwnMessage => ({
  door: "own",
  workspace: WORKSPACE,
  session: "s1" as SessionId,
  said: { type: "decision", approvalId: approvalId as ApprovalId, decision: "deny", by: "local:ada" },
  ...(key !== undefined && { key }),
});

async function asked(options: RigOptions = {}): Promise<Rig> {
  const rig = await Rig.start(options);
  await rig.tell("s1", said.prompt("p1"), said.pre(call("c1")), said.ask("a1", call("c1")));
  return rig;
}

const answer = async (rig: Rig, message: OwnMessage): Promise<Reply> =>
  (await rig.engine.submit(message)).settled;

describe("Idempotency-Key", () => {
  test("G31: the same write twice with one key is one input with one answer", async () => {
    const rig = await asked();
    const first = await answer(rig, decision("a1", "k1"));
    expect(first).toMatchObject({ outcome: "applied", answers: [{ approvalId: "a1", result: "accepted" }] });
    const tail = rig.disk.tail;
    const rows = rig.rows();
    expect(await answer(rig, decision("a1", "k1"))).toEqual(first);
    expect(rig.disk.tail).toBe(tail);
    expect(rig.rows()).toEqual(rows);
    // Another key, or none, makes another input: the approval is answered already.
    for (const other of [decision("a1", "k2"), decision("a1")])
      expect(await answer(rig, other)).toMatchObject({ answers: [{ result: "ignored" }] });
  });

  test("G31: ten at once with one key are one input with one answer", async () => {
    const rig = await asked();
    const tail = rig.disk.tail;
    const answers = await Promise.all(Array.from({ length: 10 }, () => answer(rig, decision("a1", "k1"))));
    expect(new Set(answers.map((each) => JSON.stringify(each))).size).toBe(1);
    expect(rig.disk.tail).toBe(tail + 1);
    expect(rig.rows("audit/").size).toBe(1);
  });

  test("G31: the same key after a restart gets the answer of the first", async () => {
    const rig = await asked();
    const first = await answer(rig, decision("a1", "k1"));
    await rig.engine.stop();
    const next = await rig.restart();
    const tail = next.disk.tail;
    expect(await answer(next, decision("a1", "k1"))).toEqual(first);
    expect(next.disk.tail).toBe(tail);
  });

  test("G31: a crash between journal and store, and the same write again while the next start catches up, are one input", async () => {
    const gate = new Gate();
    const rig = await asked({
      wrapStore: (store) => new WrappedStore(store, async (_, commit) => gate.pass().then(commit)),
    });
    gate.shut();
    await rig.engine.submit(decision("a1", "k1"));
    // The engine is gone here, its journal entry stays. The next engine gets the key again before it is ready.
    const late = new Gate();
    late.shut();
    const next = new Rig({
      disk: rig.disk,
      manual: rig.clock,
      wrapStore: (store) => new WrappedStore(store, async (_, commit) => late.pass().then(commit)),
    });
    const starting = next.engine.start();
    for (let tick = 0; tick < 10; tick += 1) await nextTick();
    const again = answer(next, decision("a1", "k1"));
    for (let tick = 0; tick < 10; tick += 1) await nextTick();
    expect(next.engine.isReady).toBe(false);
    late.open();
    await starting;
    // The journal has it twice, because nothing of the first was durable; the second gets the answer of the first.
    expect(next.disk.entries.filter(({ body }) => body.includes('"k1"'))).toHaveLength(2);
    const later = await answer(next, decision("a1", "k1"));
    expect(await again).toEqual(later);
    expect(later).toMatchObject({ outcome: "applied", answers: [{ result: "accepted" }] });
    expect(next.rows("audit/").size).toBe(1);
    expect(next.row("actor/w/s1/approval/a1")).toMatchObject({
      value: "denied",
      context: { annotations: [] },
    });
  });

  test("G31: of two journal entries with one key, the second gets the answer of the first and changes nothing", async () => {
    const rig = await asked();
    await rig.engine.stop();
    const body = JSON.stringify(decision("a1", "k1"));
    const at = rig.clock.now();
    const position = rig.disk.tail + 1;
    rig.disk.entries.push({ position, at, body }, { position: position + 1, at, body });
    const next = await rig.restart();
    expect(next.rows("audit/").size).toBe(1);
    expect(next.row("reply/k1")).toMatchObject({ position, answers: [{ result: "accepted" }] });
    expect(next.engine.meta().position).toBe(position + 1);
  });

  test("G33: the sweep removes replies after 24 hours", async () => {
    const rig = await asked();
    await answer(rig, decision("a1", "k1"));
    await rig.pass(23 * 3_600_000);
    expect(rig.row("reply/k1")).toBeDefined();
    await rig.pass(2 * 3_600_000);
    expect([...rig.rows("repl").keys()]).toEqual([]);
  });
});

describe("backpressure", () => {
  const overloaded = { code: "OVERLOADED", obligation: "retry", retryAfterMs: 1000 };

  test.each([
    [
      "the journal",
      (gate: Gate): RigOptions => ({
        wrapJournal: (journal) => new WrappedJournal(journal, () => gate.pass()),
      }),
    ],
    [
      "the store",
      (gate: Gate): RigOptions => ({
        wrapStore: (store) => new WrappedStore(store, (_, commit) => gate.pass().then(commit)),
      }),
    ],
  ])(
    "I-37: beyond 4,096 messages that wait for %s the next is refused, until they are through",
    async (_, hold) => {
      const gate = new Gate();
      const rig = await Rig.start(hold(gate));
      await rig.tell("s1", said.prompt("p1"));
      gate.shut();
      const waiting = Array.from({ length: 4_096 }, () => rig.tell("s1", said.processing("nobody")));
      await nextTick();
      expect(rig.engine.lag().waiting).toBe(4_096);
      expect(rig.engine.hasRoom(1, 1)).toBe(false);
      await expect(rig.tell("s1", said.pre(call("c1")))).rejects.toMatchObject(overloaded);
      gate.open();
      expect((await Promise.all(waiting)).length).toBe(4_096);
      expect(rig.engine.lag().waiting).toBe(0);
      expect(await rig.tell("s1", said.pre(call("c1")))).toMatchObject({ outcome: "applied" });
      // What was refused left no trace: 4,096 rejected messages, the prompt, the call.
      expect(rig.disk.tail).toBe(4_098);
    },
  );

  test("I-37: beyond 16 MiB the next is refused, until they are through; bytes are counted, not characters", async () => {
    const gate = new Gate();
    const rig = await Rig.start({ wrapJournal: (journal) => new WrappedJournal(journal, () => gate.pass()) });
    gate.shut();
    const mebibyte = "é".repeat(512 * 1024);
    const big = () => rig.submit("s1", [], { type: "test.refused", source: mebibyte });
    const waiting = Array.from({ length: 15 }, big);
    await nextTick();
    expect(rig.engine.hasRoom(1, 2 * 1024 * 1024)).toBe(false);
    await expect(big().then(big)).rejects.toMatchObject(overloaded);
    gate.open();
    await Promise.all((await Promise.all(waiting)).map(({ settled }) => settled));
    expect(rig.engine.lag().waiting).toBe(0);
    expect((await (await big()).settled).outcome).toBe("dead");
  });

  test("G1: a journal that cannot be written stops the engine, once", async () => {
    let isBroken = false;
    const rig = await Rig.start({
      wrapJournal: (journal) =>
        new WrappedJournal(journal, () =>
          isBroken ? Promise.reject(new FatalError("JOURNAL_FAILED", "No.", "Stop.")) : Promise.resolve(),
        ),
    });
    isBroken = true;
    const told = await Promise.allSettled([1, 2, 3].map(() => rig.tell("s1", said.prompt("p1"))));
    expect(told.map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
    expect(rig.fatals).toMatchObject([{ code: "JOURNAL_FAILED" }]);
    expect(rig.engine.isReady).toBe(false);
    expect(rig.engine.lag().waiting).toBe(0);
  });
});

describe("stopping", () => {
  test("G3: a stop amid a stream of messages loses none: each is in the journal once, and applied after the next start", async () => {
    const list = messages(recording("t1-tui-deny-esc"), ["hooks", "transcript"]);
    const whole = await Rig.start();
    for (const message of list) await whole.engine.submit(message);
    await whole.quiet();

    const disk = new MemoryDisk("rig");
    const rig = await Rig.start({
      disk,
      wrapStore: (store) => new WrappedStore(store, async (_, commit) => nextTick().then(commit)),
    });
    const acknowledged: number[] = [];
    const ends: Promise<unknown>[] = [];
    for (const message of list.slice(0, 60)) {
      const { position, settled } = await rig.engine.submit(message);
      acknowledged.push(position);
      ends.push(settled.catch((error: unknown) => error));
    }
    await rig.engine.stop();
    for (const end of await Promise.all(ends))
      if (end instanceof Error) expect(end).toMatchObject({ code: "STOPPING", obligation: "retry" });
    const next = await rig.restart({ wrapStore: (store) => store });
    expect(acknowledged).toEqual(Array.from({ length: 60 }, (_, index) => index + 1));
    for (const message of list) await next.engine.submit(message);
    await next.quiet();
    const states = (of: Rig) => [...of.rows("actor/")];
    expect(states(next)).toEqual(states(whole));
  });

  test("G3: a stop finishes what is in flight, and is quiet afterwards", async () => {
    const rig = await Rig.start();
    const end = rig.tell("s1", said.prompt("p1"));
    await nextTick();
    await rig.engine.stop();
    await end;
    const tail = rig.disk.tail;
    const rows = rig.rows();
    rig.clock.advance(3 * 24 * 3_600_000);
    await nextTick();
    expect([rig.disk.tail, rig.fatals, rig.defects]).toEqual([tail, [], []]);
    expect(rig.rows()).toEqual(rows);
    await expect(rig.tell("s1", said.prompt("p2"))).rejects.toMatchObject({ code: "STOPPING" });
  });

  test("G9: a listener that throws harms neither the engine nor other listeners", async () => {
    const rig = new Rig();
    rig.engine.onChanges(() => {
      throw new Error("a subscriber's own");
    });
    const heard: number[] = [];
    const end = rig.engine.onChanges((changes) => heard.push(...changes.map(({ n }) => n)));
    await rig.engine.start();
    await rig.tell("s1", said.prompt("p1"));
    expect(heard).toEqual(rig.changes.map(({ n }) => n));
    expect(heard.length).toBeGreaterThan(0);
    expect([rig.fatals, rig.defects.length]).toEqual([[], 1]);
    end();
    const before = heard.length;
    await rig.tell("s1", said.pre(call("c1")));
    expect(heard.length).toBe(before);
  });
});
