// The proxy as a process
// A scripted editor and a scripted agent, with `signalbox acp` between them, and an engine that runs, dies or is not there.
// A file tells whether what was asked about ran.

import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Step } from "../../../support/acp/agent.ts";
import { Editor, picks } from "../../../support/acp/editor.ts";
import { linesOf, type Reply } from "../../../support/agent-proxy/client.ts";
import { at, textAt } from "../../../support/engine/json.ts";
import { build, Desk, jsonLines, type Started } from "../../../support/processes/program.ts";

const AGENT = join(import.meta.dirname, "..", "..", "..", "support", "acp", "agent.ts");
const START_MAX_MS = 180_000;

let desk: Desk;
let ran: string;
let log: string;
beforeAll(() => build(), START_MAX_MS);
beforeEach(() => {
  desk = new Desk();
  [ran, log] = [join(desk.dir, "ran"), join(desk.dir, "log")];
});
afterEach(() => desk.clear());

const data = (): string => join(desk.dir, "data");
function proxied(reply?: Reply, ...args: readonly string[]): { editor: Editor; proxy: Started } {
  const agent = ["--", process.execPath, "--import", "tsx", AGENT, log];
  // No variable names the folder to a program that an editor starts.
  const proxy = desk.start(["acp", "--data", data(), ...args, ...agent], {
    keepInput: true,
    env: { SIGNALBOX_DATA: "" },
  });
  return { editor: new Editor(proxy.child, reply), proxy };
}

const CALL = { toolCallId: "c1", title: "Run", kind: "execute", rawInput: { command: "touch ran" } };
const call = (status: string): Step => ({
  do: "update",
  update: { sessionUpdate: status === "pending" ? "tool_call" : "tool_call_update", ...CALL, status },
});
const ask = (): Step => ({ do: "ask", call: CALL, ran });
const heard = (): string => linesOf(log).join("\n");

describe("with an engine", () => {
  it("OPEN-APPROVAL-1, PROXY-GATES-1, PROXY-GATES-3, AGENT-COMMAND-2: the panel's allow lets the call run, and the editor's dialog is taken back", async () => {
    await desk.up();
    const { editor, proxy } = proxied();
    await editor.begin();
    const turn = editor.prompt(call("pending"), ask(), call("completed"));
    const id = await desk.waiting();
    expect(existsSync(ran)).toBe(false);
    await desk.run(["approve", id]);
    await turn;
    expect(existsSync(ran)).toBe(true);
    await editor.told("$/cancel_request");
    expect(heard()).not.toContain("allow_always");
    expect(proxy.err).toContain("Signalbox cannot hold what an agent does without asking.");
    expect((await desk.run(["alarms", "--check"])).code).toBe(0);
    const [shown] = jsonLines((await desk.run(["show", "node-s1", "--json"])).out);
    expect(at(shown, "session", "cwd") ?? at(shown, "cwd")).toBe("/home/dev/shop");
  });

  it("OPEN-APPROVAL-1: an editor's allow is committed before the call runs, in the name of its user", async () => {
    await desk.up();
    const { editor } = proxied(picks("allow_once"));
    await editor.begin();
    await editor.prompt(call("pending"), ask(), call("completed"));
    expect(existsSync(ran)).toBe(true);
    const [approval] = jsonLines((await desk.run(["export", "node-s1"])).out).filter((each) =>
      JSON.stringify(each).includes('"via":"editor"'),
    );
    expect([textAt(approval, "state"), textAt(approval, "by")]).toEqual([
      "approved",
      expect.stringMatching(/^local:/),
    ]);
  });

  it.each([
    [
      "the panel",
      async () => {
        await desk.run(["deny", await desk.waiting()]);
      },
      undefined,
    ],
    ["the editor", () => Promise.resolve(), picks("reject_once")],
  ])("PROXY-GATES-2: denied by %s, nothing runs", async (_, deny, reply) => {
    await desk.up();
    const { editor } = proxied(reply);
    await editor.begin();
    const turn = editor.prompt(call("pending"), ask(), call("failed"));
    await deny();
    expect((await turn).result).toEqual({ stopReason: "end_turn" });
    expect(existsSync(ran)).toBe(false);
    expect(heard()).toContain("id-reject_once");
    expect((await desk.run(["alarms", "--check"])).code).toBe(0);
  });

  it("OPEN-APPROVAL-1: of two answers at once the first that is committed counts, and the agent hears no other", async () => {
    await desk.up();
    const { editor } = proxied();
    await editor.begin();
    const turn = editor.prompt(call("pending"), ask(), call("completed"));
    const id = await desk.waiting();
    const dialog = await editor.told("session/request_permission");
    const denied = desk.run(["deny", id]);
    editor.answer(dialog, picks("allow_once")(dialog));
    const { code } = await denied;
    await turn;
    // The command says whether its denial counted.
    expect(existsSync(ran)).toBe(code !== 0);
    expect(linesOf(log).filter((line) => line.includes("optionId"))).toHaveLength(1);
  });

  it("ASKED-1: a terminal and a file are had only with an allow of their own", async () => {
    await desk.up();
    const { editor } = proxied();
    await editor.begin();
    const turn = editor.prompt(
      { do: "request", method: "terminal/create", params: { command: "touch", args: [ran] } },
      { do: "request", method: "fs/write_text_file", params: { path: ran, content: "x" } },
    );
    const first = await desk.waiting();
    await desk.run(["approve", first]);
    editor.answer(await editor.told("terminal/create"), { terminalId: "t1" });
    await desk.shownAs(first, "approved");
    const second = await desk.waiting();
    await desk.run(["deny", second, "-m", "Not there."]);
    await turn;
    expect(editor.heard.map(({ method }) => method)).not.toContain("fs/write_text_file");
    expect(heard()).toContain("Not there.");
    expect((await desk.run(["alarms", "--check"])).code).toBe(0);
  });

  it("PROXY-GATES-2: a turn that the editor cancels denies its call with an interrupt", async () => {
    await desk.up();
    const { editor } = proxied();
    await editor.begin();
    const turn = editor.prompt(call("pending"), ask());
    const id = await desk.waiting();
    editor.send({ method: "session/cancel", params: { sessionId: "s1" } });
    await turn;
    expect(existsSync(ran)).toBe(false);
    const shown = await desk.shownAs(id, "denied");
    expect([at(shown, "interrupt"), textAt(shown, "by")]).toEqual([true, expect.stringMatching(/^local:/)]);
  });

  it("NOTING-1: what happened before a question is known before it", async () => {
    await desk.up();
    const { editor } = proxied();
    await editor.begin();
    void editor.prompt(call("pending"), ask());
    const id = await desk.waiting();
    const [shown] = jsonLines((await desk.run(["approvals", id, "--json"])).out);
    expect(at(shown, "requestId")).toMatch(/^prompt-/);
    expect(at(shown, "input")).toEqual(CALL.rawInput);
  });
});

describe("without one", () => {
  it("OPEN-APPROVAL-2, NOTING-2: only the editor is asked, and nothing is written where none has ever run", async () => {
    const { editor, proxy } = proxied(picks("allow_once"));
    await editor.begin();
    await editor.prompt(ask());
    expect(existsSync(ran)).toBe(true);
    expect(proxy.err).toContain("answer in the editor");
    expect(existsSync(data())).toBe(false);
  });

  it("PROXY-GATES-2: an editor that answers nothing that counts has nothing run", async () => {
    const { editor } = proxied(() => ({ foo: 1 }));
    await editor.begin();
    await editor.prompt(ask());
    expect(existsSync(ran)).toBe(false);
  });

  it("OPEN-APPROVAL-2: an engine that is down is told afterwards that the editor was left to answer", async () => {
    const { engine } = await desk.up();
    engine.child.kill("SIGKILL");
    await engine.ended;
    const { editor } = proxied(picks("allow_once"));
    await editor.begin();
    await editor.prompt(call("pending"), ask(), call("completed"));
    expect(existsSync(ran)).toBe(true);
    await expect.poll(() => readdirSync(join(data(), "spool")).length).toBeGreaterThan(3);
    await desk.up();
    await expect.poll(async () => (await desk.run(["ls"])).out).toContain("node-s1");
    expect((await desk.run(["alarms", "--check"])).code).toBe(0);
  });

  it("OPEN-APPROVAL-1, OPEN-APPROVAL-2: killed while a call waits, it has nothing run until it is back, whatever the editor says", async () => {
    const { engine } = await desk.up();
    const { editor } = proxied();
    await editor.begin();
    const turn = editor.prompt(call("pending"), ask());
    await desk.waiting();
    engine.child.kill("SIGKILL");
    await engine.ended;
    const dialog = await editor.told("session/request_permission");
    editor.answer(dialog, picks("allow_once")(dialog));
    await sleep(3_000);
    expect(existsSync(ran)).toBe(false);
    await desk.up();
    await turn;
    expect(existsSync(ran)).toBe(true);
  });
});

describe("where one side is gone", () => {
  it("AGENT-SIDE-1: a proxy that is killed leaves the agent without an answer, and the call does not wait any more", async () => {
    await desk.up();
    const { editor, proxy } = proxied();
    await editor.begin();
    void editor.prompt(call("pending"), ask());
    const id = await desk.waiting();
    proxy.child.kill("SIGKILL");
    await desk.shownAs(id, "withdrawn");
    await expect.poll(() => linesOf(log).at(-1)).toBe("EOF");
    expect(existsSync(ran)).toBe(false);
  });

  it("AGENT-SIDE-1: an editor that hangs up ends the agent and the proxy, and the call does not wait any more", async () => {
    await desk.up();
    const { editor, proxy } = proxied();
    await editor.begin();
    void editor.prompt(call("pending"), ask());
    const id = await desk.waiting();
    editor.child.stdin?.end();
    expect((await proxy.ended).code).toBe(0);
    await desk.shownAs(id, "withdrawn");
    expect([linesOf(log).at(-1), existsSync(ran)]).toEqual(["EOF", false]);
  });

  it("AGENT-SIDE-1: an agent that crashes ends the proxy with its signal, and its session with it", async () => {
    await desk.up();
    const { editor, proxy } = proxied();
    await editor.begin();
    void editor.prompt(call("in_progress"), { do: "crash" });
    expect((await proxy.ended).code).toBe(128 + 9);
    expect(existsSync(ran)).toBe(false);
    await expect.poll(async () => (await desk.run(["ls"])).out).toContain("ended");
  });

  it("AGENT-SIDE-1: an agent that does not start is told", async () => {
    const { code, err } = await desk.run(["acp", "--data", data(), "--", "/no/such/agent"], {
      env: { SIGNALBOX_DATA: "" },
    });
    expect([code, err]).toEqual([127, expect.stringContaining("The agent does not start")]);
  });

  it("PROXY-1: broken lines of either side harm nothing", async () => {
    const { editor, proxy } = proxied();
    await editor.begin();
    editor.child.stdin?.write('{"jsonrpc":\n[1]\n');
    await editor.prompt({ do: "say", line: "Hello from a log" }, { do: "say", line: '{"a":' });
    expect(editor.lines).toHaveLength(3);
    expect(proxy.err.match(/did not pass on a line/g)).toHaveLength(4);
  });
});

it("AGENT-COMMAND-1: a variable that names another folder or workspace is refused", async () => {
  for (const env of [{}, { SIGNALBOX_DATA: "", SIGNALBOX_WORKSPACE: "theirs" }]) {
    const { code, err } = await desk.run(["acp", "--", "true"], { env });
    expect([code, err]).toEqual([expect.any(Number), expect.stringMatching(/SIGNALBOX_(DATA|WORKSPACE)/)]);
    expect(code).not.toBe(0);
  }
});

it("AGENT-SIDE-2, AGENT-SIDE-3, PROXY-2: a stream goes whole to a slow reader, in its order", async () => {
  const { editor } = proxied();
  await editor.begin();
  editor.child.stdout?.pause();
  const turn = editor.prompt({ do: "stream", bytes: 8_000_000, each: 1_000 });
  await sleep(500);
  editor.child.stdout?.resume();
  await turn;
  expect(editor.lines.slice(2, -1).join("").length).toBeGreaterThan(7_900_000);
  rmSync(log, { force: true });
});
