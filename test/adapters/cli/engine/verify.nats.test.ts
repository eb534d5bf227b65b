// verify on NATS
// The command on a folder with a private NATS server, which nobody runs by then, and on one of somebody else's server.

import { readFileSync, rmSync } from "node:fs";
import { constants } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { openLmdb } from "../../../../adapters/lmdb/index.ts";
import { ManualClock } from "../../../support/engine/manual-clock.ts";
import { natsServerBinary } from "../../../support/nats/binary.ts";
import { isAlive } from "../../../support/processes/processes.ts";
import { build, Desk, jsonLines } from "../../../support/processes/program.ts";
import { recordingPath } from "../../../support/sessions/recording.ts";

let desk: Desk;
/** A PATH with a nats-server on it. */
let path: string;

beforeAll(async () => {
  await build();
  path = [dirname(await natsServerBinary()), process.env["PATH"]].join(delimiter);
}, 180_000);
beforeEach(() => {
  desk = new Desk();
});
afterEach(() => desk.clear());

const verify = (...args: readonly string[]) => desk.run(["verify", ...args], { env: { PATH: path } });
const pidFile = (): string => join(desk.dir, "data", "nats", "pid");
const serverPid = (): number => Number(readFileSync(pidFile(), "utf8"));
/** @returns the server's process, once it has written its file. */
async function startedServer(): Promise<number> {
  for (;;) {
    try {
      const pid = serverPid();
      if (pid > 1) return pid;
    } catch {
      // There is no file yet.
    }
    await sleep(5);
  }
}

/** An engine with a private server takes in a recording, and both end. */
async function used(): Promise<void> {
  const engine = desk.start(["up", "--port", "0"], { env: { PATH: path } });
  const [, url = ""] = await engine.said(/runs at (http:\/\/[\d.]+:\d+)/);
  for (const name of ["s1-ten-allowed", "s3-permreq-deny-interrupt"])
    await desk.run(["replay", "--url", url, recordingPath(name, "hooks.jsonl")]);
  expect(await verify()).toMatchObject({ code: 1, err: expect.stringMatching(/stop/i) as string });
  const pid = serverPid();
  expect(isAlive(pid)).toBe(true);
  engine.child.kill("SIGTERM");
  expect((await engine.ended).code).toBe(0);
  expect(isAlive(pid)).toBe(false);
}

/** @returns the key of the row that was written. */
async function alter(): Promise<string> {
  const { store, close } = openLmdb(join(desk.dir, "data", "store"), new ManualClock());
  await store.open();
  const [[key, value] = ["", ""]] = store.range({ gte: "audit/", lt: "audit0" });
  await store.commit([
    { put: key, value: JSON.stringify({ ...(JSON.parse(value) as object), by: "nobody" }) },
  ]);
  await close();
  return key;
}

describe("signalbox verify", () => {
  it("KEPT-JOURNAL-1, COMMANDS-VERIFY-1, G57: a private server is started for it, and ended; what differs is named, and the command fails", async () => {
    await used();
    const clean = await verify();
    expect([clean.code, clean.err]).toEqual([0, ""]);
    expect(clean.out).toMatch(/^Replayed entries 1 to \d+ of .*: \d\d+ compared, 0 differ\.$/m);
    expect(clean.out).toMatch(/^Of the rows of the store, \d\d+ were compared, 0 differ\.$/m);
    expect(isAlive(serverPid())).toBe(false);
    const key = await alter();
    const found = await verify();
    expect([found.code, found.out]).toEqual([1, expect.stringMatching(`${key} +altered +by +this one`)]);
    const [difference, sums] = jsonLines((await verify("--json")).out);
    expect(difference).toMatchObject({ key, what: "altered", fields: ["by"] });
    expect(sums).toMatchObject({ differences: 0, rows: { differences: 1 } });
  }, 180_000);

  it("KEPT-JOURNAL-3, SIGNALS-1: a signal meanwhile ends the private server, too", async () => {
    await used();
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
      rmSync(pidFile(), { force: true });
      const running = desk.start(["verify"], { env: { PATH: path } });
      const pid = await startedServer();
      running.child.kill(signal);
      expect((await running.ended).code).toBe(128 + constants.signals[signal]);
      while (isAlive(pid)) await sleep(20);
    }
    expect((await verify()).code).toBe(0);
  }, 180_000);

  it("KEPT-JOURNAL-2: without the program it says so, and that nothing was compared", async () => {
    await used();
    const found = await desk.run(["verify"], { env: { PATH: desk.dir } });
    expect([found.code, found.err]).toEqual([
      1,
      expect.stringMatching(
        /nothing was compared, neither entries nor rows: .*no nats-server is on the PATH/,
      ),
    ]);
  }, 180_000);
});
