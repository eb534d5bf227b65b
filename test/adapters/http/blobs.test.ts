// HTTP: blobs
// A call whose input has megabytes: an approval asks about it, it is shown whole, decided by its hash, and slows
// nothing.

import { createHash } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { MemoryBlobs } from "../../../adapters/memory/index.ts";
import { readEvent } from "../../support/engine/read-event.ts";
import { completed } from "../../../runtime/config.ts";
import { capacityOf } from "../../../runtime/quota.ts";
import { RetryableError } from "../../../runtime/errors/errors.ts";
import { at, listAt, textAt } from "../../support/engine/json.ts";
import { event, serve, type Served } from "../../support/http/served.ts";

const MIB = 1024 * 1024;
const INPUT = { content: "é".repeat(3 * MIB), file_path: "/a", ["__proto__x"]: [1] };
const TEXT = `{"__proto__x":[1],"content":${JSON.stringify(INPUT.content)},"file_path":"/a"}`;
const HASH = createHash("sha256").update(TEXT).digest("hex");
const BYTES = Buffer.byteLength(TEXT);

let served: Served;
beforeEach(async () => {
  served = await serve();
});
afterEach(() => served.stop());

const hook = { session_id: "s1", cwd: "/shop", tool_name: "Write", tool_input: INPUT };
const post = (name: string, more: object = {}) =>
  served.post("/v1/hooks/claude-code", { ...hook, hook_event_name: name, ...more });
const settled = async (): Promise<void> => {
  while (served.engine.meta().position < served.journal.tail())
    await new Promise((resolve) => setTimeout(resolve, 1));
};
const body = async (path: string): Promise<unknown> => (await served.get(path)).body;

/** A call is announced, then an approval for it: two hooks, the second without an id. @returns the approval's id. */
async function ask(): Promise<string> {
  await post("PreToolUse", { tool_use_id: "w1" });
  await post("PermissionRequest");
  await settled();
  const [question] = listAt(await body("/v1/approvals?state=pending"), "items");
  return textAt(question, "id") ?? "";
}

describe("LIFT-3: an input that is kept as a blob", () => {
  it("LIFT-3, S3.11: matches its approval by its hash, is shown whole, and is approved by the hash shown", async () => {
    const id = await ask();
    const question = await body(`/v1/approvals/${id}`);
    expect(question).toMatchObject({ callId: "w1", ambiguous: false, inputHash: HASH });
    expect(at(question, "input")).toEqual(INPUT);
    const wrong = { decision: "approve", inputHash: HASH.replace(/^./, "x") };
    expect((await served.post(`/v1/approvals/${id}/decision`, wrong)).status).toBe(409);
    const right = { decision: "approve", inputHash: HASH };
    expect((await served.post(`/v1/approvals/${id}/decision`, right)).status).toBe(200);
    await post("PostToolUse", { tool_use_id: "w1", tool_response: "ok" });
    await settled();
    const call = await body("/v1/tool-calls/w1");
    expect(call).toMatchObject({ execution: "completed", approval: { state: "approved" }, inputHash: HASH });
    expect(at(call, "input")).toEqual(INPUT);
    expect(at(call, "ranInput")).toBeUndefined();
  });

  it("LIFT-3: the same input sent inline and as a blob counts as the same input", async () => {
    await post("PreToolUse", { tool_use_id: "w1", tool_input: { content: "x".repeat(300 * 1024) } });
    const event = {
      tool_calls: [1, 2].map(() => ({ tool_name: "Write", tool_input: { content: "x".repeat(300 * 1024) } })),
    };
    await post("PostToolBatch", { ...event, tool_input: undefined });
    await settled();
    const calls = listAt(await body("/v1/sessions/s1/tool-calls"), "items");
    expect(new Set(calls.map((call) => textAt(call, "inputHash"))).size).toBe(1);
    expect(served.disk.blobs.size).toBe(1);
  });

  it("LIFT-3, G44: lists, changes and the audit trail carry only its hash and length", async () => {
    const id = await ask();
    const short = { inputHash: HASH, inputBytes: BYTES };
    const [call] = listAt(await body("/v1/sessions/s1/tool-calls"), "items");
    expect(call).toMatchObject(short);
    expect(at(call, "input")).toBeUndefined();
    const changes = listAt(await body("/v1/sessions/s1/history"), "items");
    expect(changes.find((change) => at(change, "entity") === "approval")).toMatchObject({ view: short });
    await served.post(`/v1/approvals/${id}/decision`, { decision: "deny" });
    const [audit] = [...served.engine.store.range({ gte: "audit/", lt: "audit0" })];
    expect(JSON.parse(audit?.[1] ?? "")).toMatchObject({ ...short, decision: "deny" });
  });

  it("LIFT-3, I-44: while its approval is pending, journal, rows and working set do not hold it", async () => {
    await ask();
    const entries = served.disk.entries.map((entry) => entry.body.length);
    const rows = [...served.engine.store.range({ gte: " ", lt: "~" })].map(([, text]) => text.length);
    expect(Math.max(...entries, ...rows)).toBeLessThan(4096);
    expect([...served.disk.blobs.keys()]).toEqual([HASH]);
  });

  it("WHOLE-INPUTS-1: if the blob is lost or damaged the view says so, and everything else goes on", async () => {
    const id = await ask();
    served.disk.blobs.set(HASH, { text: "{}", at: 0 });
    const damaged = await served.get("/v1/tool-calls/w1");
    expect(damaged.status).toBe(200);
    expect(damaged.body).toMatchObject({ inputMissing: "damaged", inputHash: HASH, inputBytes: BYTES });
    expect(at(damaged.body, "input")).toBeUndefined();
    served.disk.blobs.clear();
    expect(await body(`/v1/approvals/${id}`)).toMatchObject({ inputMissing: "lost", state: "pending" });
    expect((await served.post(`/v1/approvals/${id}/decision`, { decision: "deny" })).status).toBe(200);
    await post("PostToolUse", { tool_use_id: "w1", tool_response: "ok" });
    expect(at(await body("/v1/tool-calls/w1"), "input")).toEqual(INPUT);
  });

  it("G1: a message from before blobs were kept is read unchanged", async () => {
    const data = { hook: { ...hook, hook_event_name: "PreToolUse", tool_use_id: "w1" } };
    await served.engine.submit(readEvent(event("claude-code.hook", data)));
    await settled();
    expect(at(await body("/v1/tool-calls/w1"), "input")).toEqual(INPUT);
    expect(served.disk.blobs.size).toBe(0);
  });
});

describe("G14: a blob and its workspace's quota", () => {
  it("TURNING-AWAY-2, G14: an input counts against the quota by its length, also once it is a blob", async () => {
    await served.stop();
    served = await serve({
      configuration: completed({ quota: { messages: "off", bytes: 1, kept: "off" } }),
    });
    // Each is more than half of a full bucket.
    expect(BYTES).toBeGreaterThan(capacityOf({ messages: "off", bytes: 1, kept: "off" }).bytes / 2);
    expect((await post("PreToolUse", { tool_use_id: "w1" })).status).toBe(200);
    await settled();
    expect(served.disk.blobs.size).toBe(1);
    await post("PreToolUse", { tool_use_id: "w2" });
    await settled();
    expect(served.engine.allowance.turnedAway.size).toBe(1);
  });
});

describe("DOOR-4: blobs before the journal", () => {
  it("DOOR-4: a message that names a blob is journalled only once the blob is durable", async () => {
    const { disk, clock, ids } = served;
    await served.stop();
    const steps: string[] = [];
    class Slow extends MemoryBlobs {
      broken = false;
      override async put(hash: string, text: string): Promise<void> {
        const tail = served.journal.tail();
        await new Promise((resolve) => setTimeout(resolve, 20));
        if (this.broken) throw new RetryableError("BLOB_NOT_KEPT", "The disk is full.", "Make room.", 1000);
        await super.put(hash, text);
        steps.push(served.journal.tail() === tail ? "kept first" : "journalled first");
      }
    }
    const blobs = new Slow(disk, clock);
    served = await serve({ disk, clock, ids, blobs });
    await post("PreToolUse", { tool_use_id: "w1" });
    const content = [{ type: "tool_use", id: "w2", name: "Write", input: { ...INPUT, n: 2 } }];
    const line = { type: "assistant", session_id: "s1", message: { id: "m", content } };
    const list = [event("session.ended", {}), event("claude-code.stream", line)];
    expect((await served.post("/v1/events", list)).status).toBe(200);
    expect(steps).toEqual(["kept first", "kept first"]);
    const tail = served.journal.tail();
    blobs.broken = true;
    const refused = await served.post("/v1/events", list);
    expect([refused.status, at(refused.body, "error", "code")]).toEqual([503, "BLOB_NOT_KEPT"]);
    const dropped = await post("PreToolUse", { tool_use_id: "w3" });
    expect([dropped.status, dropped.body]).toEqual([200, {}]);
    expect(dropped.headers.get("Signalbox-Dropped")).toBe("BLOB_NOT_KEPT");
    expect(served.journal.tail()).toBe(tail);
  });
});
