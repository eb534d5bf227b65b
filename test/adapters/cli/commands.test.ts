// Commands
// Each command as a user types it: help, JSON, exit codes, refusals.

import { readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { build, Desk, type Ended, jsonLines } from "../../support/processes/program.ts";
import { at, textAt } from "../../support/engine/json.ts";
import { recordingPath } from "../../support/sessions/recording.ts";

const COMMANDS = readdirSync(join(import.meta.dirname, "../../../adapters/cli/commands"), {
  recursive: true,
  encoding: "utf8",
})
  .filter((name) => name.endsWith(".ts"))
  .map((name) => basename(name, ".ts"));
/** Commands of several actions. */
const ACTIONS: Readonly<Record<string, readonly string[]>> = {
  audit: ["show", "verify", "prove", "export", "attest", "coverage", "keys"],
  cluster: ["init", "up", "status"],
  dlq: ["ls", "show", "retry", "dismiss", "reopen"],
  rules: "ls add rm enforce test suggest check diff apply export schema".split(" "),
  service: ["install", "uninstall", "print"],
  token: ["add", "ls", "rm"],
};
const SESSION = "08ae6fb8-f708-4d38-b0f1-079c391bd7f6";
let desk: Desk;
let url: string;

beforeAll(async () => {
  await build();
  desk = new Desk();
  ({ url } = await desk.up());
  await desk.run([
    "replay",
    "--url",
    url,
    recordingPath("s1-ten-allowed", "hooks.jsonl"),
    recordingPath("s9-resume-fork", ""),
  ]);
}, 180_000);
afterAll(() => desk.clear());

const run = (...args: readonly string[]): Promise<Ended> => desk.run(args);
const emit: Desk["emit"] = (...said) => desk.emit(...said);

describe.concurrent("help", () => {
  it("CLI: the program's help names every command", async () => {
    const { code, out } = await run("--help");
    expect(code).toBe(0);
    for (const name of COMMANDS) expect(out).toMatch(new RegExp(`^ {2}${name} `, "m"));
  });

  it.each(COMMANDS)("CLI: %s has help with an example", async (name) => {
    const { code, out } = await run(name, "--help");
    expect(code).toBe(0);
    expect(out).toContain("Usage: signalbox " + name);
    expect(out).toContain(`npx signalbox ${name}`);
    if (!(name in ACTIONS)) expect(out).toContain("--json");
  });
});

describe.concurrent("a command of several actions", () => {
  it.each(Object.entries(ACTIONS).flatMap(([name, actions]) => actions.map((action) => [name, action])))(
    "CLI: %s %s has help of its own with an example",
    async (name = "", action = "") => {
      const { code, out } = await run(name, action, "--help");
      expect(code).toBe(0);
      expect(out).toContain(`Usage: signalbox ${name} ${action}`);
      expect(out).toContain(`npx signalbox ${name} ${action}`);
      expect(out).toContain("--json");
    },
  );

  it.each(Object.keys(ACTIONS))(
    "CLI: %s without an action tells its actions, and exits with 2",
    async (name) => {
      const { code, out, err } = await run(name);
      expect([code, out]).toEqual([2, ""]);
      for (const action of ACTIONS[name] ?? []) expect(err).toMatch(new RegExp(`^ {2}${action} `, "m"));
    },
  );
});

describe.concurrent("usage", () => {
  it.each([
    [[]],
    [["frobnicate"]],
    [["ls", "--frobnicate"]],
    [["ls", "cows"]],
    [["ls", "calls"]],
    [["ls", "--limit", "0"]],
    [["show"]],
    [["intent"]],
    [["intent", "a.jsonl", "toolu_1", "--tool", "Bash"]],
    [["intent", "a.jsonl", "--input", "{}"]],
    [["intent", "a.jsonl", "--tool", "Bash", "--at", "noon"]],
    [["dlq", "retry"]],
    [["dlq", "retry", "zero"]],
    [["dlq", "eat", "1"]],
    [["approve"]],
    [["emit", "request.created"]],
    [["emit", "request.created", "--subject", "a/b", "--body", "{"]],
    [["emit", "request.created", "--subject", "a/b", "--data", "{}"]],
    [["callback", "r1"]],
    [["callback", "r1", "lost"]],
    [["replay"]],
    [["replay", "x.jsonl", "--speed", "fast"]],
    [["up", "--port", "70000"]],
    [["up", "--nats", "ftp://localhost"]],
    [["export", "--format", "mermaid"]],
    [["ls", "--url", "ftp://x"]],
    [["sweep", "--all"]],
  ])("PROGRAM-1: %j is a wrong command line: exit code 2, and why on standard error", async (args) => {
    const { code, out, err } = await run(...args);
    expect([code, out]).toEqual([2, ""]);
    const [name = ""] = args;
    if (name === "") return expect(err).toContain("Usage: signalbox");
    const [, action = ""] = args;
    const own = COMMANDS.includes(name) ? [name, ...(ACTIONS[name]?.includes(action) ? [action] : [])] : [];
    expect(err.trimEnd().split("\n").at(-1)).toBe(
      `See \`${["npx signalbox", ...own, "--help"].join(" ")}\`.`,
    );
    expect(err.trimEnd().split("\n").length).toBeGreaterThan(1);
  });

  it("PROGRAM-1: without an engine, the message says how to start one", async () => {
    const none = await desk.run(["ls"], { env: { SIGNALBOX_DATA: join(desk.dir, "none") } });
    expect([none.code, none.err]).toEqual([1, expect.stringContaining("npx signalbox up")]);
    const gone = await run("ls", "--url", "http://127.0.0.1:9");
    expect([gone.code, gone.err]).toEqual([1, expect.stringContaining("npx signalbox up")]);
  });

  it("CONNECTION-1: an address where no engine of this folder is says so; a token goes nowhere by plain HTTP", async () => {
    const away = ["ls", "--url", "http://example.invalid:4280"] as const;
    const none = await run(...away);
    expect([none.code, none.err]).toEqual([1, expect.stringContaining("No engine answers")]);
    const open = await desk.run(away, { env: { SIGNALBOX_TOKEN: "a-token-of-a-person" } });
    expect([open.code, open.err]).toEqual([1, expect.stringContaining("could read a token for")]);
  });

  it("PROGRAM-1: the message about a wrong token names where the token came from", async () => {
    const { code, err } = await desk.run(["ls"], { env: { SIGNALBOX_TOKEN: "wrong" } });
    expect([code, err]).toEqual([1, expect.stringContaining("SIGNALBOX_TOKEN")]);
  });
});

describe("ls, show, export", () => {
  it("S1.48: ls lists sessions, requests and calls, as a table and as JSON lines", async () => {
    const table = await run("ls");
    expect(table.out).toMatch(/^SESSION +STATE +CALLS +LAST +TITLE +FOLDER +CLIENT/);
    expect(table.out).toContain(SESSION);
    const sessions = jsonLines((await run("ls", "--json")).out);
    expect(sessions.map((session) => textAt(session, "id"))).toContain(SESSION);
    const requests = jsonLines((await run("ls", "requests", "--state", "completed", "--json")).out);
    expect(new Set(requests.map((request) => textAt(request, "state")))).toEqual(new Set(["completed"]));
    const calls = jsonLines((await run("ls", "calls", SESSION, "--json")).out);
    expect(calls.map((call) => textAt(call, "execution"))).toEqual(
      Array.from({ length: 10 }, () => "completed"),
    );
  });

  it("S1.48: show finds a session, a request and a call by the id alone", async () => {
    const [session] = jsonLines((await run("show", SESSION, "--json")).out);
    expect(session).toMatchObject({ kind: "session", id: SESSION, cwd: "/home/dev/shop" });
    const [call] = jsonLines((await run("show", "toolu_01S1call01xxxxxxxxxxxxxx", "--json")).out);
    expect(call).toMatchObject({ kind: "call", sessionId: SESSION, execution: "completed" });
    const [request] = jsonLines((await run("show", textAt(call, "requestId") ?? "", "--json")).out);
    expect(request).toMatchObject({ kind: "request", sessionId: SESSION, state: "completed" });
    expect((await run("show", SESSION)).out).toContain("toolu_01S1call10xxxxxxxxxxxxxx");
  });

  it("CLI: for an id that two sessions have, the answer lists the commands that tell them apart", async () => {
    const { code, err } = await run("show", "toolu_01S9p1call01xxxxxxxxxxxx");
    expect(code).toBe(1);
    const choices = [...err.matchAll(/signalbox (show \S+ --session \S+)/g)].map(([, command = ""]) =>
      command.split(" "),
    );
    expect(choices).toHaveLength(2);
    for (const choice of choices) expect((await run(...choice, "--json")).code).toBe(0);
  });

  it("CLI: an unknown id is exit code 1", async () => {
    expect((await run("show", "nobody")).code).toBe(1);
    expect((await run("export", "nobody")).code).toBe(1);
  });

  it("CLI: export gives sessions, requests, calls and changes in the order they happened", async () => {
    const lines = jsonLines((await run("export", SESSION)).out);
    const kinds = lines.map((line) => textAt(line, "kind"));
    expect(kinds.filter((kind) => kind === "call")).toHaveLength(10);
    const versions = lines
      .filter((line) => textAt(line, "kind") === "change")
      .map((line) => at(line, "version"));
    expect(versions).toEqual(versions.map((_, index) => index + 1));
  });

  it("CLI: export draws a machine as Mermaid, every state of it", async () => {
    const { out } = await run("export", "--machine", "call", "--format", "mermaid");
    expect(out).toMatch(/^stateDiagram-v2/);
    for (const state of [
      "created",
      "queued",
      "processing",
      "completed",
      "failed",
      "denied",
      "missing-post",
    ]) {
      expect(out).toContain(`"${state}"`);
    }
    expect(jsonLines((await run("export", "--machine", "call")).out)).toHaveLength(1);
    expect((await run("export", "--machine", "cow")).code).toBe(1);
  });
});

describe("ids and times", () => {
  it("CLI: no list ever cuts an id, and a call that awaits an approval names it", async () => {
    const long = (start: string): string => start.padEnd(128, "x");
    const [requestId, toolUseId, approvalId] = [long("r-"), long("t-"), long("a-")];
    const subject = `shop/${long("s-")}`;
    const call = { requestId, toolUseId, tool: "Bash", input: { command: "ls", startedAt: 7 } };
    await emit("request.created", { requestId }, subject);
    await emit("tool.started", call, subject);
    await emit("approval.requested", { ...call, approvalId }, subject);
    expect((await run("ls")).out).toContain(`\n${long("s-")}  `);
    expect((await run("ls", "requests")).out).toContain(`\n${requestId}  `);
    expect((await run("ls", "calls", long("s-"))).out).toMatch(
      new RegExp(
        `\n${toolUseId} {2}Bash {2}processing {2}waits for ${approvalId} {2}${" ".repeat("INTENT".length)} {2}ls\n$`,
      ),
    );
    const { out } = await run("show", toolUseId);
    const time = String.raw`\d{4}-\d\d-\d\dT[\d:.]+Z`;
    expect(out).toMatch(new RegExp(`^createdAt +${time}$`, "m"));
    expect(out).toMatch(new RegExp(`^approval +{.*"at":"${time}"`, "m"));
    expect(out).toMatch(/"startedAt": 7\n/);
    expect((await run("show", long("s-"))).out).toMatch(new RegExp(`^lastEvent +{.*"at":"${time}"`, "m"));
    expect((await run("deny", approvalId)).code).toBe(0);
  });
});

describe("watch", () => {
  it("CLI: a live session is shown by title and folder, with its calls as they happen", async () => {
    const watching = desk.start(["watch"]);
    await watching.said(/Watching/);
    await run("replay", "--url", url, recordingPath("s3-permreq-deny", "hooks.jsonl"));
    await watching.said(/\[\[s3-permreq-deny\]\].* · \/home\/dev\/shop .*Denied +Bash/);
    watching.child.kill("SIGINT");
    const { code, out } = await watching.ended;
    expect(code).toBe(0);
    expect(out).toMatch(/Running +Bash/);
    expect(out.replaceAll("\n", "")).not.toMatch(/\p{Cc}/u);
  });

  it("CLI: watch --session waits for a session that does not exist yet, says so, and shows it when it comes", async () => {
    const known = desk.start(["watch", "--session", SESSION]);
    await known.said(/Watching/);
    expect(known.err).not.toContain("No session");
    const watching = desk.start(["watch", "--session", "zzz"]);
    await watching.said(/^No session zzz yet; waiting for it\.\nWatching/);
    await emit("tool.started", { tool: "Read", toolUseId: "t-zzz", input: { path: "x" } }, "shop/zzz");
    await watching.said(/zzz {2}Running +Read {2}x/);
  });

  it("CLI, CLI-CLIENT-1: watch --json prints each change as one line, and goes on after the engine restarts", async () => {
    const other = new Desk();
    try {
      const { engine, url: address } = await other.up();
      const watching = other.start(["watch", "--json"]);
      await watching.said(/Watching/);
      await other.run(["replay", "--url", address, recordingPath("s5-fail", "hooks.jsonl")]);
      await watching.said(/"to":"idle"/);
      const { port } = new URL(address);
      engine.child.kill("SIGTERM");
      await engine.ended;
      await watching.said(/connection is lost/);
      await other.start(["up", "--port", port]).said(/runs at/);
      await other.run(["replay", "--url", address, recordingPath("s7-intent", "hooks.jsonl")]);
      await watching.said(/s7-intent[^]*"to":"completed"/);
      const numbers = jsonLines(watching.out.slice(0, watching.out.lastIndexOf("\n") + 1)).map((line) =>
        at(line, "n"),
      );
      expect(numbers).toEqual(numbers.map((_, index) => index + 1));
      expect(watching.err.match(/connection is lost/g)).toHaveLength(1);
      expect(watching.err.match(/answers again/g)).toHaveLength(1);
    } finally {
      await other.clear();
    }
  });
});
