// Quota
// Messages that a workspace publishes beyond its quota: refused, reported, and nobody else's loss.

import { describe, expect, test } from "vitest";
import { completed } from "../../runtime/config.ts";
import { EVENTS_MAX, RAW_BYTES_MAX } from "../../runtime/limits.ts";
import { capacityOf, DEFAULT_QUOTA, NO_QUOTA, type Quota } from "../../runtime/quota.ts";
import { at } from "../support/engine/json.ts";
import { publication, publish, type Publication } from "../support/faults/published.ts";
import { Rig } from "../support/engine/rig.ts";
import { said } from "../support/sessions/said.ts";

const QUOTA: Quota = { messages: 100, bytes: 10_000_000, kept: "off" };
const FULL = capacityOf(QUOTA);

const limited = (quota: Quota = QUOTA): Promise<Rig> => Rig.start({ configuration: completed({ quota }) });

const flood = (workspace: string, count: number, bytes = 200): readonly Publication[] =>
  Array.from({ length: count }, () => publication(workspace, "x", "session.started", {}, bytes));

async function arrive(rig: Rig, publications: readonly Publication[]): Promise<readonly number[]> {
  const reads = publish(rig, publications);
  await rig.quiet();
  return reads;
}

const letters = (rig: Rig): readonly unknown[] =>
  [...rig.rows("dead/").values()].map((row): unknown => JSON.parse(row));
const seen = (rig: Rig, workspace: string): number => rig.rows(`seen/${workspace}/`).size;

describe("G14: a workspace has a quota", () => {
  test("QUOTA-1: beyond a full bucket messages are refused, and with time as many more are let through as flow in", async () => {
    const rig = await limited();
    await arrive(rig, flood("chat", FULL.messages + 50));
    expect(seen(rig, "chat")).toBe(FULL.messages);
    rig.clock.advance(500);
    await arrive(rig, flood("chat", 100));
    expect(seen(rig, "chat")).toBe(FULL.messages + 50);
    expect(rig.fatals).toEqual([]);
    expect(rig.defects).toEqual([]);
  });

  test("QUOTA-2: however small the quota, a full bucket takes the longest message and the longest list", () => {
    const least = capacityOf({ messages: 1, bytes: 1, kept: "off" });
    expect(least.messages).toBeGreaterThanOrEqual(EVENTS_MAX);
    expect(least.bytes).toBeGreaterThan(RAW_BYTES_MAX);
  });

  test("TURNING-AWAY-1: a refused message is not read, and junk counts by its bytes", async () => {
    const rig = await limited();
    const junk = (bytes: number): Publication => ({ workspace: "chat", body: "junk", bytes });
    const long = 8_000_000;
    const fits = Math.floor(FULL.bytes / long);
    const reads = await arrive(
      rig,
      Array.from({ length: fits + 20 }, () => junk(long)),
    );
    expect(reads.filter((count) => count > 0)).toHaveLength(fits);
    expect(reads.slice(fits)).toEqual(Array.from({ length: 20 }, () => 0));
    // A short one still fits.
    const [read = 0] = await arrive(rig, [publication("chat", "s", "session.started", {}, 10)]);
    expect(read).toBeGreaterThan(0);
    expect(rig.row("actor/chat/s")).toBeDefined();
  });

  test("TURNING-AWAY-4: one letter per second and workspace says how many messages and bytes were refused", async () => {
    const rig = await limited();
    await arrive(rig, flood("chat", FULL.messages + 30, 10));
    await arrive(rig, flood("game", FULL.messages + 7, 10));
    expect(letters(rig)).toEqual([]);
    rig.clock.advance(1_000);
    await arrive(rig, flood("shop", 1));
    const told = letters(rig);
    expect(told).toMatchObject([
      { code: "OVER_QUOTA", workspace: "chat", unrecorded: 30, bytes: 300 },
      { code: "OVER_QUOTA", workspace: "game", unrecorded: 7, bytes: 70 },
    ]);
    expect(at(told[0], "reason")).toContain("100 messages and 10000000 bytes a second");
    rig.clock.advance(5_000);
    await arrive(rig, flood("shop", 1));
    expect(letters(rig)).toHaveLength(2);
  });

  test("TURNING-AWAY-4: the letter comes by itself, although nobody sends anything any more", async () => {
    const rig = await limited();
    await arrive(rig, flood("chat", FULL.messages + 3));
    await rig.pass(3_000, 1_000);
    expect(letters(rig)).toMatchObject([{ code: "OVER_QUOTA", unrecorded: 3 }]);
    const { position } = rig.engine.meta();
    await rig.pass(10_000, 1_000);
    expect(rig.engine.meta().position).toBe(position);
  });

  test("TURNING-AWAY-4: messages without a workspace share one bucket; of very many workspaces the rest share a letter", async () => {
    const rig = await limited({ messages: 1, bytes: "off", kept: "off" });
    const { messages } = capacityOf({ messages: 1, bytes: "off", kept: "off" });
    await arrive(
      rig,
      Array.from({ length: messages + 5 }, () => ({ body: "junk" })),
    );
    for (let n = 0; n < 105; n += 1) {
      rig.disk.rows.set(`quota/w${n}`, JSON.stringify({ at: rig.clock.now(), messages: 0 }));
      await arrive(rig, flood(`w${n}`, 1));
    }
    rig.clock.advance(1_000);
    await arrive(rig, flood("shop", 1));
    const told = letters(rig).filter((letter) => at(letter, "code") === "OVER_QUOTA");
    expect(told).toHaveLength(101);
    expect(told[0]).toMatchObject({ unrecorded: 5 });
    expect(told[0]).not.toHaveProperty("workspace");
    expect(told.at(-1)).toMatchObject({ unrecorded: 6 });
    expect(told.at(-1)).not.toHaveProperty("workspace");
  });

  test("TURNING-AWAY-3: answers and cancellations pass, whatever else was sent; junk of their types does not", async () => {
    const rig = await limited();
    const ask = { tool: "Bash", input: { command: "ls" }, approvalId: "a1", toolUseId: "t1" };
    await arrive(rig, [publication("chat", "s", "approval.requested", ask)]);
    await arrive(rig, flood("chat", FULL.messages + 10));
    const deny = { decision: "deny", by: "bob", approvalId: "a1", toolUseId: "t1" };
    const [read = 0] = await arrive(rig, [publication("chat", "s", "approval.answered", deny)]);
    expect(read).toBeGreaterThan(0);
    expect(rig.row("actor/chat/s/approval/a1")).toMatchObject({ value: "denied" });
    const { deads } = rig.engine.meta();
    await arrive(rig, [{ workspace: "chat", type: "approval.answered", body: "junk" }]);
    expect(rig.engine.meta().deads).toBe(deads);
    expect(rig.engine.meta().overQuota?.of).toMatchObject([{ workspace: "chat", messages: 12 }]);
  });

  test("TURNING-AWAY-3: an answer or cancellation that would change nothing is refused like any message", async () => {
    const rig = await limited();
    const ask = {
      tool: "Bash",
      input: { command: "ls" },
      approvalId: "a1",
      toolUseId: "t1",
      requestId: "r1",
    };
    await arrive(rig, [
      publication("chat", "s3", "request.created", { requestId: "r1" }),
      publication("chat", "s", "approval.requested", ask),
    ]);
    await arrive(rig, flood("chat", FULL.messages + 10));
    const answer = (approvalId?: string) => ({ decision: "deny", by: "bob", toolUseId: "t1", approvalId });
    const before = seen(rig, "chat");
    await arrive(rig, [
      publication("chat", "s", "approval.answered", answer("a2")),
      publication("chat", "s2", "approval.answered", answer("a1")),
      publication("chat", "s", "approval.answered", answer()),
      publication("chat", "s", "request.cancelled", { requestId: "r2" }),
    ]);
    expect(seen(rig, "chat")).toBe(before);
    await arrive(rig, [
      publication("chat", "s", "approval.answered", answer("a1")),
      publication("chat", "s3", "request.cancelled", { requestId: "r1" }),
    ]);
    expect([rig.row("actor/chat/s/approval/a1"), rig.row("actor/chat/s3/request/r1")]).toMatchObject([
      { value: "denied" },
      { context: { error: "cancelled" } },
    ]);
    await arrive(rig, [
      publication("chat", "s", "approval.answered", answer("a1")),
      publication("chat", "s3", "request.cancelled", { requestId: "r1" }),
    ]);
    expect(seen(rig, "chat")).toBe(before + 2);
  });

  test("TURNING-AWAY-2: what a door accepted is applied and counts; with quotas off nothing is counted", async () => {
    const rig = await limited();
    const { quota } = rig.engine.meta().configuration;
    expect(quota).toEqual(QUOTA);
    for (let n = 0; n < FULL.messages + 20; n += 1) await rig.tell("s1", said.prompt(`p${n}`));
    expect(seen(rig, "w")).toBe(FULL.messages + 20);
    await arrive(rig, flood("w", 5));
    expect(seen(rig, "w")).toBe(FULL.messages + 20);
    const free = await limited(NO_QUOTA);
    await arrive(free, flood("w", FULL.messages * 2));
    expect(seen(free, "w")).toBe(FULL.messages * 2);
    expect(free.rows("quota/").size).toBe(0);
  });

  test("G14: the default applies if nothing was set, and a change of it is a journalled input", async () => {
    const rig = await Rig.start();
    expect(rig.engine.meta().configuration.quota).toEqual(DEFAULT_QUOTA);
    await rig.engine.stop();
    const next = await rig.restart({ configuration: completed({ quota: QUOTA }) });
    expect(next.engine.meta().configuration.quota).toEqual(QUOTA);
    expect(next.saidOwn("configured")).toHaveLength(1);
  });

  test("G14, QUOTA-3: a sweep removes the bucket of a workspace that has long been quiet, because it is full", async () => {
    const rig = await limited();
    await arrive(rig, flood("chat", 10));
    expect(rig.rows("quota/").size).toBe(1);
    rig.clock.advance(60_000);
    await rig.quiet();
    await rig.engine.retention.sweep(Infinity);
    expect(rig.rows("quota/").size).toBe(0);
    await arrive(rig, flood("chat", FULL.messages + 1));
    expect(seen(rig, "chat")).toBe(10 + FULL.messages);
  });
});
