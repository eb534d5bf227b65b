// A client that is gone
// The observing hook as it is installed, run for a client that is killed afterwards: what the engine says of its session.

import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { at, textAt } from "../../support/engine/json.ts";
import { build, Desk, jsonLines } from "../../support/processes/program.ts";

let desk: Desk;
let client: ChildProcess;
beforeAll(() => build(), 180_000);
beforeEach(async () => {
  desk = new Desk();
  client = spawn("sleep", ["600"]);
  expect((await desk.run(["install"])).code).toBe(0);
});
afterEach(async () => {
  client.kill("SIGKILL");
  await desk.clear();
});

/** Runs the hook as a client does. @param pid the client's; 0 where the hook does not know it. */
function told(name: string, more: object = {}, pid = client.pid ?? 0): Promise<void> {
  const child = spawn(join(desk.dir, "data", "hooks", "observe"), [], {
    env: { PATH: process.env["PATH"], CLAUDE_PID: String(pid) },
    stdio: ["pipe", "ignore", "ignore"],
  });
  const said = { session_id: "s1", cwd: "/home/dev/shop", tool_name: "Bash", tool_input: { command: "ls" } };
  child.stdin.end(JSON.stringify({ ...said, hook_event_name: name, ...more }));
  return new Promise((resolve) => child.once("close", () => resolve()));
}
async function until(state: string): Promise<void> {
  for (;;) {
    const [session] = jsonLines((await desk.run(["ls", "sessions", "--json"])).out);
    if (textAt(session, "state") === state) return;
    await sleep(50);
  }
}

describe("CLIENT-WATCH-1: a client that is killed", () => {
  it("CLIENT-WATCH-1: has its session ended, and its call is without a result; a resumed one goes on", async () => {
    await desk.up();
    await told("SessionStart", { source: "startup" });
    await told("PreToolUse", { tool_use_id: "t1" });
    await until("running");
    client.kill("SIGKILL");
    await until("ended");
    const [call] = jsonLines((await desk.run(["show", "t1", "--json"])).out);
    expect([at(call, "execution"), at(call, "missing", "evidence")]).toEqual([
      "missing-post",
      "process-gone",
    ]);
    await told("SessionStart", { source: "resume" }, 0);
    await until("idle");
  });
});
