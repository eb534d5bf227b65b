// Spare: two engines as processes on one nats-server. The owner is killed with -9, and the other one takes over.
//
// SPARE_KILLS=20 kills so many owners in turn, and prints how long each take-over took.

import { afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { summed } from "../../../../adapters/lmdb/row-sum.ts";
import { keys } from "../../../../runtime/rows/keys.ts";
import { changed } from "../../../support/lmdb/raw.ts";
import { connect } from "../../../../adapters/nats/client/client.ts";
import { operator } from "../../../support/nats/on-nats.ts";
import { type NatsServer, natsServer } from "../../../support/nats/server.ts";
import { bySocket } from "../../../support/http/by-socket.ts";
import { kill, ready, Sharers, type SharerStanding, standing } from "../../../support/cluster/sharers.ts";
import { engineOf } from "../../../support/processes/processes.ts";
import { build, Desk } from "../../../support/processes/program.ts";

const KILLS = Number(process.env["SPARE_KILLS"] ?? 2);

let server: NatsServer;
let desk: Desk;
let sharers: Sharers;
beforeAll(build, 300_000);
beforeEach(async () => {
  server = await natsServer();
  desk = new Desk();
  sharers = new Sharers(desk, server.url);
});
afterEach(async () => {
  await desk.clear();
  await server.dispose();
});

const dirOf = (name: string): string => sharers.dirOf(name);
const on = (name: string) => sharers.on(name);
const follow = (name: string) => sharers.follow(name);

const postTo = (name: string, path: string, body: object): Promise<Response> =>
  bySocket(dirOf(name))(path, {
    method: "POST",
    body: JSON.stringify(body),
    headers: { "Content-Type": "application/json" },
  });

const eventOf = (n: number, type: string, data: object, session = `s${n}`): object => ({
  ...{ specversion: "1.0", id: `e${n}`, source: "/caller", type, subject: `shop/${session}`, data },
});

test("CLUSTER-SPARE-1: the owner is killed, the spare answers what was asked, the caller hears it, nothing is doubled; the old one then follows", async () => {
  let owner = await sharers.owner("a");
  let spare = await follow("b");
  let [ownerName, spareName] = ["a", "b"];
  const client = await connect({ url: server.url, workspace: "shop", source: "/caller" });
  const took: number[] = [];
  for (let round = 0; round < KILLS; round += 1) {
    expect(await standing(spare.url)).toMatchObject({ ready: false, role: "standby", owner: owner.url });
    const from = await client.now();
    const input = { command: `make deploy-${round}` };
    const call = { tool: "Bash", toolUseId: `t${round}`, input };
    await client.session("s1").publish("tool.started", call);
    await client.session("s1").publish("approval.requested", call);
    const heard = (async () => {
      for await (const item of client.changes({ from, entity: "approval" }))
        if ("change" in item && item.change.to !== "pending") return item.change;
      return undefined;
    })();
    const shown = async (): Promise<string> =>
      /"id":"([^"]+)"/.exec((await desk.run(["approvals", "--json"], on(spareName))).out)?.[1] ?? "";
    let id = "";
    while ((id = await shown()) === "") await sleep(50);

    await kill(owner);
    took.push(await ready(spare.url));
    expect((await standing(spare.url)).term).toBe(round + 1);
    expect(await desk.run(["approve", id], on(spareName))).toMatchObject({ code: 0 });
    expect(await heard).toMatchObject({ id, to: "approved" });
    [owner, spare] = [spare, await follow(ownerName)];
    [ownerName, spareName] = [spareName, ownerName];
  }
  const other = await operator(server.url);
  const ids = (await other.all("SIGNALBOX_STATE")).map(({ headers }) => headers?.get("Nats-Msg-Id") ?? "");
  expect(ids.length).toBeGreaterThan(KILLS);
  expect(new Set(ids).size).toBe(ids.length);
  await other.close();
  await client.close();
  took.sort((one, two) => one - two);
  const at = (share: number): string => (took[Math.ceil(share * took.length) - 1] ?? 0).toFixed(0);
  if (KILLS > 2) process.stdout.write(`take-over of ${KILLS}: p50 ${at(0.5)} ms, p99 ${at(0.99)} ms\n`);
}, 600_000);

test("CLUSTER-SAYS-4: beside a living owner one asks and decides at the spare; a hook there is sent to the owner", async () => {
  const owner = await sharers.owner("a");
  const spare = await follow("b");
  const input = { command: "make deploy" };
  const about = { tool: "Bash", toolUseId: "t1", input };
  for (const type of ["tool.started", "approval.requested"]) {
    const sent = await desk.run(
      ["emit", type, "--subject", "shop/s1", "--body", JSON.stringify(about)],
      on("b"),
    );
    expect(sent).toMatchObject({ code: 0 });
  }
  const shown = await desk.run(["approvals", "--json"], on("a"));
  const id = /"id":"([^"]+)"/.exec(shown.out)?.[1] ?? "";
  expect(await desk.run(["approve", id], on("b"))).toMatchObject({ code: 0 });
  expect((await desk.run(["deny", id], on("a"))).code).not.toBe(0);
  for (const name of ["a", "b"])
    expect(await (await bySocket(dirOf(name))(`/v1/approvals/${id}`)).json()).toMatchObject({
      state: "approved",
    });

  const hook = { session_id: "s2", hook_event_name: "UserPromptSubmit", cwd: "/home/dev", prompt: "hi" };
  const refused = await postTo("b", "/v1/hooks/claude-code", hook);
  expect([refused.status, await refused.text()]).toEqual([503, expect.stringContaining(owner.url)]);
  expect(await standing(spare.url)).toMatchObject({ ready: false, role: "standby" });
});

test("CLUSTER-FRESH-1: what the owner acknowledged is read at the spare at once, and the other way round", async () => {
  await sharers.owner("a");
  await follow("b");
  for (let n = 0; n < 20; n += 1) {
    const [here = "", there = ""] = n % 2 === 0 ? ["a", "b"] : ["b", "a"];
    const event = eventOf(n, "tool.started", { tool: "Bash", toolUseId: "t1", input: { command: "ls" } });
    const taken = await postTo(here, "/v1/events", event);
    expect(taken.status).toBe(200);
    const read = await bySocket(dirOf(there))(`/v1/sessions/s${n}/tool-calls?workspace=shop`);
    expect(await read.json()).toMatchObject({ items: [{ toolUseId: "t1" }] });
  }
});

test("CLUSTER-FRESH-2: an owner that stood still while another one took over never shows an approval as it was before", async () => {
  const owner = await sharers.owner("a");
  const spare = await follow("b");
  const about = { tool: "Bash", toolUseId: "t1", input: { command: "make deploy" } };
  for (const [n, type] of ["tool.started", "approval.requested"].entries())
    expect((await postTo("a", "/v1/events", eventOf(n, type, about, "s1"))).status).toBe(200);
  const pending = await (await bySocket(dirOf("a"))("/v1/approvals?state=pending")).text();
  const id = /"id":"([^"]+)"/.exec(pending)?.[1] ?? "";
  const stopped = engineOf(owner.engine);
  expect(stopped).toBeGreaterThan(1);
  process.kill(stopped, "SIGSTOP");
  await ready(spare.url);
  expect(await desk.run(["approve", id], on("b"))).toMatchObject({ code: 0 });
  const read = async (): Promise<{ status: number; text: string }> => {
    const response = await bySocket(dirOf("a"))(`/v1/approvals/${id}`);
    return { status: response.status, text: await response.text() };
  };
  const reads = Array.from({ length: 20 }, () => read().catch(() => ({ status: 0, text: "" })));
  await sleep(500);
  process.kill(stopped, "SIGCONT");
  for (const { status, text } of await Promise.all(reads))
    expect([0, 503].includes(status) || text.includes('"state":"approved"'), text).toBe(true);
});

test("SHARED-SIDE-1, SHARED-SIDE-2: an owner that ends in order is followed at once; a start without --follow is refused beside it", async () => {
  const owner = await sharers.owner("a");
  const spare = await follow("b");
  const reasons = (await standing(spare.url)) as { reasons?: readonly { code: string; message: string }[] };
  expect(reasons.reasons).toMatchObject([
    { code: "STANDING_BY", message: expect.stringContaining(owner.url) as string },
  ]);
  owner.engine.child.kill("SIGTERM");
  expect((await owner.engine.ended).code).toBe(0);
  await ready(spare.url);
  const refused = await desk.run(["up", "--nats", server.url, "--port", "0", "--data", dirOf("a")]);
  expect(refused.code).not.toBe(0);
  expect(refused.err).toContain(`The engine at ${spare.url} is the owner of this journal.`);
  expect(await standing(spare.url)).toMatchObject({ ready: true, role: "owner", term: 1 });
}, 300_000);

test("HANDOVER-1, SHARED-SIDE-3: the journal goes to the spare and back by a command, and an approval that waits is answered there; without a spare nothing is handed over", async () => {
  const first = await sharers.owner("a");
  const none = await desk.run(["handover"], on("a"));
  expect([none.code, none.err]).toEqual([1, expect.stringContaining("No spare can take the journal over")]);
  const spare = await follow("b");
  const client = await connect({ url: server.url, workspace: "shop", source: "/caller" });
  const call = { tool: "Bash", toolUseId: "t1", input: { command: "make deploy" } };
  await client.session("s1").publish("tool.started", call);
  await client.session("s1").publish("approval.requested", call);
  const wrong = await desk.run(["handover"], on("b"));
  expect([wrong.code, wrong.err]).toEqual([1, expect.stringContaining(first.url)]);

  const ends = await desk.run(["handover"], on("a"));
  expect([ends.code, ends.out]).toEqual([0, expect.stringContaining(`the spare at ${spare.url} takes over`)]);
  expect((await first.engine.ended).code).toBe(0);
  await ready(spare.url);
  const second = await follow("a");
  const from = performance.now();
  const back = await desk.run(["handover"], on("b"));
  expect(back.out).toBe(
    `The engine at ${second.url} owns the journal now (term 2); this engine stands by.\n`,
  );
  process.stdout.write(`handed over after ${(performance.now() - from).toFixed(0)} ms, with the command\n`);
  expect(await standing(second.url)).toMatchObject({ ready: true, role: "owner", term: 2 });
  const there = await desk.run(["handover", "--json"], on("a"));
  expect(JSON.parse(there.out)).toMatchObject({ type: "handed-over", to: [spare.url], term: 3 });
  const [, id = ""] = /"id":"([^"]+)"/.exec((await desk.run(["approvals", "--json"], on("b"))).out) ?? [];
  expect(await desk.run(["approve", id], on("b"))).toMatchObject({ code: 0 });
  await client.close();
}, 300_000);

test("DATA-FOLDER-KEY-1: a folder with another key is refused by name, and so is a journal of the folder's own", async () => {
  await sharers.up("a");
  writeFileSync(sharers.keyFile, `${Buffer.alloc(32, 7).toString("base64url")}\n`, { mode: 0o600 });
  const other = ["up", "--port", "0", "--data", dirOf("a2"), "--follow"];
  const alone = await desk.run([...other, sharers.keyFile, "--nats", "off"]);
  expect([alone.code === 0, alone.err]).toEqual([false, expect.stringContaining("--nats nats://HOST:4222")]);
  const absent = await desk.run([...other, join(desk.dir, "none"), "--nats", server.url]);
  expect(absent.err).toContain("There is no key in");
  const first = await desk.run([...other, sharers.keyFile, "--nats", server.url]);
  expect(first.err).toContain("sealed with another key");
  writeFileSync(sharers.keyFile, readFileSync(join(dirOf("a"), "key")));
  const differs = await desk.run([...other, sharers.keyFile, "--nats", server.url]);
  expect(differs.err).toContain("has another key than");
}, 300_000);

test("CLUSTER-SPARE-5, ENGINE-MANDATE-5: a spare with an altered row names it within a second, ends, and is refused from then on; the owner goes on and says so", async () => {
  const owner = await sharers.owner("a");
  const spare = await follow("b");
  const client = await connect({ url: server.url, workspace: "shop", source: "/caller" });
  for (const toolUseId of ["t1", "t2", "t3"])
    await client.session("s1").publish("tool.started", { tool: "Bash", toolUseId, input: { command: "ls" } });
  while ((await standing(spare.url)).uncompared !== 0 || (await standing(spare.url)).lag !== 0)
    await sleep(50);
  spare.engine.child.kill("SIGTERM");
  await spare.engine.ended;
  let turn = 0;
  await changed(join(dirOf("b"), "store"), async ({ rows }) => {
    const all = [...rows.getRange({ start: keys.changes, end: `${keys.changes}~` })];
    const { key, value } = all[1] ?? { key: "", value: "" };
    expect(value).toContain('"tool":"Bash"');
    turn = Number(/"turn":(\d+)/.exec(value)?.[1]);
    const text = value.slice(value.indexOf("{")).replace('"tool":"Bash"', '"tool":"Bush"');
    await rows.put(key, summed(key, text));
  });
  const again = desk.start(sharers.args("b", "--follow", sharers.keyFile));
  await again.said(/runs at http/);
  const from = performance.now();
  const ended = await again.ended;
  process.stdout.write(`a difference was named after ${(performance.now() - from).toFixed(0)} ms\n`);
  expect(ended.code).not.toBe(0);
  expect(ended.err).toContain(`different results for journal entry ${turn}.`);
  const refused = await desk.run(sharers.args("b", "--follow", sharers.keyFile));
  expect(refused.err).toContain(`different results for journal entry ${turn}.`);
  expect(refused.out + refused.err).not.toContain("runs at http");
  const told = (await standing(owner.url)) as SharerStanding & { reasons?: readonly { code: string }[] };
  expect([told.ready, told.reasons?.map(({ code }) => code)]).toEqual([true, ["SPARE_DIFFERS"]]);
  await client.close();
}, 300_000);
