// Joined
// Engines that nobody can connect to, reached through the NATS server of their team, with the permissions that are shipped.
//
// Decided in: docs/decisions/0103-a-machine-joins-by-calling-out.md.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect, Events } from "nats";
import { afterEach, beforeEach, expect, it } from "vitest";
import { addToken, dataFolder } from "../../../adapters/data-folder/index.ts";
import { createEngine, type SignalboxEngine } from "../../../adapters/index.ts";
import { at } from "../../support/engine/json.ts";
import { type ConfiguredServer, configuredServer } from "../../support/nats/configured.ts";
import { asks, HASH, json } from "../../support/peers/team.ts";

const TEAM = join(import.meta.dirname, "..", "..", "..", "ops", "nats", "team.conf");
const SPY = "{ user: spy, password: spy }";

let dir: string;
let server: ConfiguredServer;
const running: SignalboxEngine[] = [];

beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), "signalbox-joined-"));
  const shipped = readFileSync(TEAM, "utf8").replace(
    /user: ([a-z-]+), password: \$[A-Z_]+/g,
    "user: $1, password: $1",
  );
  server = await configuredServer(shipped.replace("users = [", `users = [\n${SPY}`));
});
afterEach(async () => {
  await Promise.all(running.splice(0).map((engine) => engine.stop()));
  await server.dispose();
  rmSync(dir, { recursive: true, force: true });
});

const secretIn = (name: string, text: string): string => {
  writeFileSync(join(dir, name), text, { mode: 0o600 });
  return join(dir, name);
};
const tokenOf = (engine: string, name: string): string =>
  readFileSync(join(dir, engine, "tokens", name), "utf8").trim();

async function start(name: string, peers?: string): Promise<SignalboxEngine> {
  const address = server.url.replace("//", `//${name}:${name}@`);
  const settings = { dataDir: join(dir, name), port: 0, join: secretIn(`${name}.nats`, address) };
  const engine = await createEngine({ ...settings, ...(peers !== undefined && { peers }) });
  running.push(engine);
  return engine;
}

/** A laptop with one approval that waits, and an engine that shows it to its user bob. */
async function both() {
  await addToken(dataFolder(join(dir, "ann-laptop"), {}), "hub", {
    parts: new Set(["view", "decide"]),
    vouches: true,
  });
  await addToken(dataFolder(join(dir, "hub"), {}), "bob");
  const laptop = await start("ann-laptop");
  const approval = await asks(laptop, "shop", "s1");
  const list = secretIn("peers.yaml", "- { name: ann-laptop, tokenFile: ann-laptop/tokens/hub }\n");
  const hub = await start("hub", list);
  const ask = async (path: string, request: RequestInit = {}): Promise<{ status: number; body: unknown }> => {
    const headers = { "Content-Type": "application/json", Authorization: `Bearer ${tokenOf("hub", "bob")}` };
    const answer = await fetch(`${hub.url}${path}`, { ...request, headers });
    return { status: answer.status, body: await answer.json() };
  };
  return { laptop, approval, ask };
}

const reasons = (body: unknown): readonly unknown[] => (at(body, "reasons") ?? []) as readonly unknown[];

it("TUNNEL-JOIN-1, PEERS-SIDE-2: what waits at a machine that has joined is shown and answered at the team's engine, as long as the server is there", async () => {
  const { laptop, approval, ask } = await both();
  await expect
    .poll(async () => (await ask("/v1/approvals")).body, { timeout: 20_000 })
    .toMatchObject({
      items: [{ id: approval, engine: "ann-laptop" }],
    });
  await server.kill();
  await expect
    .poll(async () => reasons((await ask("/readyz")).body), { timeout: 20_000 })
    .toContainEqual(expect.objectContaining({ code: "NOT_JOINED" }));
  expect((await ask("/v1/approvals")).body).toMatchObject({ items: [], partial: ["ann-laptop"] });
  await server.start();
  const decision = json({ decision: "approve", inputHash: HASH });
  const decide = () => ask(`/v1/approvals/${approval}/decision`, decision);
  await expect.poll(async () => (await decide()).status, { timeout: 30_000 }).toBe(200);
  expect(laptop.queries.getApproval(approval)).toMatchObject({ state: "approved", by: "http:hub/bob" });
});

it("PEERS-SIDE-2, HANDSHAKE-4: whoever hears all messages of the server does not hear the token, and with a changed message nothing is answered", async () => {
  const spy = await connect({ servers: server.url, user: "spy", pass: "spy" });
  let heard = "";
  let isLying = false;
  spy.subscribe("signalbox.v1.machine.>", {
    callback: (_, { data, subject, reply }) => {
      heard += Buffer.from(data).toString();
      // Whoever has sent a request for a connection gets another answer first.
      if (subject === "signalbox.v1.machine.ann-laptop.open" && isLying)
        spy.publish(reply ?? "", `{"end":"x","port":1}`);
    },
  });
  const { approval, ask } = await both();
  await expect
    .poll(async () => (await ask(`/v1/approvals/${approval}`)).status, { timeout: 20_000 })
    .toBe(200);
  expect(heard).toContain(approval);
  expect(heard).not.toContain(tokenOf("ann-laptop", "hub"));
  isLying = true;
  expect((await ask(`/v1/approvals/${approval}`)).status).toBe(503);
  await spy.close();
});

it("TUNNELS-1: a machine of the team reaches the inbox's machine only, and hears nothing that is sent to others", async () => {
  const refused: string[] = [];
  const laptop = await connect({ servers: server.url, user: "ann-laptop", pass: "ann-laptop" });
  void (async () => {
    for await (const { type } of laptop.status()) if (type === Events.Error) refused.push(type);
  })();
  laptop.publish("signalbox.v1.machine.bob-laptop.open");
  laptop.subscribe("signalbox.v1.machine.hub.>", { callback: (error) => refused.push(String(error)) });
  await expect.poll(() => refused.length).toBeGreaterThan(1);
  await laptop.close();
});
