// Partitions
// The accounts that `cluster init` writes, for four engines on one real server: each workspace is at one engine, and only there.
//
// Decided in: docs/decisions/0102-a-partition-is-an-account.md.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { connect, type NatsConnection } from "nats";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { accountsText } from "../../../../adapters/cli/cluster/accounts.ts";
import { partitionOf } from "../../../../runtime/cluster/partition.ts";
import { at, textAt } from "../../../support/engine/json.ts";
import { event } from "../../../support/http/served.ts";
import { following } from "../../../support/nats/following.ts";
import { until } from "../../../support/nats/on-nats.ts";
import { type NatsServer, natsServer } from "../../../support/nats/server.ts";
import { samples } from "../../../support/properties/property.ts";

const PARTITIONS = [0, 1, 2, 3] as const;

const homeOf = (workspace: string): number => partitionOf(workspace, PARTITIONS.length);

/** How many partitions the mappings of a further account make. `at.<how many>.<partition>.<name>` shows the result. */
const MANY = [1, 2, 3, 4, 16, 64, 1_000] as const;
const PROBE = `PROBE {
  users = [{ user: probe, password: probe }]
  mappings = {
${MANY.map((of) => `    "name.${of}.*": "at.${of}.{{partition(${of},1)}}.{{wildcard(1)}}"`).join("\n")}
  }
}`;

let dir: string;
let server: NatsServer;
let engines: readonly Awaited<ReturnType<typeof following>>[];
const open: NatsConnection[] = [];

async function as(user: string): Promise<NatsConnection> {
  const connection = await connect({ servers: server.url, user, pass: user });
  open.push(connection);
  return connection;
}

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), "signalbox-partitions-"));
  const accounts = accountsText(PARTITIONS.length);
  const filled = accounts.replace(/user: ([a-z0-9-]+), password: \$[A-Z0-9_]+/g, "user: $1, password: $1");
  writeFileSync(
    join(dir, "nats.conf"),
    `max_payload: 8MB\n${filled.replace("accounts {", `accounts {\n${PROBE}`)}`,
  );
  server = await natsServer(["-c", join(dir, "nats.conf")]);
  engines = await Promise.all(
    PARTITIONS.map((number) =>
      following(server.url.replace("//", `//p${number}:p${number}@`), {
        partition: { number, of: PARTITIONS.length },
      }),
    ),
  );
});
afterAll(async () => {
  await Promise.all(open.map((connection) => connection.close()));
  await Promise.all(engines.map((engine) => engine.end()));
  await server.dispose();
  rmSync(dir, { recursive: true, force: true });
});

const sessionsAt = (n: number): readonly string[] =>
  [
    ...(engines[n]
      ?.engine()
      .store.range({ gte: "list/session/all/", lt: "list/session/all0", limit: 1_000 }) ?? []),
  ]
    .map(([, address]) => String(JSON.parse(address)))
    .sort();

const started = (workspace: string, session: string): [subject: string, body: string] => [
  `signalbox.v1.in.${workspace}.${session}.session.started`,
  JSON.stringify(event("session.started", {}, { subject: `${workspace}/${session}` })),
];

describe("Partitions", () => {
  it("Partitions: each workspace's messages reach the engine of its partition, and no other", async () => {
    const stream = (await as("door")).jetstream();
    const workspaces = Array.from({ length: 40 }, (_, n) => `w${n}`);
    for (const workspace of workspaces) await stream.publish(...started(workspace, "s1"));
    const expected = PARTITIONS.map((n) =>
      workspaces
        .filter((each) => homeOf(each) === n)
        .map((each) => `${each}/s1`)
        .sort(),
    );
    await until("all are applied", () => PARTITIONS.flatMap(sessionsAt).length === workspaces.length);
    expect(PARTITIONS.map(sessionsAt)).toEqual(expected);
    expect(expected.every(({ length }) => length > 0)).toBe(true);
  });

  it("Partitions: a tenant publishes, asks, decides and hears as if there were one engine", async () => {
    const [bot, alice] = [await as("chat-bot"), await as("alice")];
    const heard: string[] = [];
    alice.subscribe("signalbox.v1.state.chat.>", {
      callback: (_, message) => void heard.push(message.subject),
    });
    await alice.flush();
    const [input, approvalId] = [{ command: "make deploy" }, "q1"];
    const said = { tool: "Bash", toolUseId: "t1", requestId: "r1", input };
    for (const [type, data] of [
      ["request.created", { requestId: "r1" }],
      ["tool.started", said],
      ["approval.requested", { ...said, approvalId }],
    ] as const) {
      const body = JSON.stringify({ ...event(type, data, { subject: "chat/c1" }), id: type });
      const ack = await bot.jetstream().publish(`signalbox.v1.in.chat.c1.${type}`, body);
      expect(ack.stream).toBe("SIGNALBOX_IN");
    }
    await until("the approval is heard", () =>
      heard.includes(`signalbox.v1.state.chat.c1.approval.${approvalId}.pending`),
    );
    const asked = await alice.request(
      "signalbox.v1.ask.chat.approval.get",
      JSON.stringify({ id: approvalId }),
      { timeout: 10_000 },
    );
    const inputHash = textAt(asked.json(), "inputHash");
    const decision = JSON.stringify({ approvalId, decision: "approve", inputHash });
    const decided = await alice.request("signalbox.v1.decide.chat.alice", decision, { timeout: 10_000 });
    expect(textAt(decided.json(), "result")).toBe("accepted");
    await until("the answer is heard", () =>
      heard.includes(`signalbox.v1.state.chat.c1.approval.${approvalId}.approved`),
    );
    expect(heard.filter((subject) => subject.endsWith(".approved"))).toHaveLength(1);
  });

  it("Partitions: a tenant reaches no other workspace, no partition by its own subjects, and no stream", async () => {
    const bot = await as("chat-bot");
    const before = PARTITIONS.map(sessionsAt);
    const [, body] = started("w1", "s9");
    for (const subject of [
      "signalbox.v1.in.w1.s9.session.started",
      ...PARTITIONS.map((n) => `signalbox.v1.p.${n}.in.w1.s9.session.started`),
      "signalbox.v1.decide.chat.alice",
      "$JS.API.STREAM.PURGE.SIGNALBOX_IN",
    ]) {
      bot.publish(subject, body);
      const answer = await bot.request(subject, body, { timeout: 300 }).catch(() => undefined);
      expect([subject, answer?.string()]).toEqual([subject, undefined]);
    }
    await (await as("door")).jetstream().publish(...started("w2", "s9"));
    await until("the last one is applied", () => PARTITIONS.flatMap(sessionsAt).includes("w2/s9"));
    const after = PARTITIONS.map(sessionsAt);
    expect(after.flat().filter((each) => !before.flat().includes(each))).toEqual(["w2/s9"]);
  });

  it("Partitions: who may ask everything asks each partition by its number", async () => {
    const door = await as("door");
    const counts = await Promise.all(
      PARTITIONS.map(async (n) => {
        const { data } = await door.request(`signalbox.v1.p.${n}.query.session.list`, "", {
          timeout: 10_000,
        });
        return (JSON.parse(Buffer.from(data).toString()) as { items: unknown[] }).items.length;
      }),
    );
    expect(counts).toEqual(PARTITIONS.map((n) => sessionsAt(n).length));
  });

  it("CLUSTER-PARTITION-1: the server leads each name to the partition that the engine computes", async () => {
    const probe = await as("probe");
    const names = new Set([
      ...samples(500, fc.stringMatching(/^[A-Za-z0-9_-]{1,128}$/)),
      ...["-", "_", "0", "--", "__proto__", "constructor", "a".repeat(128), "-".repeat(127), "Shop", "shop"],
    ]);
    const heard: string[] = [];
    probe.subscribe("at.>", { callback: (_, { subject }) => void heard.push(subject) });
    await probe.flush();
    for (const of of MANY) for (const name of names) probe.publish(`name.${of}.${name}`);
    await probe.flush();
    const expected = MANY.flatMap((of) =>
      [...names].map((name) => `at.${of}.${partitionOf(name, of)}.${name}`),
    );
    await until("all are heard", () => heard.length === expected.length);
    expect(heard.sort()).toEqual(expected.sort());
  });

  it("TURN-2, QUERY-4, DOOR-9: what a wrong mapping leads to an engine is a dead letter and a trouble there, or refused", async () => {
    const workspace = ["w1", "w2", "w3", "w4", "w5"].find((name) => homeOf(name) !== 0) ?? "";
    const letters: string[] = [];
    const p0 = await as("p0");
    p0.subscribe("signalbox.v1.dlq.>", { callback: (_, { subject }) => void letters.push(subject) });
    const before = sessionsAt(0);
    const ack = await p0.jetstream().publish(...started(workspace, "astray"));
    expect(ack.stream).toBe("SIGNALBOX_IN");
    await until("there is a letter", () => letters.length > 0);
    expect(letters).toEqual(["signalbox.v1.dlq.other-partition"]);
    expect(sessionsAt(0)).toEqual(before);
    for (const [kind, subject, body] of [
      ["query", `signalbox.v1.ask.${workspace}.session.list`, ""],
      ["decision", `signalbox.v1.decide.${workspace}.alice`, '{"approvalId":"q1","decision":"deny"}'],
    ] as const) {
      const answer = await p0.request(subject, body, { timeout: 10_000 });
      expect([kind, at(answer.json(), "error", "code")]).toEqual([kind, "OTHER_PARTITION"]);
    }
    const troubles = PARTITIONS.map((n) => engines[n]?.engine().troubles());
    expect(troubles).toMatchObject([[{ code: "WRONG_PARTITION" }], [], [], []]);
  });
});
