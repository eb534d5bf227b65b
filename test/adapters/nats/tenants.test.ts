// NATS: tenants
// Two workspaces use the same ids for everything, on a real server: what each publishes, hears, queries and decides.

import { createHash } from "node:crypto";
import fc from "fast-check";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { connect } from "../../../adapters/nats/client/client.ts";
import { CountedIds } from "../../support/engine/counted-ids.ts";
import { serveNats } from "../../../adapters/nats/services/index.ts";
import { systemClock } from "../../../adapters/system/index.ts";
import { clients } from "../../../adapters/composition/clients.ts";
import { Door } from "../../../runtime/door/door.ts";
import { Queries } from "../../../runtime/reading/queries.ts";
import { at, listAt } from "../../support/engine/json.ts";
import { toldBy } from "../../support/nats/serving.ts";
import { engineOnNats, operator, until } from "../../support/nats/on-nats.ts";
import { type NatsServer, natsServer } from "../../support/nats/server.ts";
import { interleaved, plain } from "../../support/sessions/tenants.ts";

const INPUT = { command: "make deploy" };
const inputHash = createHash("sha256").update(JSON.stringify(INPUT)).digest("hex");
const [ACME, BOLT] = ["acme", "bolt"] as const;
const about = { requestId: "r1", tool: "Bash", toolUseId: "t1", input: INPUT };

/** What a gateway publishes, under the same ids in every workspace. */
const STORY: readonly (readonly [type: string, data: object])[] = [
  ["request.created", { requestId: "r1", chatId: 7 }],
  ["request.processing", { requestId: "r1" }],
  ["tool.announced", about],
  ["approval.requested", { ...about, approvalId: "a1", channel: "bot" }],
  ["approval.requested", { ...about, approvalId: "a1-web", channel: "web" }],
  ["approval.requested", { tool: "Bash", toolUseId: "t2", input: INPUT, channel: "bot" }],
];

let server: NatsServer;
let both: Running;
beforeAll(async () => {
  server = await natsServer();
});
afterAll(() => server.dispose());
beforeEach(async () => {
  both = await running();
});
afterEach(() => both.stop());

async function running() {
  const on = await engineOnNats({ url: server.url });
  const { engine } = on;
  const door = new Door({ engine, clock: systemClock(), ids: new CountedIds(), clients });
  const queries = new Queries(engine);
  const other = await operator(server.url);
  const { connection } = other;
  const errors: unknown[] = [];
  const onError = (error: unknown): void => void errors.push(error);
  const services = await serveNats({ connection, engine, door, queries, version: "1.0.0", onError });
  let published = 0;
  const settled = () =>
    until("everything is applied and told", () => {
      const { journal, outlet } = engine.lag();
      return engine.meta().position >= published && journal === 0 && outlet === 0;
    });
  return {
    queries,
    other,
    settled,
    async publish(workspace: string, n: number): Promise<void> {
      const [type, data] = STORY[n] ?? ["", {}];
      const body = { specversion: "1.0", id: `same-${n}`, source: "/bot", data };
      published += 1;
      await other.stream.publish(`signalbox.v1.in.${workspace}.chat.${type}`, JSON.stringify(body));
    },
    async ask(subject: string, body: object) {
      return toldBy(await connection.request(subject, JSON.stringify(body), { timeout: 20_000 }));
    },
    async stop(): Promise<void> {
      await services.stop();
      await on.stop();
      for (const name of ["SIGNALBOX_IN", "SIGNALBOX_STATE", "SIGNALBOX_DLQ"])
        await other.manager.streams.delete(name);
      await other.close();
      expect(errors).toEqual([]);
    },
  };
}
type Running = Awaited<ReturnType<typeof running>>;

/** Both workspaces have published everything. */
async function bothSaid(): Promise<void> {
  for (const workspace of [ACME, BOLT])
    for (let n = 0; n < STORY.length; n += 1) await both.publish(workspace, n);
  await both.settled();
}

/** The state stream of a workspace, as it would be without the other and at another time. */
async function heard({ other }: Running, workspace: string): Promise<readonly string[]> {
  const all = await other.all("SIGNALBOX_STATE");
  const own = all.filter(({ subject }) => subject.startsWith(`signalbox.v1.state.${workspace}.`));
  expect(own.length).toBeGreaterThan(8);
  const timed = /"(\w*At|\w*Since|at|time|epoch|runningForMs)":("[^"]*"|\d+)/g;
  return own.map(({ subject, headers, data }) => {
    const body = new TextDecoder().decode(data).replaceAll(timed, '"$1":0');
    return plain([subject, headers?.get("Nats-Msg-Id"), body], workspace);
  });
}

describe("two workspaces with the same ids, over NATS", () => {
  test("G12, I-38: in any order, each hears what it would hear alone, and nothing becomes a dead letter", async () => {
    for (let n = 0; n < STORY.length; n += 1) await both.publish(ACME, n);
    await both.settled();
    const alone = await heard(both, ACME);
    const numbers = STORY.map((_, n) => n);
    const orders = fc.array(fc.boolean(), { minLength: 1, maxLength: 6 });
    for (const order of fc.sample(orders, { numRuns: 4, seed: 2 })) {
      await both.stop();
      both = await running();
      for (const [isFirst, n] of interleaved(numbers, numbers, order))
        await both.publish(isFirst ? ACME : BOLT, n);
      await both.settled();
      for (const workspace of [ACME, BOLT]) {
        expect(await heard(both, workspace)).toEqual(alone);
        expect(both.queries.rejections("chat", { workspace })).toMatchObject({ rejected: 0 });
      }
      expect(both.queries.deadLetters().items).toEqual([]);
    }
  });

  test("G12: a decision reaches its own workspace's approval of that id; another workspace's is unknown to it", async () => {
    await bothSaid();
    const state = (workspace: string) => both.queries.getApproval("a1", { workspace })?.state;
    const nobody = await both.ask("signalbox.v1.decide.third.eve", { approvalId: "a1", decision: "deny" });
    expect([nobody.code, at(nobody.body, "error", "code"), at(nobody.body, "candidates")]).toEqual([
      "404",
      "UNKNOWN_APPROVAL",
      undefined,
    ]);
    expect([state(ACME), state(BOLT)]).toEqual(["pending", "pending"]);
    const yes = { approvalId: "a1-web", decision: "approve", inputHash };
    expect((await both.ask("signalbox.v1.decide.bolt.alice", yes)).body).toMatchObject({
      result: "accepted",
    });
    expect([state(ACME), state(BOLT)]).toEqual(["pending", "approved"]);
    expect(
      (await both.ask("signalbox.v1.decide.acme.alice", { approvalId: "a1", decision: "deny" })).body,
    ).toMatchObject({
      result: "accepted",
      state: "denied",
    });
    expect([state(ACME), state(BOLT)]).toEqual(["denied", "approved"]);
  });

  test("G12, LOOKUP-1: a query names its workspace, or gets the list of candidates; the client names its own", async () => {
    await bothSaid();
    for (const [op, id] of [
      ["request.get", "r1"],
      ["approval.get", "a1"],
      ["toolcall.get", "t1"],
      ["session.get", "chat"],
    ]) {
      const unclear = await both.ask(`signalbox.v1.query.${op}`, { id });
      expect([
        op,
        unclear.code,
        listAt(unclear.body, "candidates").map((each) => at(each, "workspace")),
      ]).toEqual([op, "409", [ACME, BOLT]]);
      for (const workspace of [ACME, BOLT])
        expect((await both.ask(`signalbox.v1.query.${op}`, { id, workspace })).body).toMatchObject({
          workspace,
        });
    }
    const client = await connect({ url: server.url, workspace: BOLT, source: "/bot" });
    expect(await client.query.approvals.get("a1")).toMatchObject({ workspace: BOLT });
    expect(await client.query.requests.get("r1")).toMatchObject({ workspace: BOLT });
    expect(await client.query.approvals.get("a1", { workspace: ACME })).toMatchObject({ workspace: ACME });
    await expect(client.query.approvals.get("a1", { workspace: "*" })).rejects.toMatchObject({
      code: "AMBIGUOUS",
    });
    await client.close();
  });
});
