// HTTP: damage
// A stored input with one flipped bit, as readers, followers and deciders see it.

import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { toolInput } from "../../../runtime/canonical.ts";
import { keys } from "../../../runtime/rows/keys.ts";
import { flips } from "../../support/faults/flips.ts";
import { follow } from "../../support/http/follow.ts";
import { at, listAt } from "../../support/engine/json.ts";
import { event, serve, type Served, TOKEN } from "../../support/http/served.ts";
import { splitLog } from "../../support/engine/rig.ts";

const INPUT = { command: "rm -r b" };
const { hash: HASH } = toolInput(INPUT);
const QUESTION = "actor/shop/s1/approval/a1";

let served: Served;
beforeEach(async () => {
  served = await serve();
  const about = { tool: "Bash", toolUseId: "t1", input: INPUT };
  const events = [event("tool.started", about), event("approval.requested", { ...about, approvalId: "a1" })];
  expect((await served.post("/v1/events", events)).status).toBe(200);
});
afterEach(() => served.stop());

const rowOf = (key: string): string => served.disk.rows.get(key) ?? "";
function damage(key: string): void {
  served.disk.rows.set(key, rowOf(key).replace("rm -r b", "rm -r c"));
}
const decide = (decision: object) => served.post("/v1/approvals/a1/decision", decision);

describe("G22: over HTTP", () => {
  test("G22: whichever bit of the input flips, an approval shows the true input or none, and without it cannot be approved", async () => {
    const whole = rowOf(QUESTION);
    const start = whole.indexOf('"input":');
    const end = whole.indexOf("}", whole.indexOf("hash", start)) + 1;
    let damaged = 0;
    for (const part of flips(whole.slice(start, end))) {
      served.disk.rows.set(QUESTION, whole.slice(0, start) + part + whole.slice(end));
      const { status, body } = await served.get("/v1/approvals/a1");
      if (status !== 200) continue;
      if (at(body, "input") !== undefined)
        expect([at(body, "input"), at(body, "inputHash")]).toEqual([INPUT, HASH]);
      if (at(body, "inputMissing") === undefined) continue;
      damaged += 1;
      const refused = await decide({ decision: "approve", inputHash: at(body, "inputHash") || HASH });
      expect([refused.status, at(refused.body, "error", "code")]).toEqual([409, "INPUT_MISSING"]);
    }
    expect(damaged).toBeGreaterThan(500);
    served.disk.rows.set(QUESTION, whole);
    expect((await decide({ decision: "approve", inputHash: HASH })).status).toBe(200);
  }, 60_000);

  test("G22: approving a damaged input is refused with what to do, and leaves no trace; a denial is taken", async () => {
    damage(QUESTION);
    const tail = served.journal.tail();
    const refused = await decide({ decision: "approve", inputHash: HASH });
    expect(at(refused.body, "error")).toMatchObject({
      message: expect.stringContaining("damaged in the store") as string,
      next: expect.stringContaining("Deny the approval") as string,
    });
    expect(served.journal.tail()).toBe(tail);
    expect(listAt((await served.get("/v1/approvals?state=pending")).body, "items")).toMatchObject([
      { id: "a1", inputMissing: "damaged" },
    ]);
    expect((await decide({ decision: "deny" })).body).toMatchObject({ state: "denied" });
  });

  test("G22, SEEN-INPUT-1: approving a call whose blob is gone or damaged is refused, too", async () => {
    const content = "x".repeat(600 * 1024);
    const big = { session_id: "s2", cwd: "/shop", tool_name: "Write", tool_input: { content } };
    for (const hook_event_name of ["PreToolUse", "PermissionRequest"])
      await served.post("/v1/hooks/claude-code", { ...big, hook_event_name });
    const pending = async () => listAt((await served.get("/v1/approvals?state=pending")).body, "items");
    await expect.poll(async () => (await pending()).length).toBe(2);
    const [question] = (await pending()).filter((each) => at(each, "id") !== "a1");
    const approve = { decision: "approve", inputHash: at(question, "inputHash") };
    const path = `/v1/approvals/${String(at(question, "id"))}/decision`;
    const [[name, blob] = ["", undefined]] = served.disk.blobs;
    if (!blob) throw new Error("No blob was kept.");
    for (const [spoil, word] of [
      [() => served.disk.blobs.set(name, { ...blob, text: blob.text.replace("x", "y") }), "damaged"],
      [() => served.disk.blobs.delete(name), "gone"],
    ] as const) {
      spoil();
      const refused = await served.post(path, approve);
      expect([refused.status, at(refused.body, "error", "message")]).toEqual([
        409,
        expect.stringContaining(word),
      ]);
    }
    served.disk.blobs.set(name, blob);
    expect((await served.post(path, approve)).status).toBe(200);
  });

  test("G22: a follower gets a change without an input that does not fit its hash, and skips a change that is no JSON", async () => {
    const changes = listAt((await served.get("/v1/sessions/s1/history")).body, "items");
    const n = Number(
      at(
        changes.find((change) => at(change, "entity") === "approval"),
        "n",
      ),
    );
    splitLog(served.disk);
    damage(keys.change(n));
    served.disk.rows.set(keys.change(n - 1), "{");
    const place = `${served.engine.incarnation}-${n - 2}`;
    const stream = await follow(`${served.url}/v1/stream?after=${place}`, {
      Authorization: `Bearer ${TOKEN}`,
    });
    const [ready, resync, change] = await stream.take(3);
    await stream.cancel();
    expect([ready?.event, resync?.event, resync?.data]).toEqual([
      "ready",
      "resync",
      '{"reason":"unreadable"}',
    ]);
    expect(JSON.parse(change?.data ?? "")).toMatchObject({
      entity: "approval",
      view: { inputHash: HASH, inputMissing: "damaged" },
    });
    expect(change?.data).not.toContain("rm -r");
  });
});
