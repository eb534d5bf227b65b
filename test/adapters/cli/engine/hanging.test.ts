// Hanging starts
// Paths where nothing can be made, starts that never end, and the system's own words.
//
//   Owns:          that each command ends, and in our words.
//   Does not own:  the data folder's refusals one by one (data-folder/own.test.ts).

import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { freePort } from "../../../support/http/free-port.ts";
import { engineOf, isAlive } from "../../../support/processes/processes.ts";
import { build, Desk } from "../../../support/processes/program.ts";

let desk: Desk;
beforeAll(() => build(), 180_000);
beforeEach(() => (desk = new Desk()));
afterEach(() => desk.clear());

const UP = ["up", "--nats", "off", "--port", "0"];

describe("a command that cannot do its work", () => {
  it("SUPERVISOR-3: SIGTERM ends a start that hears nothing any more", async () => {
    const nats = `nats://127.0.0.1:${await freePort()}`;
    const starting = desk.start(["up", "--port", "0"], { env: { SIGNALBOX_NATS_URL: nats } });
    await starting.said(/tries again|cannot be reached|does not answer/);
    const child = engineOf(starting);
    process.kill(child, "SIGSTOP");
    starting.child.kill("SIGTERM");
    expect((await starting.ended).code).toBe(1);
    expect(isAlive(child)).toBe(false);
  });

  it.runIf(existsSync("/proc/self"))(
    "PROGRAM-1, MAKE-1: where the system lets nothing be made, each command says so at once",
    async () => {
      for (const args of [
        [...UP, "--data", "/proc/nowhere/data"],
        [...UP, "--state-files", "/proc/nowhere"],
        ["install", "--plugin", "/proc/nowhere/plugin"],
      ]) {
        const { code, err } = await desk.run(args);
        expect([args, code, err]).toEqual([
          args,
          1,
          expect.stringMatching(/^.*\/proc\/nowhere.* cannot be used.*\(ENOENT\)\.\n\S.*\n$/),
        ]);
      }
      const home = { env: { HOME: "/proc/nowhere" } };
      const { code, err } = await desk.run(["service", "install", "--for", "systemd"], home);
      expect([code, err]).toEqual([1, expect.stringMatching(/\/proc\/nowhere\S* cannot be used: .*\n\S/)]);
    },
  );

  it("SYSTEM-FAILURE-1: the system's own line is put into words, with the path and what to do", async () => {
    const file = join(desk.dir, "file");
    writeFileSync(file, "");
    mkdirSync(join(desk.dir, ".config"));
    writeFileSync(join(desk.dir, ".config", "systemd"), "");
    for (const args of [
      ["install", "--plugin", file],
      ["install", "--plugin", join(file, "below")],
      ["service", "install", "--for", "systemd"],
    ]) {
      const { code, err } = await desk.run(args);
      expect([args, code, err]).toEqual([
        args,
        1,
        expect.stringMatching(
          /^\S+ cannot be used: a file stands where a folder should be \(ENOTDIR\)\.\n\S.*\n$/,
        ),
      ]);
    }
  });
});
