// Shared side
// Starts without --follow on a journal that another engine has, over a real server.

import { copyFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { connect } from "nats";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createEngine, type SignalboxEngine } from "../../../adapters/index.ts";
import { type NatsServer, natsServer } from "../../support/nats/server.ts";
import { scratchEach } from "../../support/processes/scratch.ts";

const base = scratchEach();
const dirOf = (name: string): string => join(base(), name);
let server: NatsServer;
let running: SignalboxEngine[];
beforeEach(async () => {
  running = [];
  server = await natsServer();
});
afterEach(async () => {
  for (const each of running) await each.stop();
  await server.dispose();
});

/** An engine of its own folder, without --follow. @param keyOf the engine whose key it gets. */
async function started(name: string, keyOf?: string): Promise<SignalboxEngine> {
  if (keyOf !== undefined) {
    mkdirSync(dirOf(name), { mode: 0o700 });
    copyFileSync(join(dirOf(keyOf), "key"), join(dirOf(name), "key"));
  }
  const engine = await createEngine({ dataDir: dirOf(name), port: 0, nats: { url: server.url } });
  running.push(engine);
  return engine;
}

const readiness = async ({ url = "" }: SignalboxEngine): Promise<unknown> =>
  (await fetch(`${url}/readyz`)).json();

test("SHARED-SIDE-1: a start beside an owner that has no term is refused, and is no spare of that owner", async () => {
  const owner = await started("a");
  await expect(started("b", "a")).rejects.toMatchObject({
    code: "OWNER_REPLACED",
    message: `The engine at ${owner.url} is the owner of this journal.`,
  });
  expect(await readiness(owner)).toEqual({ ready: true });
});

test("SHARED-SIDE-1: an engine starts again beside its own earlier presence, which answers nothing", async () => {
  const first = await started("a");
  await first.stop();
  running = [];
  const ghost = await connect({ servers: server.url });
  ghost.subscribe("signalbox.v1.cluster.owner", { callback: () => undefined });
  await ghost.flush();
  expect(await readiness(await started("a"))).toEqual({ ready: true });
  await ghost.close();
});
