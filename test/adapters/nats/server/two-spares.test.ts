// Two spares: three engines as processes on one nats-server. Two owners are killed with -9, and one engine takes over each time.

import { afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { setTimeout as sleep } from "node:timers/promises";
import { connect } from "../../../../adapters/nats/client/client.ts";
import { kill, Sharers, standing } from "../../../support/cluster/sharers.ts";
import { operator } from "../../../support/nats/on-nats.ts";
import { type NatsServer, natsServer } from "../../../support/nats/server.ts";
import { build, Desk } from "../../../support/processes/program.ts";

let server: NatsServer;
let desk: Desk;
beforeAll(build, 300_000);
beforeEach(async () => {
  server = await natsServer();
  desk = new Desk();
});
afterEach(async () => {
  await desk.clear();
  await server.dispose();
});

test("CLUSTER-SPARE-4: of two spares exactly one takes over, the other one stands by it, and takes over in its turn; no change is published twice", async () => {
  const sharers = new Sharers(desk, server.url);
  const owner = await sharers.owner("a");
  const spares = [
    { name: "b", ...(await sharers.follow("b")) },
    { name: "c", ...(await sharers.follow("c")) },
  ];
  const client = await connect({ url: server.url, workspace: "shop", source: "/caller" });
  const asks = async (toolUseId: string): Promise<void> => {
    const call = { tool: "Bash", toolUseId, input: { command: `make ${toolUseId}` } };
    await client.session("s1").publish("tool.started", call);
    await client.session("s1").publish("approval.requested", call);
  };
  const approve = async (name: string): Promise<void> => {
    const list = async (): Promise<string> => (await desk.run(["approvals", "--json"], sharers.on(name))).out;
    let [, id = ""] = /"id":"([^"]+)"/.exec(await list()) ?? [];
    for (; id === ""; [, id = ""] = /"id":"([^"]+)"/.exec(await list()) ?? []) await sleep(50);
    expect(await desk.run(["approve", id], sharers.on(name))).toMatchObject({ code: 0 });
  };
  await asks("t1");
  await kill(owner);
  const told = () =>
    Promise.all(spares.map(async (spare) => ({ ...spare, standing: await standing(spare.url) })));
  let all = await told();
  while (!all.some((each) => each.standing.ready)) {
    await sleep(20);
    all = await told();
  }
  const [first] = all.filter((each) => each.standing.role === "owner");
  const second = all.find((each) => each !== first);
  if (!first || !second) throw new Error(`Nobody owns the journal: ${JSON.stringify(all)}`);
  await approve(first.name);
  await expect.poll(() => standing(second.url)).toMatchObject({ role: "standby", owner: first.url });
  expect(await standing(first.url)).toMatchObject({ ready: true, role: "owner" });

  await asks("t2");
  await kill(first);
  await expect.poll(() => standing(second.url)).toMatchObject({ ready: true, role: "owner" });
  await approve(second.name);
  const [one, other] = [first.standing.term ?? 0, (await standing(second.url)).term ?? 0];
  expect(other).toBeGreaterThan(one);
  const reader = await operator(server.url);
  const ids = (await reader.all("SIGNALBOX_STATE")).map(({ headers }) => headers?.get("Nats-Msg-Id") ?? "");
  expect(new Set(ids).size).toBe(ids.length);
  await reader.close();
  await client.close();
}, 300_000);
