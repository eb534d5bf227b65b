// HTTP: idempotency
// The same write twice, even across a restart on the same disk, is one input with one answer.

import { describe, expect, it } from "vitest";
import { MemoryDisk } from "../../../adapters/memory/index.ts";
import { at, listAt } from "../../support/engine/json.ts";
import { event, serve, type Served } from "../../support/http/served.ts";

const KEY = { "Idempotency-Key": "k-1" };

const entries = (served: Served): number => served.journal.tail();
const create = (requestId: string): object => event("request.created", { requestId });

async function ask(served: Served): Promise<{ id: string; inputHash: string }> {
  await served.post(
    "/v1/events",
    event("approval.requested", { tool: "Bash", input: { command: "rm -r /" } }),
  );
  const [question] = listAt((await served.get("/v1/approvals?state=pending")).body, "items");
  return { id: String(at(question, "id")), inputHash: String(at(question, "inputHash")) };
}

describe("DOOR-2: Idempotency-Key", () => {
  it("DOOR-2: a known key gets the same answer and appends nothing, even after a restart", async () => {
    const disk = new MemoryDisk("journal-1");
    const first = await serve({ disk });
    const body = create("r1");
    const applied = await first.post("/v1/events", body, KEY);
    expect(applied.body).toEqual({ position: 1, outcome: "applied" });
    expect((await first.post("/v1/events", body, KEY)).body).toEqual(applied.body);
    expect(entries(first)).toBe(1);
    await first.stop();

    const second = await serve({ disk, clock: first.clock });
    expect((await second.post("/v1/events", body, KEY)).body).toEqual(applied.body);
    expect(entries(second)).toBe(1);
    await second.stop();
  });

  it("DOOR-2: without a key a repeated event is appended, and recognised as a duplicate", async () => {
    const served = await serve();
    const body = create("r1");
    await served.post("/v1/events", body);
    expect((await served.post("/v1/events", body)).body).toEqual({ position: 2, outcome: "duplicate" });
    await served.stop();
  });

  it("DOOR-2: a refusal or a dead letter under a key is repeated", async () => {
    const served = await serve();
    const rejected = event("request.processing", { requestId: "nobody" });
    const dead = event("claude-code.hook", { hook_event_name: "PreToolUse", session_id: "s1" });
    for (const [body, status] of [
      [rejected, 409],
      [dead, 400],
    ] as const) {
      const headers = { "Idempotency-Key": `k-${status}` };
      const first = await served.post("/v1/events", body, headers);
      const again = await served.post("/v1/events", body, headers);
      expect([first.status, again.status]).toEqual([status, status]);
      expect(again.body).toEqual(first.body);
    }
    expect(entries(served)).toBe(2);
    await served.stop();
  });

  it("DOOR-2: the same key with another body is refused, before and after a restart, and appends nothing", async () => {
    const disk = new MemoryDisk("journal-1");
    const first = await serve({ disk });
    await first.post("/v1/events", create("r1"), KEY);
    const reused = await first.post("/v1/events", create("r2"), KEY);
    expect([reused.status, at(reused.body, "error", "code")]).toEqual([422, "KEY_REUSED"]);
    await first.stop();
    const second = await serve({ disk, clock: first.clock });
    expect((await second.post("/v1/events", [create("r3"), create("r4")], KEY)).status).toBe(422);
    expect(entries(second)).toBe(1);
    await second.stop();
  });

  it("DOOR-2: simultaneous writes under the same key are one input", async () => {
    const served = await serve();
    const body = create("r1");
    const answers = await Promise.all(Array.from({ length: 20 }, () => served.post("/v1/events", body, KEY)));
    for (const { body: answer } of answers) expect(answer).toEqual({ position: 1, outcome: "applied" });
    expect(entries(served)).toBe(1);
    await served.stop();
  });

  it("DOOR-2: of two simultaneous bodies under one key, one counts and the other is refused", async () => {
    const served = await serve();
    const answers = await Promise.all([
      served.post("/v1/events", create("r1"), KEY),
      served.post("/v1/events", create("r2"), KEY),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422]);
    await served.stop();
  });

  it("DOOR-2: the same holds for two handed in in the same step", async () => {
    const served = await serve();
    const take = (body: object) =>
      served.door.events(Buffer.from(JSON.stringify(body)), { door: "library", by: "test", key: "k-1" });
    const taken = await Promise.allSettled([take(create("r1")), take(create("r2"))]);
    expect(taken.map(({ status }) => status)).toEqual(["fulfilled", "rejected"]);
    expect(taken[1]).toMatchObject({ reason: { code: "KEY_REUSED" } });
    await served.stop();
  });

  it("DOOR-2: a key belongs to its route and its token's holder", async () => {
    const served = await serve();
    const body = create("r1");
    await served.post("/v1/events", body, KEY);
    const other = await served.post("/v1/events", body, { ...KEY, Authorization: "Bearer another-token" });
    expect(other.body).toEqual({ position: 2, outcome: "duplicate" });
    await served.stop();
  });

  it("DOOR-2: a list is one write: repeated, each event gets its first answer", async () => {
    const served = await serve();
    const list = [create("r1"), event("x.y", {}), create("r1"), create("r2")];
    const first = await served.post("/v1/events", list, KEY);
    expect(listAt(first.body, "results").map((each) => at(each, "outcome"))).toEqual([
      "applied",
      "refused",
      "rejected",
      "applied",
    ]);
    const taken = () => served.engine.meta().position - served.engine.meta().deads;
    const before = taken();
    const again = await served.post("/v1/events", list, KEY);
    expect(again.body).toEqual(first.body);
    expect(taken()).toBe(before);
    await served.stop();
  });

  it("S0.13: an event that waits for an earlier one of its source gets 202 and the name of that one, alone and in a list", async () => {
    const served = await serve();
    const numbered = (requestId: string, sequence: number): object =>
      event("request.created", { requestId }, { sequence });
    const told = { position: 1, outcome: "held", waitsFor: 1, reason: "it waits for number 1 of its source" };
    const second = numbered("r2", 2);
    const held = await served.post("/v1/events", second, KEY);
    expect([held.status, held.body]).toEqual([202, told]);
    expect((await served.get("/v1/requests/r2")).status).toBe(404);
    const list = await served.post("/v1/events", [numbered("r4", 4), numbered("r1", 1)]);
    expect(list.body).toEqual({
      results: [
        { ...told, position: 2 },
        { position: 3, outcome: "applied" },
      ],
    });
    expect((await served.get("/v1/requests/r2")).status).toBe(200);
    expect((await served.post("/v1/events", second, KEY)).body).toEqual(told);
    await served.stop();
  });

  it("DOOR-2: a decision under a key counts once, and its answer survives a restart", async () => {
    const disk = new MemoryDisk("journal-1");
    const first = await serve({ disk });
    const { id, inputHash } = await ask(first);
    const path = `/v1/approvals/${id}/decision`;
    const body = { decision: "approve", inputHash };
    const accepted = await first.post(path, body, KEY);
    expect(accepted.body).toMatchObject({ result: "accepted", state: "approved" });
    const length = entries(first);
    await first.stop();
    const second = await serve({ disk, clock: first.clock });
    const again = await second.post(path, body, KEY);
    expect([again.status, again.body]).toEqual([200, accepted.body]);
    expect(entries(second)).toBe(length);
    expect((await second.post(path, { decision: "deny" }, KEY)).status).toBe(422);
    await second.stop();
  });
});
