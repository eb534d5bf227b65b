// Poison
// Entries that end the process which applies them, and what is, or is not, taken for one.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openLmdb } from "../adapters/lmdb/index.ts";
import { MemoryJournal } from "../adapters/memory/index.ts";
import { systemClock } from "../adapters/system/index.ts";
import type { ApprovalId, SessionId, SourceInput } from "../machines/index.ts";
import { toolInput } from "../runtime/door/canonical.ts";
import { storeFailed } from "../runtime/errors.ts";
import { type OwnMessage, type SourceMessage, writeMessage } from "../runtime/message.ts";
import { Rig, WORKSPACE } from "./support/rig.ts";
import { call, said } from "./support/said.ts";
import { keyOf, WrappedStore } from "./support/wrapped-store.ts";

const message = (session: string, id: string, ...data: SourceInput[]): SourceMessage => ({
  door: "in",
  workspace: WORKSPACE,
  session: session as SessionId,
  source: "test",
  id,
  type: "test.inputs",
  data,
});

describe("a process that is killed by an entry", () => {
  const CHILD = new URL("support/poison-child.ts", import.meta.url).pathname;
  let dir: string;
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), "signalbox-poison-"));
  });
  afterEach(() => rm(dir, { recursive: true }));

  async function run(): Promise<number | NodeJS.Signals | null> {
    const child = spawn(process.execPath, ["--import", "tsx", CHILD, dir], {
      stdio: ["ignore", "ignore", "inherit"],
    });
    const [code, signal] = (await once(child, "close")) as [number | null, NodeJS.Signals | null];
    return code ?? signal;
  }

  /** Puts messages in the journal, durably, while no engine runs. */
  async function append(list: readonly SourceMessage[]): Promise<void> {
    const { store, journal, close } = openLmdb(dir, systemClock());
    await store.open();
    await journal.open(undefined);
    await journal.append(list.map(writeMessage));
    await close();
  }

  async function found(): Promise<ReadonlyMap<string, string>> {
    const { store, close } = openLmdb(dir, systemClock());
    await store.open();
    const rows = new Map(store.range({ gte: " ", lt: "~" }));
    await close();
    return rows;
  }

  test("I-46, G9: dies at it four times; the fifth buries it and applies everything else, and so with a second one behind it", async () => {
    const list = ["p1", "p2", "deadly1", "p4", "deadly2", "p6", "p7", "p8"].map((id, n) =>
      message(`s${n + 1}`, id, said.prompt(id)),
    );
    await append(list.slice(0, 2));
    expect(await run()).toBe(0);
    await append(list.slice(2));
    const ends = [await run()];
    while (ends.at(-1) === "SIGKILL" && ends.length < 9) ends.push(await run());
    // The second one is within reach of the first: it is named before its turn at once.
    expect(ends).toEqual(["SIGKILL", "SIGKILL", "SIGKILL", "SIGKILL", "SIGKILL", 0]);
    const rows = await found();
    const dead = [...rows]
      .filter(([key]) => key.startsWith("dead/"))
      .map(([, text]) => JSON.parse(text) as unknown);
    expect(dead).toMatchObject(
      [list[2], list[4]].map((one) => ({ code: "POISON", body: one && writeMessage(one) })),
    );
    const prompts = [...rows.keys()].filter((key) => /^actor\/.*\/request\//.test(key));
    expect(prompts.map((key) => key.split("/").at(-1))).toEqual(["p1", "p2", "p4", "p6", "p7", "p8"]);
    expect(JSON.parse(rows.get("ledger/w/s3") ?? "null")).toMatchObject({
      rejected: 1,
      rejections: [{ what: "test.inputs" }],
    });
    expect([rows.get("starts"), rows.get("trying")]).toEqual([undefined, undefined]);
  });
});

/** Puts an entry in the journal of an engine that has stopped, as the one at which its process died. */
async function diedAt(rig: Rig, body: string): Promise<void> {
  const journal = new MemoryJournal(rig.disk, rig.clock);
  await journal.open(undefined);
  const [position] = await journal.append([body]);
  rig.disk.rows.set("trying", String(position));
}

const decision = (approvalId: string, decided: "approve" | "deny", of = "c1"): OwnMessage["said"] => ({
  type: "decision",
  approvalId: approvalId as ApprovalId,
  decision: decided,
  by: "local:ada",
  inputHash: toolInput({ command: of }).hash,
});
const own = (what: OwnMessage["said"]): OwnMessage => ({
  door: "own",
  workspace: WORKSPACE,
  session: "s1" as SessionId,
  said: what,
});
const tellOwn = (rig: Rig, what: OwnMessage["said"], session = "s1") =>
  rig.engine.own(WORKSPACE, session as SessionId, what);

describe("a session that lost an entry", () => {
  const asked = async (): Promise<Rig> => {
    const rig = await Rig.start();
    for (const session of ["s1", "s2"]) {
      const one = call("c1");
      await rig.tell(session, said.prompt(`p-${session}`), said.pre(one), said.ask(`a-${session}`, one));
    }
    return rig;
  };

  test("I-46, G8: a denial that is buried leaves its question pending, and no approval counts there any more; a denial does", async () => {
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

  test("I-46, G8: nor does one that waited for its question; what is seen elsewhere is still believed", async () => {
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

describe("what is not taken for poison", () => {
  /** An engine that is left to itself, as one that was killed. */
  const killed = (rig: Rig): Promise<Rig> => rig.restart();

  test("I-46: processes that died are counted while they make no progress; progress and a clean stop clear the count", async () => {
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

  test("I-46: a disk that takes no commit of an entry, however often, buries nothing", async () => {
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

  test("I-46: a start writes one row more than it would, and in doubt two commits an entry", async () => {
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
    rig.disk.rows.set("starts", JSON.stringify({ position: rig.disk.tail, deaths: 2 }));
    commits.length = 0;
    const doubted = await rig.restart(seen);
    await doubted.tell("s1", said.stop());
    expect(commits.map(([key]) => key).slice(0, 3)).toEqual(["starts", "trying", "trying"]);
    expect(commits).toHaveLength(4);
  });
});

/** A store that takes no commit with a cursor in it. */
function failing(inner: ConstructorParameters<typeof WrappedStore>[0]): WrappedStore {
  return new WrappedStore(inner, (writes, commit) =>
    writes.map(keyOf).includes("meta") ? Promise.reject(storeFailed(new Error("ENOSPC"))) : commit(),
  );
}
