// Lost folder
// The data folder is gone, and the journal on the server is not: what a new folder knows of it, and what it is told.

import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect, type NatsConnection } from "nats";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createEngine, FatalError, RefusedError, type SignalboxEngine } from "../../../../adapters/index.ts";
import { type NatsServer, natsServer } from "../../../support/nats/server.ts";

let server: NatsServer;
let service: NatsConnection;
let root: string;
let running: SignalboxEngine | undefined;

beforeEach(async () => {
  server = await natsServer();
  service = await connect({ servers: server.url });
  root = await mkdtemp(join(tmpdir(), "signalbox-lost-folder-"));
});
afterEach(async () => {
  await stop();
  await service.close();
  await server.dispose();
  await rm(root, { recursive: true });
});

const folder = (name: string): string => join(root, name);
const start = async (name: string, adopts = false) =>
  (running = await createEngine({ dataDir: folder(name), nats: { url: server.url }, adopts }));
const stop = async (): Promise<void> => {
  await running?.stop();
  running = undefined;
};

/** What a promise ends in. */
async function refusalOf(promise: Promise<unknown>): Promise<FatalError | RefusedError> {
  const error = await promise.then(
    () => "it was taken",
    (error: unknown) => error,
  );
  if (error instanceof FatalError || error instanceof RefusedError) return error;
  throw new Error(String(error));
}
const refused = (name: string) => refusalOf(start(name));

const event = (type: string, id: string, data: object) => ({
  specversion: "1.0",
  id,
  source: "/gateway",
  type,
  subject: "shop/s1",
  data,
});
const publish = (type: string, id: string, data: object) =>
  service.jetstream().publish(`signalbox.v1.in.shop.s1.${type}`, JSON.stringify(event(type, id, data)));

/** A service asks over NATS; the engine takes a request in by itself, and the answer. @returns the approval's hash. */
async function lived(): Promise<string> {
  const engine = await start("old");
  await engine.send(event("request.created", "e1", { requestId: "r1" }));
  await publish("approval.requested", "e2", { approvalId: "a1", tool: "Bash", input: { command: "ls" } });
  await engine.send(event("request.created", "e3", { requestId: "r2" }));
  const hash = hashOf(engine);
  await decide(engine, "deny", hash);
  await stop();
  return hash;
}

const hashOf = (engine: SignalboxEngine): string => {
  const { inputHash } = engine.queries.getApproval("a1") as { readonly inputHash?: string };
  return inputHash ?? "";
};
const decide = (engine: SignalboxEngine, decision: string, inputHash: string) =>
  engine.door.decision("a1", Buffer.from(JSON.stringify({ decision, inputHash })), {
    door: "library",
    by: "ann",
  });

describe("a new folder on the journal of a lost one", () => {
  test("NATS-JOURNAL-5, STRANGE-SEALS-1: without the old key it does not start: what the old engine took in would be a forger's", async () => {
    await lived();
    const { code, message, next } = await refused("new");
    expect(code).toBe("JOURNAL_REGRESSED");
    expect(message).toMatch(/another key than this data folder's file `key`: 1–2, 4/);
    expect(next).toMatch(/Put the file `key`.*--adopt-journal/);
    // The way out that it names first.
    await cp(join(folder("old"), "key"), join(folder("new"), "key"));
    const engine = await start("new");
    expect(engine.queries.getApproval("a1")).toMatchObject({ state: "denied" });
    expect(engine.queries.getRequest("r2")).toBeDefined();
    expect(engine.engine.meta().deads).toBe(0);
  });

  test("G8, NATS-JOURNAL-5: told to go on without the key, it approves nothing that may have been denied, and calls nobody a forger", async () => {
    const hash = await lived();
    const engine = await start("new", true);
    expect(engine.engine.recovered?.lost?.reason).toContain("another key");
    expect(engine.queries.getApproval("a1")).toMatchObject({ state: "pending" });
    expect(await decide(engine, "approve", hash)).toMatchObject({
      outcome: "rejected",
      reason: expect.stringContaining("before entries of the journal were lost") as string,
    });
    const letters = engine.queries.deadLetters().items.map(({ code }) => code);
    expect(letters).toEqual(["JOURNAL_GAP"]);
    await engine.send(event("request.created", "e9", { requestId: "r9" }));
    await stop();
    // Its own key is known from now on: nothing is asked again.
    const again = await start("new");
    expect(again.queries.getRequest("r9")).toBeDefined();
    expect(again.engine.recovered?.lost).toBeUndefined();
  });

  test("NATS-JOURNAL-5, JOURNAL-CURSOR-2: what was let go of and what is sealed are told in one sentence each, at once", async () => {
    await lived();
    const manager = await service.jetstreamManager();
    await manager.streams.purge("SIGNALBOX_IN", { seq: 3 });
    const { message, next } = await refused("new");
    expect(message).toMatch(/no longer has these entries: 1–2 \(2 in all\).*sealed with another key.*: 4/);
    expect(next).toMatch(/Start the engine with the data folder.*Put the file `key`/);
  });

  test("STRANGE-SEALS-1: a forged seal on what services publish keeps no new folder from its start", async () => {
    await start("old");
    await stop();
    await publish("request.created", "e0", { requestId: "r0" });
    const { headers } = await import("nats");
    const forged = headers();
    forged.set("Signalbox-Seal", `v1:${"0".repeat(64)}`);
    const body = JSON.stringify(event("request.created", "f1", { requestId: "f1" }));
    await service.jetstream().publish("signalbox.v1.in.shop.s1.request.created", body, { headers: forged });
    await start("new").catch(() => undefined);
    await cp(join(folder("old"), "key"), join(folder("new"), "key"));
    const engine = await start("new");
    expect(engine.queries.getRequest("r0")).toBeDefined();
    expect(engine.engine.meta().deads).toBe(1);
  });

  test("RECORD-3: another key in the folder's own place is told before anything is read", async () => {
    await lived();
    await start("other").catch(() => undefined);
    await stop();
    await cp(join(folder("other"), "key"), join(folder("old"), "key"));
    const { code, message } = await refused("old");
    expect([code, message]).toEqual(["FOLDER_LOST", expect.stringContaining("another key")]);
  });
});
