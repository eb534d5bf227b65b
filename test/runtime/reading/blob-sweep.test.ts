// Blob sweep
// Which blobs are removed, and when.

import { createHash } from "node:crypto";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { MemoryBlobs } from "../../../adapters/memory/index.ts";
import type { ToolInput } from "../../../machines/index.ts";
import { BlobSweep } from "../../../runtime/reading/blob-sweep.ts";
import { ENGINE, type SourceMessage, writeMessage } from "../../../runtime/message.ts";
import { keys } from "../../../runtime/rows/keys.ts";
import { diedAt, message } from "../../support/faults/poisoned.ts";
import { DAY_MS, MINUTE_MS, Rig } from "../../support/engine/rig.ts";

const hashOf = (text: string): string => createHash("sha256").update(text).digest("hex");
const lifted = (text: string): ToolInput => ({ hash: hashOf(text), bytes: text.length, blob: true });
const KEPT_DAYS = 400;

let rig: Rig;
let blobs: MemoryBlobs;
let sweep: BlobSweep;
const errors: unknown[] = [];

beforeEach(async () => {
  rig = await Rig.start();
  blobs = new MemoryBlobs(rig.disk, rig.clock);
  const { engine, clock } = rig;
  sweep = new BlobSweep({ blobs, engine, clock, onError: (error) => errors.push(error) });
  sweep.start();
});
afterEach(async () => {
  await sweep.stop();
  await rig.engine.stop();
  expect(errors).toEqual([]);
});

const put = (text: string): Promise<void> => blobs.put(hashOf(text), text);
const days = async (count: number): Promise<void> => {
  await rig.pass(count * DAY_MS, DAY_MS);
};
const there = async (text: string): Promise<boolean> => (await blobs.get(hashOf(text))) !== undefined;
const call = (text: string) => ({ toolUseId: `t-${text}`, tool: "Write", input: lifted(text) });
const started = { type: "request.created", requestId: "r1" as never } as const;

it("BLOB-SWEEP-1: a blob that nothing names goes once it is older than anything kept by age, and not before", async () => {
  await put("once");
  await put("again");
  await days(KEPT_DAYS - 1);
  expect(await there("once")).toBe(true);
  await put("again");
  await days(2);
  expect([await there("once"), await there("again")]).toEqual([false, true]);
});

it("BLOB-SWEEP-2: during the wait after a jump of the clock no blob goes, however old the clock makes it", async () => {
  await rig.tell("s1", started);
  await put("once");
  rig.clock.stepWall(10 * KEPT_DAYS * DAY_MS);
  await rig.tell("s1", { type: "request.processing", requestId: "r1" as never });
  await days(2);
  expect(await there("once")).toBe(true);
});

it("BLOB-SWEEP-1: a blob named by an open approval stays, however old, and then one named by its audit row", async () => {
  for (const text of ["asked", "ran"]) await put(text);
  await rig.tell("s1", started, { type: "request.processing", requestId: "r1" as never });
  const question = { type: "approval.requested", approvalId: "q1" as never, call: call("asked") } as const;
  await rig.tell("s1", { ...question, channel: "sdk", promptId: "r1" });
  await days(KEPT_DAYS + 10);
  expect([await there("asked"), await there("ran")]).toEqual([true, false]);
  const decided = { type: "decision", approvalId: "q1" as never, decision: "deny", by: "local:ann" } as const;
  await rig.engine.own("w" as never, "s1" as never, decided);
  await rig.tell("s1", { type: "request.completed", requestId: "r1" as never });
  await days(KEPT_DAYS - 2);
  expect(rig.state("s1/approval/q1")).toBeUndefined();
  expect([...rig.rows("audit/").values()].some((text) => text.includes(hashOf("asked")))).toBe(true);
  expect(await there("asked")).toBe(true);
  await days(4);
  expect(rig.rows("audit/").size).toBe(0);
  expect(await there("asked")).toBe(false);
});

it("BLOB-SWEEP-3: if there are more rows than a page holds, every row counts", async () => {
  await put("named by the last");
  await put("named by none");
  for (let n = 0; n < 1_200; n += 1) {
    const input = n === 1_199 ? lifted("named by the last") : undefined;
    const toolUseId = `t${String(n).padStart(4, "0")}`;
    await rig.tell("s1", {
      type: "tool.started",
      call: { toolUseId, tool: "Write", ...(input && { input }) },
    });
  }
  const { engine, clock } = rig;
  // In steps that are believed, and at once: what is open stays open.
  for (let day = 0; day <= KEPT_DAYS; day += 30) {
    clock.stepWall(30 * DAY_MS);
    await engine.own(ENGINE.workspace, ENGINE.session, { type: "tallied" });
  }
  const again = new BlobSweep({ blobs, engine, clock, onError: (error) => errors.push(error) });
  again.start();
  clock.advance(MINUTE_MS);
  await vi.waitFor(async () => expect(await there("named by none")).toBe(false), 20_000);
  await again.stop();
  expect(await there("named by the last")).toBe(true);
});

it("BLOB-SWEEP-4, BLOB-SWEEP-1: a blob stays that only a dead letter names, or an entry that was set aside and can be retried", async () => {
  const entry = (text: string): SourceMessage => ({
    ...message("s2", text, { type: "tool.started", call: call(text) }),
    lifted: [{ at: [0, "call", "input"], hash: hashOf(text), bytes: text.length }],
  });
  for (const text of ["refused", "set aside", "unnamed"]) await put(text);
  await (
    await rig.engine.submit({ ...entry("refused"), type: "test.refused" })
  ).settled;
  await rig.engine.stop();
  await diedAt(rig, writeMessage(entry("set aside")));
  rig = await rig.restart();
  expect([rig.rows("dead/").size, rig.rows("buried/").size]).toEqual([2, 1]);
  rig.clock.advance(MINUTE_MS);
  const { engine, clock } = rig;
  const again = new BlobSweep({ blobs, engine, clock, onError: (error) => errors.push(error) });
  rig.disk.rows.delete(keys.dead(2));
  expect(await again.dropUnnamed(new Set(["refused", "set aside", "unnamed"].map(hashOf)))).toBe(1);
  expect([await there("refused"), await there("set aside"), await there("unnamed")]).toEqual([
    true,
    true,
    false,
  ]);
});

it("BLOB-SWEEP-4, FORGET-DOOR-2: a removal that the engine's stop interrupts removes no blob, because rows were not read", async () => {
  await rig.tell("s1", started);
  await put("unnamed");
  rig.clock.advance(MINUTE_MS);
  const dropping = sweep.dropUnnamed(new Set([hashOf("unnamed")]));
  await sweep.stop();
  expect([await dropping, await there("unnamed")]).toEqual([0, true]);
  const whole = new BlobSweep({
    blobs,
    engine: rig.engine,
    clock: rig.clock,
    onError: (error) => errors.push(error),
  });
  expect([await whole.dropUnnamed(new Set([hashOf("unnamed")])), await there("unnamed")]).toEqual([1, false]);
});
