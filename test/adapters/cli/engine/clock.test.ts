// CLI, clock
// The built command under a clock that is ten years ahead, which needs faketime (Debian: apt-get install faketime).

import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { at } from "../../../support/engine/json.ts";
import { build, Desk } from "../../../support/processes/program.ts";
import { bySocket } from "../../../support/http/by-socket.ts";

/** What shifts a program's clock; empty if faketime is missing. */
const library = ((): string => {
  const asked = spawnSync("faketime", ["-m", "-f", "+0", "printenv", "LD_PRELOAD"], { encoding: "utf8" });
  return asked.status === 0 ? asked.stdout.trim() : "";
})();
const AHEAD = { LD_PRELOAD: library, FAKETIME: "+3650d", DONT_FAKE_MONOTONIC: "1" };

let desk: Desk;
beforeAll(() => build(), 180_000);
beforeEach(() => (desk = new Desk()));
afterEach(() => desk.clear());

async function up(env: Readonly<Record<string, string>>, ...more: readonly string[]) {
  const engine = desk.start(["up", "--nats", "off", "--port", "0", ...more], { env });
  await engine.said(/runs at/);
  const get = async (path: string): Promise<unknown> => (await bySocket(join(desk.dir, "data"))(path)).json();
  const down = async (): Promise<void> => {
    engine.child.kill("SIGTERM");
    await engine.ended;
  };
  return { engine, get, down };
}

describe.runIf(library !== "" || process.env["CI"])("a clock ten years ahead (needs faketime)", () => {
  it("G21, CLI: up says that it does not believe the clock and what to do, and goes on; --accept-clock believes it", async () => {
    expect(library, "faketime is missing here: apt-get install faketime").not.toBe("");
    const first = await up({});
    expect((await desk.emit("request.created", { requestId: "r1" })).code).toBe(0);
    const before = Number(at(await first.get("/v1/stats"), "at"));
    await first.down();

    const ahead = await up(AHEAD);
    await ahead.engine.said(/The engine does not believe the clock/);
    await ahead.engine.said(/--accept-clock/);
    expect(await ahead.get("/readyz")).toMatchObject({ ready: true, reasons: [{ code: "CLOCK_AHEAD" }] });
    expect((await desk.emit("request.created", { requestId: "r2" })).code).toBe(0);
    const stood = Number(at(await ahead.get("/v1/stats"), "at"));
    expect([stood >= before, stood < before + 3_600_000]).toEqual([true, true]);
    await ahead.down();

    const accepted = await up(AHEAD, "--accept-clock");
    expect(await accepted.get("/readyz")).toEqual({ ready: true });
    expect(Number(at(await accepted.get("/v1/stats"), "at"))).toBeGreaterThan(before + 3_600_000);
    expect(await accepted.get("/v1/requests/r1")).toMatchObject({ state: "created" });
  });
});
