// Notify
// The command that is run for each new question: what it is told, how many run, what comes of its failures.

import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { Notifier } from "../../adapters/notify/index.ts";
import { at, listAt } from "../support/engine/json.ts";
import { engineOf } from "../support/processes/processes.ts";
import { build, Desk } from "../support/processes/program.ts";
import { ManualClock } from "../support/engine/manual-clock.ts";
import { START_MS } from "../support/engine/rig.ts";
import { event, serve, type Served } from "../support/http/served.ts";

let served: Served;
let dir: string;
let failures: string[];
const notifiers: Notifier[] = [];

beforeEach(async () => {
  served = await serve();
  dir = mkdtempSync(join(tmpdir(), "signalbox-notify-"));
  failures = [];
});
afterEach(async () => {
  for (const notifier of notifiers.splice(0)) await notifier.stop();
  await served.stop();
  rmSync(dir, { recursive: true, force: true });
});

function notifier(command: string, limitMs?: number): Notifier {
  const made = new Notifier({
    engine: served.engine,
    queries: served.queries,
    clock: { now: () => START_MS },
    command: `cd '${dir}' && ${command}`,
    onFailing: (why) => failures.push(why),
    ...(limitMs !== undefined && { limitMs }),
  });
  notifiers.push(made);
  return made;
}

async function ask(id: string, tool = "Bash"): Promise<void> {
  const input = { command: "cat /etc/secret" };
  const said = { approvalId: id, tool, toolUseId: `call-${id}`, requestId: "r1", input };
  const asked = await served.post("/v1/events", [
    event("request.created", { requestId: "r1" }),
    event("approval.requested", said),
  ]);
  expect(asked.status).toBe(200);
}

async function deny(id: string): Promise<void> {
  expect((await served.post(`/v1/approvals/${id}/decision`, { decision: "deny" })).status).toBe(200);
}

async function until<T>(look: () => T | undefined | false): Promise<T> {
  for (;;) {
    const found = look();
    if (found !== undefined && found !== false) return found;
    await sleep(20);
  }
}

const files = (): readonly string[] => readdirSync(dir).sort();
const written = (name: string) =>
  until(() => existsSync(join(dir, name)) && readFileSync(join(dir, name), "utf8"));
const TELL =
  'env > draft.$SIGNALBOX_APPROVAL_ID && mv draft.$SIGNALBOX_APPROVAL_ID "told.$SIGNALBOX_APPROVAL_ID"';

describe("notify: the command of a question", () => {
  it("NOTIFIER-4, NOTIFY-COMMAND-1: it is told of an alarm by its kind and its ids, and not of one that is taken back", async () => {
    notifier('test -z "$SIGNALBOX_ALARM" || { env > draft && mv draft "told.$SIGNALBOX_ALARM"; }').start();
    await ask("q1");
    const call = {
      requestId: "r1",
      toolUseId: "call-q1",
      tool: "Bash",
      input: { command: "cat /etc/secret" },
    };
    await served.post("/v1/events", event("tool.started", call));
    await deny("q1");
    await served.post("/v1/events", event("tool.finished", { ...call, output: "done" }));
    const told = (await written("told.executedAfterDenial")).split("\n");
    expect(told).toContain("SIGNALBOX_CALL_ID=call-q1");
    expect(told).toContain("SIGNALBOX_TOOL=Bash");
    expect(told.join()).not.toMatch(/secret|SIGNALBOX_APPROVAL_ID/);
    await served.post(
      "/v1/events",
      event("approval.answered", { approvalId: "q1", decision: "approve", by: "terminal" }),
    );
    expect((await served.get("/v1/alarms")).body).toEqual({ items: [] });
    expect(files()).toEqual(["told.executedAfterDenial"]);
  });

  it("NOTIFIER-1, NOTIFIER-5: it is told whom rules ask, and again, once, when the next one is asked", async () => {
    await served.stop();
    const clock = new ManualClock(START_MS);
    served = await serve({ clock });
    const approvers = [
      { name: "ann" },
      { name: "ben", afterMs: 60_000 },
      { name: "$(touch pwned)", afterMs: 60_000 },
    ];
    await served.post("/v1/rules", { workspace: "shop", effect: "ask", tool: "Bash", approvers });
    notifier('env | grep APPROVERS > draft && mv draft "told.$SIGNALBOX_APPROVERS"').start();
    await ask("q1");
    expect(await written("told.ann")).toBe("SIGNALBOX_APPROVERS=ann\n");
    clock.advance(61_000);
    expect(await written("told.ben")).toBe("SIGNALBOX_APPROVERS=ben\n");
    clock.advance(61_000);
    await deny("q1");
    expect(files()).toEqual(["told.ann", "told.ben"]);
  });

  it("NOTIFY-COMMAND-1, G42: it is told the ids, and nothing of the input, of a tool that is no id, or of the engine's secrets", async () => {
    process.env["SIGNALBOX_TOKEN"] = "t0psecret";
    try {
      notifier(TELL).start();
      await ask("q1");
      await ask("q2", "Bash; touch pwned");
      const [first, second] = [await written("told.q1"), await written("told.q2")];
      const [question] = listAt((await served.get("/v1/approvals?state=pending")).body, "items");
      for (const [name, value] of [
        ["APPROVAL_ID", "q1"],
        ["SESSION", String(at(question, "sessionId"))],
        ["WORKSPACE", String(at(question, "workspace"))],
        ["TOOL", "Bash"],
      ])
        expect(first.split("\n")).toContain(`SIGNALBOX_${name}=${value}`);
      expect(second).not.toContain("SIGNALBOX_TOOL");
      expect(first + second).not.toMatch(/secret|pwned/);
    } finally {
      delete process.env["SIGNALBOX_TOKEN"];
    }
  });

  it("NOTIFY-COMMAND-1: names and ids that a shell would run are told as their hashes, or not at all", async () => {
    notifier(TELL.replaceAll('"', "")).start();
    for (const evil of ["$(touch pwned)", "`touch pwned`", "; touch pwned #", "a\nSIGNALBOX_TOOL=x", "*"]) {
      const session = { session_id: evil, prompt_id: evil, cwd: `/${evil}` };
      const hook = (more: object) => served.post("/v1/hooks/claude-code", { ...session, ...more });
      expect((await hook({ hook_event_name: "UserPromptSubmit", prompt: evil })).status).toBe(200);
      const call = { tool_name: evil, tool_input: { command: evil } };
      expect((await hook({ hook_event_name: "PermissionRequest", ...call })).status).toBe(200);
      const said = { approvalId: evil, requestId: "r1", tool: "Bash", input: {} };
      expect((await served.post("/v1/events", event("approval.requested", said))).status).toBe(400);
    }
    const done = await until(() => {
      const names = files().filter((name) => name.startsWith("told."));
      return names.length === 5 && names;
    });
    expect(files()).toEqual(done);
    for (const name of done) {
      const told = readFileSync(join(dir, name), "utf8").match(/^SIGNALBOX_.*$/gm) ?? [];
      expect(told).toHaveLength(3);
      for (const line of told)
        expect(line).toMatch(/^SIGNALBOX_(APPROVAL_ID|SESSION|WORKSPACE)=[\w-]{1,128}$/);
    }
    expect(failures).toEqual([]);
  });

  it("NOTIFIER-3: a command that is not there is told, and the engine goes on", async () => {
    notifier("exec no-such-program-anywhere").start();
    await ask("q1");
    expect(await until(() => failures[0])).toBe("it ended with exit code 127");
    await deny("q1");
  });

  it("NOTIFIER-3: a signal that ended it is told by its name", async () => {
    notifier("kill -TERM $$").start();
    await ask("q1");
    expect(await until(() => failures[0])).toBe("it ended with SIGTERM");
  });

  it("NOTIFY-COMMAND-2: it ends within its time, with what it has started", async () => {
    notifier("{ sleep 600 & } && echo $! > child && wait", 500).start();
    await ask("q1");
    const pid = Number(await written("child"));
    expect(await until(() => failures[0])).toBe("it took longer than 500 ms");
    await until(() => hasEnded(pid));
  });

  it("NOTIFIER-1: a question that waited before, or was answered while the journal was read, is not told", async () => {
    await ask("before");
    const late = notifier(TELL);
    await ask("answered");
    await ask("waits");
    await deny("answered");
    late.start();
    await ask("new");
    await Promise.all(["told.waits", "told.new"].map(written));
    await late.stop();
    expect(files().filter((name) => name.startsWith("told."))).toEqual(["told.new", "told.waits"]);
  });

  it("NOTIFIER-2: four run at once, and the engine goes on while they hang", async () => {
    notifier("echo + >> log && while [ ! -e go ]; do sleep 0.05; done; echo - >> log").start();
    for (let n = 0; n < 9; n++) await ask(`q${n}`);
    const log = () =>
      existsSync(join(dir, "log")) ? readFileSync(join(dir, "log"), "utf8").trim().split("\n") : [];
    await until(() => log().length === 4);
    await deny("q8");
    writeFileSync(join(dir, "go"), "");
    await until(() => log().filter((line) => line === "-").length === 8);
    let running = 0;
    const most = log().map((line) => (running += line === "+" ? 1 : -1));
    expect(Math.max(...most)).toBe(4);
  });

  it("NOTIFIER-3: a failure is told once, and again only after the command has worked; between them it is a trouble", async () => {
    const made = notifier("echo $SIGNALBOX_APPROVAL_ID >> log; [ -e works ]");
    made.start();
    expect(made.troubles()).toEqual([]);
    const run = async (id: string) => {
      await ask(id);
      await until(() => existsSync(join(dir, "log")) && readFileSync(join(dir, "log"), "utf8").includes(id));
    };
    await run("q1");
    await run("q2");
    await until(() => failures.length > 0);
    expect(made.troubles()).toMatchObject([
      {
        code: "NOTIFY_FAILS",
        since: START_MS,
        isEssential: false,
        message: expect.stringContaining("exit code 1") as unknown,
      },
    ]);
    writeFileSync(join(dir, "works"), "");
    await run("q3");
    await run("q4");
    await until(() => made.troubles().length === 0);
    rmSync(join(dir, "works"));
    await run("q5");
    await until(() => failures.length > 1);
    expect(failures).toEqual(["it ended with exit code 1", "it ended with exit code 1"]);
  });
});

function hasEnded(pid: number): boolean {
  try {
    // One that nobody has waited for yet has ended all the same.
    return readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)?.startsWith("Z") ?? true;
  } catch {
    return true;
  }
}

describe("notify: up --notify-cmd", () => {
  const desk = new Desk();
  beforeAll(() => build(), 180_000);

  it("NOTIFY-COMMAND-3: an engine that is killed leaves none of its commands behind", async () => {
    const own = new Desk();
    try {
      const pids = join(own.dir, "pids");
      const { engine } = await own.up("--notify-cmd", `sleep 600 & echo $! $$ > '${pids}'; wait`);
      const data = JSON.stringify({ approvalId: "q1", tool: "Bash", requestId: "r1", input: {} });
      for (const [type, said] of [
        ["request.created", '{"requestId":"r1"}'],
        ["approval.requested", data],
      ] as const)
        expect((await own.run(["emit", type, "--subject", "w/s", "--body", said])).err).toBe("");
      const text = await until(() => existsSync(pids) && readFileSync(pids, "utf8"));
      const [asleep = 0, shell = 0] = text.trim().split(" ").map(Number);
      expect([asleep, shell].map(hasEnded)).toEqual([false, false]);
      process.kill(engineOf(engine), "SIGKILL");
      await until(() => hasEnded(asleep) && hasEnded(shell));
    } finally {
      await own.clear();
    }
  });

  it("NOTIFIER-1: a restart tells no question again", async () => {
    const out = join(desk.dir, "told");
    const notify = ["--notify-cmd", `echo $SIGNALBOX_APPROVAL_ID >> '${out}'`];
    const askAt = async (url: string, id: string) => {
      const data = JSON.stringify({ approvalId: id, tool: "Bash", requestId: "r1", input: {} });
      const said = ["--subject", "w/s", "--body", data, "--url", url];
      const emitted = await desk.run(["emit", "approval.requested", ...said]);
      expect(emitted.err).toBe("");
      await until(() => existsSync(out) && readFileSync(out, "utf8").includes(id));
    };
    try {
      const first = await desk.up(...notify);
      await askAt(first.url, "q1");
      first.engine.child.kill("SIGTERM");
      await first.engine.ended;
      const second = await desk.up(...notify);
      await askAt(second.url, "q2");
      expect(readFileSync(out, "utf8")).toBe("q1\nq2\n");
    } finally {
      await desk.clear();
    }
  });
});
