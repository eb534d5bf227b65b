// The hooks as they are installed
// The two programs of a data folder, run as the client runs them, against an engine that runs, dies, stands still or is
// not there.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { childrenOf } from "../../support/client/claude.ts";
import { at, textAt } from "../../support/engine/json.ts";
import { build, Desk, jsonLines } from "../../support/processes/program.ts";
import { bySocket } from "../../support/http/by-socket.ts";

let desk: Desk;
let started: ChildProcess[];
beforeAll(() => build(), 180_000);
beforeEach(async () => {
  desk = new Desk();
  started = [];
  const { code, err } = await desk.run(["install"]);
  expect([code, err]).toEqual([0, ""]);
});
afterEach(async () => {
  for (const child of started) child.kill("SIGKILL");
  await desk.clear();
});

/** What the command demands, as `install` writes it. */
const PROOF = ["--proof", "1"];
const data = (...names: string[]): string => join(desk.dir, "data", ...names);
const payload = {
  session_id: "s1",
  cwd: "/home/dev/shop",
  hook_event_name: "PermissionRequest",
  tool_name: "Bash",
  tool_input: { command: "make deploy" },
};

interface Ended {
  readonly code: number | null;
  readonly out: string;
}

function hook(
  name: "gate" | "observe",
  said: unknown,
  args: readonly string[] = [],
  env = {},
): Promise<Ended> {
  const child = spawn(data("hooks", name), args, {
    env: { PATH: process.env["PATH"], ...env },
    stdio: ["pipe", "pipe", "ignore"],
  });
  started.push(child);
  let out = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (out += text));
  child.stdin.on("error", () => undefined);
  child.stdin.end(typeof said === "string" ? said : JSON.stringify(said));
  return new Promise((resolve) => child.once("close", (code) => resolve({ code, out })));
}
const gate = (timeoutS = 60, env = {}, ...more: readonly string[]): Promise<Ended> =>
  hook("gate", payload, ["--timeout", String(timeoutS), ...PROOF, ...more], env);
const decisionOf = ({ out }: Ended): unknown =>
  out === "" ? "none" : at(JSON.parse(out), "hookSpecificOutput", "decision");

describe("I-39: the gate's program", () => {
  it("I-39: an approve on the command line is what it prints, and a denial with its words", async () => {
    await desk.up();
    const [first] = [gate(), await desk.waiting()];
    await desk.run(["approve", await desk.waiting()]);
    expect([(await first).code, decisionOf(await first)]).toEqual([0, { behavior: "allow" }]);
    const second = gate();
    await desk.run(["deny", await desk.waiting(), "-m", "not today", "--interrupt"]);
    expect(decisionOf(await second)).toEqual({ behavior: "deny", message: "not today", interrupt: true });
  });

  it("GATE-LINE-4, C6: it says that the client has the answer, and ends as soon as that has left", async () => {
    await desk.up();
    const waiting = gate();
    const id = await desk.waiting();
    await desk.run(["approve", id]);
    await waiting;
    for (;;) {
      const [shown] = jsonLines((await desk.run(["show", id, "--json"])).out);
      if (at(shown, "receipt", "step") === "taken") return;
      await sleep(20);
    }
  });

  it("I-39: two who answer at once: what it prints is the answer that counted", async () => {
    await desk.up();
    const waiting = gate();
    const id = await desk.waiting();
    const [yes, no] = await Promise.all([desk.run(["approve", id]), desk.run(["deny", id, "-m", "no"])]);
    expect([yes.code, no.code].toSorted()).toEqual([0, 1]);
    expect(textAt(decisionOf(await waiting), "behavior")).toBe(yes.code === 0 ? "allow" : "deny");
  });

  it("I-39: without an engine it is closed: denied, or left to the client's own dialog; the engine learns of both", async () => {
    expect(textAt(decisionOf(await gate()), "message")).toMatch(/no engine has run/);
    expect(decisionOf(await gate(60, {}, "--closed", "ask"))).toBe("none");
    expect(readdirSync(data("spool"))).toHaveLength(2);
    await desk.up();
    for (;;) {
      const { out } = await desk.run(["ls", "sessions", "--json"]);
      if (out !== "") break;
    }
    expect(await approvalsIn("expired")).toHaveLength(2);
    expect(readdirSync(data("spool"))).toEqual([]);
  });

  it("GATE-MAIN-4: a command that demands no proof, or another one, lets nothing run", async () => {
    await desk.up();
    for (const args of [[], ["--proof", "0"], ["--proof", "2"]]) {
      expect(await hook("gate", payload, ["--timeout", "60", ...args])).toEqual({ code: 2, out: "" });
    }
  });

  it("GATE-MAIN-1: its program is one file, and imports nothing but Node", () => {
    const imported = readFileSync(data("hooks", "gate.cjs"), "utf8").matchAll(/\brequire\("([^"]*)"\)/g);
    const names = [...imported].map(([, name = ""]) => name);
    expect(names.length).toBeGreaterThan(3);
    expect(names.filter((name) => !name.startsWith("node:"))).toEqual([]);
  });

  it("GATE-WAITING-3: it waits on through an engine that is killed, and one that stands still", async () => {
    const { engine } = await desk.up();
    const waiting = gate();
    const id = await desk.waiting();
    const [process_ = 0] = childrenOf(engine.child.pid ?? 0);
    process.kill(process_, "SIGKILL");
    while (childrenOf(engine.child.pid ?? 0).every((pid) => pid === process_)) await sleep(20);
    await desk.shownAs(id, "pending");
    const now = childrenOf(engine.child.pid ?? 0);
    for (const pid of now) process.kill(pid, "SIGSTOP");
    for (const pid of now) process.kill(pid, "SIGCONT");
    await desk.run(["approve", id]);
    expect(decisionOf(await waiting)).toEqual({ behavior: "allow" });
  });

  it("I-39: an engine that stands still from the start does not hold it for more than its two seconds", async () => {
    const { engine } = await desk.up();
    const pids = childrenOf(engine.child.pid ?? 0);
    for (const pid of pids) process.kill(pid, "SIGSTOP");
    try {
      expect(textAt(decisionOf(await gate()), "message")).toMatch(/no engine took the approval in time/);
      expect((await hook("observe", { ...payload, hook_event_name: "Stop" })).code).toBe(0);
    } finally {
      for (const pid of pids) process.kill(pid, "SIGCONT");
    }
  });

  it("I-39: unanswered five seconds before the client's time-out: closed, and expired here", async () => {
    await desk.up();
    expect(textAt(decisionOf(await gate(8)), "behavior")).toBe("deny");
    expect(await approvalsIn("expired")).toHaveLength(1);
  });

  it("GATE-MAIN-3: killed, its approval is withdrawn; so it is when its client is gone", async () => {
    await desk.up();
    const killed = gate();
    const id = await desk.waiting();
    for (const child of started) for (const pid of childrenOf(child.pid ?? 0)) process.kill(pid, "SIGKILL");
    expect((await killed).code).toBe(2);
    await desk.shownAs(id, "withdrawn");
    const client = spawn("sleep", ["600"]);
    const orphan = gate(60, { CLAUDE_PID: String(client.pid) });
    const second = await desk.waiting();
    client.kill("SIGKILL");
    expect(await orphan).toEqual({ code: 2, out: "" });
    await desk.shownAs(second, "withdrawn");
  });

  it("GATE-MAIN-3: ended by its client, as when somebody answers at the terminal, it takes its approval away first", async () => {
    await desk.up();
    const ended = gate();
    const id = await desk.waiting();
    for (const child of started) for (const pid of childrenOf(child.pid ?? 0)) process.kill(pid, "SIGTERM");
    expect(await ended).toEqual({ code: 2, out: "" });
    const [shown] = jsonLines((await desk.run(["show", id, "--json"])).out);
    expect(textAt(shown, "state")).toBe("withdrawn");
  });

  it("WAITING-PAYLOAD-1: a payload of another version, which it does not understand, is closed, and asks nobody", async () => {
    const events = [{ hook_event_name: "PermissionAsked" }, { hook_event_name: undefined }];
    for (const other of [...events, { tool_name: {} }, { tool_input: undefined }, { session_id: 7 }])
      expect(await hook("gate", { ...payload, ...other }, ["--timeout", "60", ...PROOF])).toEqual({
        code: 2,
        out: "",
      });
    expect(readdirSync(data("spool"))).toEqual([]);
  });

  it("PROGRAMS-2, GATE-MAIN-2: where Node or its program is gone, or it is told nonsense, it ends with 2 and says nothing", async () => {
    expect(await hook("gate", "no JSON", ["--timeout", "60", ...PROOF])).toEqual({ code: 2, out: "" });
    const nobodys = ["--timeout", "60", "--client", "nobody"];
    for (const args of [
      ["--timeout", "3"],
      ["--timeout", "60", "--closed", "allow"],
      ["--workspace"],
      nobodys,
    ])
      expect(await hook("gate", payload, [...PROOF, ...args])).toEqual({ code: 2, out: "" });
    rmSync(data("hooks", "gate.cjs"));
    expect(await gate()).toEqual({ code: 2, out: "" });
    const script = readFileSync(data("hooks", "gate"), "utf8");
    writeFileSync(data("hooks", "gate"), script.replace(process.execPath, "/nowhere/node"));
    expect(await gate()).toEqual({ code: 2, out: "" });
  });

  async function approvalsIn(state: string): Promise<readonly unknown[]> {
    for (;;) {
      const response = await bySocket(data())(`/v1/approvals?state=${state}`);
      const items = at(await response.json(), "items") as readonly unknown[];
      if (items.length > 0) return items;
      await sleep(50);
    }
  }
});

describe("PROGRAMS-1: the observing hook", () => {
  it("PROGRAMS-1: it leaves what it was told, whole, with who its client is, and ends with 0", async () => {
    const said = JSON.stringify({ ...payload, big: "ü".repeat(300_000) });
    const env = { CLAUDE_PID: "77" };
    expect(await hook("observe", said, ["none", "mine"], env)).toEqual({ code: 0, out: "" });
    const [name = "", ...others] = readdirSync(data("spool"));
    expect(others).toEqual([]);
    expect(readFileSync(data("spool", name), "utf8")).toBe(`1 77 mine\n${said}`);
    rmSync(data("spool", name));
    await hook("observe", "{}", ["all", "-", "tiny"], env);
    const [second = ""] = readdirSync(data("spool"));
    expect(readFileSync(data("spool", second), "utf8")).toBe("1 77 - client=tiny gated=all\n{}");
  });

  it("PROGRAMS-1: what an earlier hook under its process id left unfinished does not keep it from writing", async () => {
    const script = `printf x >'${data("spool")}'/.$$-0; exec '${data("hooks", "observe")}'`;
    const child = spawn("/bin/sh", ["-c", script], { stdio: ["pipe", "ignore", "ignore"] });
    child.stdin.end("{}");
    await once(child, "close");
    const left = readdirSync(data("spool")).toSorted();
    expect(left).toEqual([`.${child.pid ?? 0}-0`, `${child.pid ?? 0}-1`]);
  });

  it("PROGRAMS-1: without its folder, with one that is full or cannot be written, it still ends with 0", async () => {
    mkdirSync(data("spool"), { recursive: true });
    for (let n = 0; n < 16_385; n++) writeFileSync(data("spool", `1700000000-${n}`), "");
    expect(await hook("observe", payload)).toEqual({ code: 0, out: "" });
    expect(readFileSync(data("spool", "dropped"), "utf8")).toBe(".");
    rmSync(data("spool"), { recursive: true });
    expect(await hook("observe", payload)).toEqual({ code: 0, out: "" });
    mkdirSync(data("spool"));
    chmodSync(data("spool"), 0o500);
    expect(await hook("observe", payload)).toEqual({ code: 0, out: "" });
    chmodSync(data("spool"), 0o700);
  });

  it("SPOOL-FILE-1, C7: a call that ran though every call was to ask a gate, and none asked, raises an alarm", async () => {
    await desk.up();
    const call = { tool_use_id: "t1", tool_name: "Bash", tool_input: { command: "ls" } };
    const said = { session_id: "s1", cwd: "/home/dev/shop", ...call };
    await hook("observe", { ...said, hook_event_name: "PreToolUse" });
    await hook("observe", { ...said, hook_event_name: "PostToolUse", tool_response: "a" }, ["all"]);
    for (;;) {
      const [alarm] = jsonLines((await desk.run(["alarms", "--json"])).out);
      if (alarm === undefined) continue;
      expect(alarm).toMatchObject({ state: "gateFailedOpen", callId: "t1", because: "never-asked" });
      return;
    }
  });

  it("SPOOL-1: what was spooled while no engine ran is known as soon as one does, in its order", async () => {
    const call = { tool_use_id: "t1", tool_name: "Bash", tool_input: { command: "ls" } };
    const events = [
      { hook_event_name: "UserPromptSubmit", prompt: "list it", prompt_id: "p1" },
      { hook_event_name: "PreToolUse", prompt_id: "p1", ...call },
      { hook_event_name: "PostToolUse", prompt_id: "p1", ...call, tool_response: "a b" },
      { hook_event_name: "Stop", prompt_id: "p1" },
    ];
    for (const event of events) await hook("observe", { session_id: "s1", cwd: "/home/dev/shop", ...event });
    await desk.up();
    for (;;) {
      const calls = jsonLines((await desk.run(["ls", "calls", "s1", "--json"])).out);
      const [request] = jsonLines((await desk.run(["ls", "requests", "--json"])).out);
      if (textAt(request, "state") !== "completed") continue;
      expect(calls.map((one) => [textAt(one, "id"), textAt(one, "execution")])).toEqual([
        ["t1", "completed"],
      ]);
      return;
    }
  });
});
