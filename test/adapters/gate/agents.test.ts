// Gates of other agents
// The commands as they stand in the settings of Codex and Copilot, run by a shell as the agents run them.

import { type ChildProcess, spawn } from "node:child_process";
import { chmodSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { at, textAt } from "../../support/engine/json.ts";
import { build, Desk, jsonLines } from "../../support/processes/program.ts";
import { gateProcesses, signal } from "../../agents/hooks/processes.ts";
import { asking, RECORDED } from "../agent-hooks/recorded.ts";

const AGENTS = ["codex", "copilot"] as const;
type Agent = (typeof AGENTS)[number];

let desk: Desk;
let started: ChildProcess[];
beforeAll(() => build(), 180_000);
beforeEach(() => {
  desk = new Desk();
  started = [];
});
afterEach(async () => {
  for (const child of started) child.kill("SIGKILL");
  await desk.clear();
});

const data = (...names: string[]): string => join(desk.dir, "data", ...names);
const env = (): Record<string, string> => ({
  CODEX_HOME: join(desk.dir, "codex"),
  COPILOT_HOME: join(desk.dir, "copilot"),
});

/** @returns the command of an event's hook, as it was put in. */
async function put(agent: Agent, ...more: string[]): Promise<(event: string) => string> {
  const { code, err } = await desk.run(["install", "--agent", agent, ...more], { env: env() });
  expect([code, err]).toEqual([0, ""]);
  const path =
    agent === "codex"
      ? join(desk.dir, "codex", "hooks.json")
      : join(desk.dir, "copilot", "hooks", "signalbox.json");
  const read: unknown = JSON.parse(readFileSync(path, "utf8"));
  return (event) => textAt(read, "hooks", event, 0, "hooks", 0, "command") ?? "";
}

interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

function hook(command: string, said: unknown): Promise<Ended> {
  const child = spawn("/bin/sh", ["-c", command], { env: { PATH: process.env["PATH"] } });
  started.push(child);
  let [out, err] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (text: string) => (out += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (err += text));
  child.stdin.on("error", () => undefined);
  child.stdin.end(typeof said === "string" ? said : JSON.stringify(said));
  return new Promise((resolve) => child.once("close", (code) => resolve({ code, out, err })));
}

const decisionOf = ({ out }: Ended): unknown =>
  at(JSON.parse(out), "hookSpecificOutput", "permissionDecision");

/** What each obeys as "no"; Codex wants a reason beside it. */
const expectNo = (agent: Agent, { code, out, err }: Ended): void => {
  expect([code, out]).toEqual([2, ""]);
  if (agent === "codex") expect(err).toContain("Signalbox lets a call run on an allow alone.");
};

describe("SETTINGS-4: the gates of Codex and Copilot, as they are put in", () => {
  it.each(AGENTS)("AGENT-HOOKS-GATE-1: %s is told an allow and a denial", async (agent) => {
    const command = (await put(agent))("PreToolUse");
    await desk.up();
    const first = hook(command, asking(agent));
    await desk.run(["approve", await desk.waiting()]);
    expect([(await first).code, decisionOf(await first)]).toEqual([0, "allow"]);
    const second = hook(command, asking(agent));
    await desk.run(["deny", await desk.waiting(), "-m", "not today"]);
    expect([(await second).code, decisionOf(await second)]).toEqual([0, "deny"]);
    expect((await second).out).toContain("not today");
  });

  it.each(AGENTS)(
    "GATE-WAITING-2: %s is told no allow without an engine, nor where nobody answers",
    async (agent) => {
      const command = (await put(agent, "--timeout", "10", "--closed", "deny"))("PreToolUse");
      expect(decisionOf(await hook(command, asking(agent)))).toBe("deny");
      await desk.up();
      expect(decisionOf(await hook(command, asking(agent)))).toBe("deny");
    },
  );

  it.each(AGENTS)("WAITING-PAYLOAD-1: what %s says and nobody understands ends with 2", async (agent) => {
    const command = (await put(agent))("PreToolUse");
    for (const said of [
      "",
      "{",
      "[]",
      { hook_event_name: "PreToolUse" },
      { ...asking(agent), tool_input: 7 },
    ])
      expectNo(agent, await hook(command, said));
  });

  it.each(AGENTS)(
    "SETTINGS-4: %s's gate that is killed, crashes, is gone or cannot run ends with 2, and a reason",
    async (agent) => {
      const command = (await put(agent))("PreToolUse");
      await desk.up();
      const waiting = hook(command, asking(agent));
      signal(
        (await gateProcesses(data())).filter(({ isProgram }) => isProgram),
        "SIGKILL",
      );
      expectNo(agent, await waiting);
      const path = data("hooks", "gate");
      for (const script of ["exit 1", "kill -KILL $$", "exit 255"]) {
        writeFileSync(path, `#!/bin/sh\n${script}\n`);
        chmodSync(path, 0o700);
        expectNo(agent, await hook(command, asking(agent)));
      }
      chmodSync(path, 0o600);
      expectNo(agent, await hook(command, asking(agent)));
      rmSync(path);
      expectNo(agent, await hook(command, asking(agent)));
    },
  );

  it.each(AGENTS)(
    "PROGRAMS-1: what %s tells is known in its order, whose it is, and what became of the call",
    async (agent) => {
      const command = await put(agent);
      await desk.up();
      for (const payload of RECORDED[agent]) {
        const event = String(payload["hook_event_name"]);
        const ended = hook(command(event), payload);
        if (event === "PreToolUse") await desk.run(["approve", await desk.waiting()]);
        expect((await ended).code).toBe(0);
      }
      const session = String(RECORDED[agent][0]?.["session_id"]);
      for (;;) {
        const [call] = jsonLines((await desk.run(["ls", "calls", session, "--json"])).out);
        if (textAt(call, "execution") === "completed") break;
        await sleep(50);
      }
      const [shown] = jsonLines((await desk.run(["show", session, "--json"])).out);
      expect(shown).toMatchObject({ source: `${agent}-cli`, title: "go" });
      expect((await desk.run(["alarms", "--check"])).code).toBe(0);
      expect((await desk.run(["dlq", "ls", "--json"])).out).toBe("");
    },
  );
});
