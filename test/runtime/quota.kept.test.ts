// Quota of what is kept
// A workspace that has reached the quota of what is kept: refused, reported, and accepted again once enough is gone.

import { describe, expect, test } from "vitest";
import { completed } from "../../runtime/config.ts";
import type { Account } from "../../runtime/rows/keeping.ts";
import type { SourceMessage } from "../../runtime/message.ts";
import type { Quota } from "../../runtime/quota.ts";
import { publication, publish } from "../support/faults/published.ts";
import { DAY_MS, HOUR_MS, Rig } from "../support/engine/rig.ts";
import { call, said } from "../support/sessions/said.ts";
import { event, serve } from "../support/http/served.ts";

const QUOTA: Quota = { messages: "off", bytes: "off", kept: 200_000 };
const configuration = completed({ quota: QUOTA });

const keptOf = (rig: Rig, workspace: string) => (rig.row(`quota/${workspace}`) as Account | undefined)?.kept;
const asRead = (rig: Rig, workspace: string): number => {
  const own = ["actor/", "book/", "ledger/", "seen/", "held/"].flatMap((table) => [
    ...rig.rows(`${table}${workspace}/`),
  ]);
  const logs = ["change/", "audit/", "dead/"].flatMap((table) =>
    [...rig.rows(table)].filter(([, row]) => row.includes(`"workspace":"${workspace}"`)),
  );
  return [...own, ...logs].reduce((sum, [key, row]) => sum + key.length + row.length, 0);
};

/** Publishes prompts until one is refused. @returns how many were let through. */
async function fill(rig: Rig, workspace: string): Promise<number> {
  for (let n = 0; n < 500; n += 1) {
    const prompt = { requestId: `r${n}`, prompt: "x".repeat(5_000) };
    publish(rig, [publication(workspace, `s${n}`, "request.created", prompt)]);
    await rig.quiet();
    if (rig.engine.allowance.turnedAway.has(workspace)) return n;
  }
  throw new Error("Nothing was turned away.");
}

describe("G14: what is kept of a workspace has a quota", () => {
  test("KEEPING-1: beyond it messages are refused and reported; another workspace's are not", async () => {
    const rig = await Rig.start({ configuration });
    const count = await fill(rig, "chat");
    expect(count).toBeGreaterThan(20);
    expect(count).toBeLessThan(41);
    publish(rig, [publication("shop", "s1", "session.started", {})]);
    await rig.quiet();
    expect(rig.row("actor/shop/s1")).toBeDefined();
    await rig.pass(2_000, 1_000);
    const letters = [...rig.rows("dead/").values()].map((row) => JSON.parse(row) as { reason: string });
    expect(letters).toMatchObject([{ code: "OVER_QUOTA", workspace: "chat", unrecorded: 1 }]);
    expect(letters[0]?.reason).toContain("200000 bytes kept");
  });

  test("KEEPING-1, MAINTENANCE-6, MEASURING-1: a sweep measures what is there, row by row, and gives the same account after a restart", async () => {
    const rig = await Rig.start({ configuration });
    for (let n = 0; n < 5; n += 1) await rig.tell("s1", said.prompt(`p${n}`), said.pre(call(`c${n}`)));
    await rig.engine.retention.sweep(Infinity);
    await rig.quiet();
    const first = asRead(rig, "w");
    expect(keptOf(rig, "w")?.bytes).toBe(first);
    await rig.tell("s1", said.prompt("p9"));
    await rig.engine.stop();
    const next = await rig.restart();
    expect(keptOf(next, "w")?.bytes).toBeGreaterThan(first);
    await next.engine.retention.sweep(Infinity);
    await next.quiet();
    expect(keptOf(next, "w")?.bytes).toBe(asRead(next, "w"));
  });

  test("KEEPING-1: once old data is gone, it is let in again", async () => {
    const rig = await Rig.start({ configuration });
    await fill(rig, "chat");
    await rig.pass(12 * DAY_MS, HOUR_MS);
    expect(rig.rows("actor/chat/").size).toBe(0);
    expect(keptOf(rig, "chat")?.bytes ?? 0).toBeLessThan(100_000);
    publish(rig, [publication("chat", "again", "session.started", {})]);
    await rig.quiet();
    expect(rig.row("actor/chat/again")).toBeDefined();
  }, 60_000);

  test("TURNING-AWAY-3: a denial passes although nothing more may be kept", async () => {
    const rig = await Rig.start({ configuration });
    const ask = { tool: "Bash", input: { command: "ls" }, approvalId: "a1", toolUseId: "t1" };
    publish(rig, [publication("chat", "s", "approval.requested", ask)]);
    await fill(rig, "chat");
    const deny = { decision: "deny", by: "bob", approvalId: "a1", toolUseId: "t1" };
    publish(rig, [publication("chat", "s", "approval.answered", deny)]);
    await rig.quiet();
    expect(rig.row("actor/chat/s/approval/a1")).toMatchObject({ value: "denied" });
  });

  test("KEEPING-2: blobs count by the month they came in, as long as they are kept", async () => {
    const rig = await Rig.start({ configuration });
    const lifted = [{ at: ["input"], hash: "0".repeat(64), bytes: 150_000 }];
    const more: Partial<SourceMessage> = { lifted };
    await (
      await rig.submit("s1", [said.prompt("p1")], more)
    ).settled;
    await (
      await rig.submit("s1", [said.prompt("p2")], more)
    ).settled;
    expect(Object.values(keptOf(rig, "w")?.blobs ?? {})).toEqual([300_000]);
    publish(rig, [publication("w", "s2", "session.started", {})]);
    await rig.quiet();
    expect(rig.row("actor/w/s2")).toBeUndefined();
    await rig.pass(440 * DAY_MS, 20 * DAY_MS);
    expect(keptOf(rig, "w")?.blobs).toBeUndefined();
  });

  test("TURNING-AWAY-2: what is taken out of a message counts among what its workspace may send, like the message", async () => {
    const rig = await Rig.start({
      configuration: completed({ quota: { messages: "off", bytes: 1, kept: "off" } }),
    });
    const bytesLeft = (): number => (rig.row("quota/w") as Account).bytes ?? Infinity;
    const say = async (id: string, ...bytes: readonly number[]): Promise<void> => {
      const lifted = bytes.map((each, n) => ({ at: [`input${n}`], hash: "0".repeat(64), bytes: each }));
      await (
        await rig.submit("s1", [said.prompt(id)], { id, ...(bytes.length > 0 && { lifted }) })
      ).settled;
    };
    await say("p1", 0, 0);
    const before = bytesLeft();
    await say("p2", 0, 0);
    const plain = before - bytesLeft();
    await say("p3", 300_000, 70_000);
    // Two numbers of six and five digits, where there was one of one digit each.
    expect(before - 2 * plain - bytesLeft()).toBe(370_000 + 9);
  });

  test("G14: over HTTP it is 429, with when to come back and what to do", async () => {
    const served = await serve({ configuration: completed({ quota: { ...QUOTA, kept: 2_000 } }) });
    const one = (): object => event("session.started", { title: "x".repeat(200) }, { subject: "chat/s1" });
    for (let n = 0; n < 20; n += 1) await served.post("/v1/events", one());
    const refused = await served.post("/v1/events", one());
    expect(refused).toMatchObject({ status: 429, body: { error: { code: "OVER_QUOTA" } } });
    expect(JSON.stringify(refused.body)).toContain("signalbox sweep");
    expect(refused.headers.get("retry-after")).toBe("60");
    expect((await served.post("/v1/events", event("session.started", {}))).status).toBe(200);
    await served.stop();
  });

  test("DOOR-REFUSALS-2: letters about messages without a workspace are bounded by their bytes; those without a letter are counted", async () => {
    const served = await serve({ configuration: completed({ quota: { ...QUOTA, kept: 100_000 } }) });
    const letters = (): number => served.engine.meta().deads;
    const refuse = async (count: number): Promise<void> => {
      for (let n = 0; n < count; n += 1)
        expect((await served.post("/v1/events", `junk ${"x".repeat(15_000)}`)).status).toBe(400);
    };
    await refuse(10);
    expect(letters()).toBe(10);
    await served.engine.retention.sweep(Infinity);
    await refuse(10);
    expect(letters()).toBe(10);
    expect(served.door.refusals.total).toBe(20);
    served.clock.advance(31 * DAY_MS);
    await served.engine.retention.sweep(Infinity);
    await refuse(1);
    expect(letters()).toBe(11);
    const [last] = [...served.disk.rows.range({ gte: "dead/", lt: "dead0", reverse: true, limit: 1 })];
    expect(JSON.parse(last?.[1] ?? "{}")).toMatchObject({ unrecorded: 10 });
    await served.stop();
  });
});
