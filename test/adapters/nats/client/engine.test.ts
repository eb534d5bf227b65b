// Client, engine
// The client against the real program: services publish, follow, query and decide while processes are killed.

import { execFileSync } from "node:child_process";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Client, connect } from "../../../../adapters/nats/client/client.ts";
import { build, Desk, type Started } from "../../../support/processes/program.ts";
import { codeOf } from "../../../support/engine/refusal.ts";
import { natsServer, type NatsServer } from "../../../support/nats/server.ts";

let server: NatsServer;
let desk: Desk;
let engine: Started;
let client: Client;

beforeAll(async () => {
  await build();
  server = await natsServer();
  desk = new Desk();
  ({ engine } = await desk.up("--nats", server.url));
  client = await connect({ url: server.url, workspace: "shop", source: "/gateway" });
}, 240_000);
afterAll(async () => {
  await client.close();
  await desk.clear();
  await server.dispose();
});

/** The engine's own process, under its supervisor. */
const engineProcess = (): number =>
  Number(execFileSync("pgrep", ["-P", String(engine.child.pid), "-n", "node"], { encoding: "utf8" }));

/** Follows until `count` requests are closed. @returns what was told of each session, in order. */
async function follow(by: Client, from: string, count: number) {
  const versions = new Map<string, number[]>();
  const closed: string[] = [];
  const gaps: string[] = [];
  for await (const item of by.changes({ from })) {
    if (item.kind === "gap") {
      gaps.push(item.reason);
      continue;
    }
    const { sessionId, version, entity, id, to } = item.change;
    versions.set(sessionId, [...(versions.get(sessionId) ?? []), version]);
    if (entity === "request" && to === "completed") closed.push(id);
    if (closed.length === count) break;
  }
  return { versions, closed, gaps };
}

async function live(id: string, session: string): Promise<void> {
  const { publish } = client.request(id, { session });
  await Promise.all([
    publish("request.created", { prompt: "Do it." }),
    publish("request.processing", {}),
    publish("request.completed", { output: "Done." }),
  ]);
}

const dense = (versions: readonly number[]): boolean => versions.every((version, n) => version === n + 1);

describe("client, engine", () => {
  it("G1: 1,000 requests at once over 50 sessions: all complete, every change is told once, and each session's versions are dense", async () => {
    const ids = Array.from({ length: 1_000 }, (_, n) => `q${n}`);
    const from = await client.now();
    const following = follow(client, from, ids.length);
    await Promise.all(ids.map((id, n) => live(id, `s${n % 50}`)));
    const { versions, closed, gaps } = await following;
    expect([closed.sort(), gaps, versions.size]).toEqual([ids.sort(), [], 50]);
    expect([...versions.values()].filter((each) => !dense(each))).toEqual([]);
    const listed: string[] = [];
    for await (const { requestId } of client.query.requests.list({ state: "completed" }))
      listed.push(requestId);
    expect(listed.sort()).toEqual(ids);
  });

  it("G3: engine and server are killed while services publish: no acknowledged message is lost, none is told twice", async () => {
    const from = await client.now();
    const ids = Array.from({ length: 300 }, (_, n) => `k${n}`);
    const following = follow(client, from, ids.length);
    const speaking = Promise.all(ids.map((id, n) => live(id, `k${n % 10}`)));
    process.kill(engineProcess(), "SIGKILL");
    await server.kill();
    await server.start();
    await speaking;
    const { versions, closed, gaps } = await following;
    expect([closed.sort(), gaps]).toEqual([ids.sort(), []]);
    expect([...versions.values()].filter((each) => !dense(each))).toEqual([]);
  });

  it("I-08, CLIENT-ASKED-1: an approver answers once, for the input it saw; only who asked about that is told", async () => {
    const input = { to: "bob@example.com" };
    const from = await client.now();
    const request = client.request("mail");
    await request.publish("request.created", { prompt: "Mail Bob." });
    await request.publish("request.processing", {});
    await request.publish("tool.announced", { tool: "mail", toolUseId: "m1", input });
    await request.publish("approval.requested", { tool: "mail", toolUseId: "m1", input, approvalId: "ask1" });
    for await (const item of client.changes({ from, entity: "approval", id: "ask1" })) {
      expect(item).toMatchObject({ change: { to: "pending", view: { tool: "mail", input } } });
      break;
    }
    const { inputHash = "" } = (await client.query.approvals.get("ask1")) as { readonly inputHash?: string };
    const said = { approvalId: "ask1", decision: "approve", inputHash } as const;
    const wrong = { ...said, inputHash: "0".repeat(64) };
    expect(await client.decide("rule", wrong)).toMatchObject({ result: "refused", state: "pending" });
    const accepted = await client.decide("rule", said, { key: "once" });
    expect(accepted).toMatchObject({ result: "accepted", state: "approved" });
    expect(await client.decide("rule", said, { key: "once" })).toEqual(accepted);
    expect(await client.decide("late", said)).toMatchObject({ result: "ignored", state: "approved" });
    expect(await client.query.approvals.get("ask1")).toMatchObject({ state: "approved", by: "nats:rule" });
    const asked = { session: request.session, requestId: request.id, tool: "mail", toolUseId: "m1", input };
    const { answer } = client.query.approvals;
    expect(await answer("ask1", asked)).toMatchObject({ decision: "allow", inputHash });
    const others = [
      { session: "s0" },
      { requestId: "q0" },
      { agentId: "a1" },
      { toolUseId: "m2" },
      { tool: "post" },
      { input: { to: "eve@example.com" } },
    ];
    for (const other of others)
      expect(await codeOf(answer("ask1", { ...asked, ...other }))).toBe("ID_REUSED");
  });

  it("Client: a refusal is an error with its code and path; an unknown id gives undefined", async () => {
    const { query } = client;
    const nobody = { approvalId: "nobody", decision: "deny" } as const;
    expect(await codeOf(client.decide("rule", nobody))).toBe("UNKNOWN_APPROVAL");
    expect(await codeOf(query.requests.list({ state: "odd" }).page())).toBe("BAD_PARAMETER");
    expect(await codeOf(query.requests.list().page({ cursor: "odd" }))).toBe("BAD_CURSOR");
    expect(await Promise.all([query.requests.get("nobody"), query.sessions.get("nobody")])).toEqual([
      undefined,
      undefined,
    ]);
    const elsewhere = await connect({ url: server.url, workspace: "bank", source: "/stranger" });
    const theirs = { approvalId: "ask1", decision: "deny" } as const;
    expect(await codeOf(elsewhere.decide("rule", theirs))).toBe("UNKNOWN_APPROVAL");
    await elsewhere.close();
  });

  it("Client: a service can read pages, history, calls and figures of the engine", async () => {
    const { query } = client;
    const page = await query.requests.list({ session: "s0" }).page({ limit: 7 });
    expect([page.items.length, typeof page.nextCursor]).toEqual([7, "string"]);
    const versions: number[] = [];
    for await (const { version } of query.history("s0")) versions.push(version);
    expect(dense(versions.toReversed())).toBe(true);
    const calls = [];
    for await (const call of query.toolCalls.list("r_mail")) calls.push(call.id);
    expect(calls).toEqual(["m1"]);
    expect(await query.toolCalls.get("m1")).toMatchObject({ tool: "mail", requestId: "mail" });
    expect(await query.sessions.get("s0")).toMatchObject({ id: "s0", counts: { requests: 20 } });
    expect((await query.stats()).counts.requests).toMatchObject({ completed: 1_300 });
  });

  it("Client: a message that is acknowledged but wrong becomes a dead letter with its path", async () => {
    // A service in plain JavaScript may send anything.
    const odd = { requestId: 7 } as unknown as { requestId: string };
    const { position } = await client.session("s1").publish("request.created", odd, { id: "odd" });
    for (;;) {
      const { items } = await client.query.deadLetters().page();
      const letter = items.find((each) => each.position === position);
      if (!letter) continue;
      expect(letter).toMatchObject({ code: "WRONG_SHAPE", path: "data.requestId" });
      return;
    }
  });
});
