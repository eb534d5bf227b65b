// HTTP: decisions
// A person answers an approval: what counts, what does not, and under whose name.

import { createHash } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { at, listAt } from "../../../support/engine/json.ts";
import { event, serve, type Served } from "../../../support/http/served.ts";
import { nearHashes } from "../../../support/engine/near-hashes.ts";

let served: Served;
beforeEach(async () => {
  served = await serve();
});
afterEach(() => served.stop());

const INPUT = { command: "make deploy" };
const HASH = createHash("sha256").update(JSON.stringify(INPUT)).digest("hex");

/** Three calls of one batch, and an approval about the first. @returns its id. */
async function ask(): Promise<string> {
  await served.post("/v1/events", [
    event("request.created", { requestId: "r1" }),
    event("request.processing", { requestId: "r1" }),
    ...[INPUT, { command: "ls" }, { command: "pwd" }].map((input, n) =>
      event("tool.started", { tool: "Bash", toolUseId: `t${n}`, requestId: "r1", input }),
    ),
    event("approval.requested", { tool: "Bash", toolUseId: "t0", requestId: "r1", input: INPUT }),
  ]);
  const [question] = listAt((await served.get("/v1/approvals?state=pending")).body, "items");
  return String(at(question, "id"));
}

const decide = (id: string, body: unknown, headers?: Record<string, string>) =>
  served.post(`/v1/approvals/${id}/decision`, body, headers);
const call = async (id: string) => (await served.get(`/v1/tool-calls/${id}`)).body;

describe("I-08: decisions over HTTP", () => {
  it("I-08: an approval counts with the hash of the input shown, under the token's name", async () => {
    const id = await ask();
    const answered = await decide(id, { decision: "approve", inputHash: HASH, message: "go" });
    expect(answered.status).toBe(200);
    expect(answered.body).toMatchObject({ result: "accepted", approvalId: id, state: "approved" });
    const shown = (await served.get(`/v1/approvals/${id}`)).body;
    expect(shown).toMatchObject({ state: "approved", by: "local:tester", message: "go", input: INPUT });
    expect(await call("t0")).toMatchObject({ execution: "processing", approval: { state: "approved" } });
  });

  it("I-08: without the hash, or with a wrong one, nothing is approved and the approval stays pending", async () => {
    const id = await ask();
    const without = await decide(id, { decision: "approve" });
    expect([without.status, at(without.body, "error", "path")]).toEqual([400, "inputHash"]);
    for (const inputHash of nearHashes(HASH)) {
      const another = await decide(id, { decision: "approve", inputHash });
      expect(another.status, inputHash).toBe(409);
      expect(another.body).toMatchObject({ result: "refused", state: "pending", reason: "input-changed" });
    }
    expect((await served.get(`/v1/approvals/${id}`)).body).toMatchObject({ state: "pending" });
    expect((await decide(id, { decision: "approve", inputHash: HASH })).status).toBe(200);
  });

  it("S3.22: an approval is shown, and can be answered, under every id it was asked for under", async () => {
    const id = await ask();
    await served.post("/v1/events", [
      event("approval.requested", {
        tool: "Bash",
        toolUseId: "t0",
        input: INPUT,
        channel: "sdk",
        approvalId: "g1",
      }),
    ]);
    expect(listAt((await served.get("/v1/approvals?state=pending")).body, "items")).toHaveLength(1);
    expect((await served.get("/v1/approvals/g1")).body).toMatchObject({
      id,
      aliases: ["g1"],
      state: "pending",
    });
    const answered = await decide("g1", { decision: "deny" });
    expect(answered.status).toBe(200);
    expect(answered.body).toMatchObject({ result: "accepted", approvalId: "g1", state: "denied" });
    expect((await decide(id, { decision: "deny" })).body).toMatchObject({
      result: "ignored",
      approvalId: id,
    });
    expect(await call("t0")).toMatchObject({ execution: "denied", approval: { id } });
  });

  it("I-07: the id of another session's approval is not mistaken for this one's", async () => {
    const id = await ask();
    const elsewhere = { subject: "shop/s2" };
    const said = { tool: "Bash", toolUseId: "u0", input: INPUT };
    await served.post("/v1/events", [
      event("tool.started", said, elsewhere),
      event("approval.requested", { ...said, approvalId: "first" }, elsewhere),
    ]);
    const taken = event("approval.requested", { ...said, channel: "sdk", approvalId: id }, elsewhere);
    const refused = (await served.post("/v1/events", taken)).body;
    expect(at(refused, "error")).toMatchObject({
      code: "ID_REUSED",
      message: `the id ${id} was used for another call; what differs: session`,
    });
    expect((await served.get(`/v1/approvals/${id}`)).body).toMatchObject({ sessionId: "s1" });
  });

  it("G5, WRITING-1: a denial and its effects are visible at once", async () => {
    const id = await ask();
    const denied = await decide(id, { decision: "deny", message: "not today", interrupt: true });
    expect(denied.body).toMatchObject({ result: "accepted", state: "denied" });
    expect(await call("t0")).toMatchObject({
      execution: "denied",
      denial: { cause: "direct", message: "not today" },
    });
    for (const id of ["t1", "t2"])
      expect(await call(id)).toMatchObject({
        execution: "denied",
        denial: { cause: "cascade", callId: "t0" },
      });
  });

  it("I-14: the first decision counts; each later one is told which decision came first", async () => {
    const id = await ask();
    await decide(id, { decision: "deny" });
    const late = await decide(id, { decision: "approve", inputHash: HASH });
    expect(late.status).toBe(409);
    expect(late.body).toMatchObject({ result: "ignored", state: "denied", reason: "already denied" });
    expect((await served.get(`/v1/approvals/${id}`)).body).toMatchObject({ state: "denied" });
  });

  it("I-14: of many simultaneous decisions exactly one counts", async () => {
    const id = await ask();
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, n) =>
        decide(id, n % 2 === 0 ? { decision: "deny" } : { decision: "approve", inputHash: HASH }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(11).fill(409)]);
  });

  it("DOOR-3: the token's holder decides, whatever the body says", async () => {
    const id = await ask();
    const claimed = await decide(id, { decision: "deny", by: "http:boss" });
    expect([claimed.status, at(claimed.body, "error", "path")]).toEqual([400, "by"]);
    await decide(id, { decision: "deny" }, { Authorization: "Bearer another-token" });
    expect((await served.get(`/v1/approvals/${id}`)).body).toMatchObject({ by: "http:other" });
  });

  it("I-08, I-14: a decision about an unknown id is 404, is not journalled and decides nothing later", async () => {
    const answered = await decide("a_nobody", { decision: "deny" });
    expect([answered.status, at(answered.body, "error", "code")]).toEqual([404, "UNKNOWN_APPROVAL"]);
    expect(served.journal.tail()).toBe(0);
    expect((await decide("..%2f..%2fmeta", { decision: "deny" })).status).toBe(404);
    const asked = { approvalId: "a_nobody", tool: "Bash", input: INPUT };
    await served.post("/v1/events", event("approval.requested", asked, { subject: "shop/s1" }));
    expect((await served.get("/v1/approvals/a_nobody")).body).toMatchObject({ state: "pending" });
  });

  it("I-08: an input changed by a person is kept as it was sent", async () => {
    const id = await ask();
    const updatedInput = JSON.parse('{"command":"make test","__proto__":{"x":1}}') as object;
    await decide(id, { decision: "approve", inputHash: HASH, updatedInput });
    const shown = (await served.get(`/v1/approvals/${id}`)).body;
    expect(JSON.stringify(at(shown, "updatedInput", "input"))).toBe(
      '{"__proto__":{"x":1},"command":"make test"}',
    );
  });

  it("I-08: a body that is no decision is a dead letter with its path", async () => {
    const id = await ask();
    const bad: readonly (readonly [body: unknown, path: string])[] = [
      [{}, "decision"],
      [{ decision: "yes" }, "decision"],
      [{ decision: "deny", interrupt: "true" }, "interrupt"],
      [{ decision: "approve", inputHash: HASH, updatedInput: [] }, "updatedInput"],
      [JSON.parse('{"decision":"deny","__proto__":{}}'), "__proto__"],
    ];
    for (const [body, path] of bad) {
      const answered = await decide(id, body);
      expect([answered.status, at(answered.body, "error", "path")]).toEqual([400, path]);
    }
    expect(listAt((await served.get("/v1/dead-letters")).body, "items")).toHaveLength(bad.length);
    expect((await served.get(`/v1/approvals/${id}`)).body).toMatchObject({ state: "pending" });
  });
});
