// The proxy before an app-server
// A scripted client and a scripted app-server, with `signalbox codex` between them, and an engine that runs, dies or is not
// there. A file tells whether what was asked about ran.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { linesOf, type Reply } from "../../../support/agent-proxy/client.ts";
import { AppClient } from "../../../support/codex/app-client.ts";
import type { Step } from "../../../support/codex/app-server.ts";
import { textAt } from "../../../support/engine/json.ts";
import { build, Desk, jsonLines, type Started } from "../../../support/processes/program.ts";

const SERVER = join(import.meta.dirname, "..", "..", "..", "support", "codex", "app-server.ts");
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
const env = { SIGNALBOX_DATA: "" };
async function begun(reply?: Reply): Promise<{ readonly client: AppClient; readonly proxy: Started }> {
  const server = ["--", process.execPath, "--import", "tsx", SERVER, log];
  const proxy = desk.start(["codex", "--data", data(), ...server], { keepInput: true, env });
  const client = new AppClient(proxy.child, {}, reply);
  await client.begin();
  return { client, proxy };
}

const ask = (more: object = {}): Step => ({ do: "ask", ran, ...more });
const heard = (): string => linesOf(log).join("\n");
const accepts: Reply = () => ({ decision: "accept" });

describe("with an engine", () => {
  it("OPEN-APPROVAL-1, CODEX-PROTOCOL-1, AGENT-COMMAND-2: an allow lets the command run, and ends the client's dialog", async () => {
    await desk.up();
    const { client, proxy } = await begun();
    const turn = client.prompt(ask());
    const id = await desk.waiting();
    expect(existsSync(ran)).toBe(false);
    await desk.run(["approve", id]);
    await client.takenBack();
    await turn;
    expect(existsSync(ran)).toBe(true);
    expect(heard()).not.toMatch(/amendment|acceptForSession/i);
    expect(proxy.err).toContain("Signalbox cannot hold what Codex does without asking");
    expect((await desk.run(["alarms", "--check"])).code).toBe(0);
    expect((await desk.run(["ls"])).out).toContain("node-t1");
  });

  it("OPEN-APPROVAL-1: a client's allow is committed before the command runs, in the name of its user", async () => {
    await desk.up();
    const { client } = await begun(accepts);
    await client.prompt(ask());
    expect(existsSync(ran)).toBe(true);
    const [approval] = jsonLines((await desk.run(["export", "node-t1"])).out).filter((each) =>
      JSON.stringify(each).includes('"via":"client"'),
    );
    expect([textAt(approval, "state"), textAt(approval, "by")]).toEqual([
      "approved",
      expect.stringMatching(/^local:/),
    ]);
  });

  it("OPEN-APPROVAL-1: of two answers at once the first that is committed counts, and Codex hears no other", async () => {
    await desk.up();
    const { client } = await begun();
    const turn = client.prompt(ask());
    const id = await desk.waiting();
    const asked = await client.told(client.dialog);
    const denied = desk.run(["deny", id]);
    client.answer(asked, accepts(asked));
    const { code } = await denied;
    await turn;
    expect(existsSync(ran)).toBe(code !== 0);
    expect(linesOf(log).filter((line) => line.includes('"decision"'))).toHaveLength(1);
  });

  it("CODEX-ASKED-1: a tool of the client's is called once it is allowed, and a denied one is not", async () => {
    await desk.up();
    const { client } = await begun(() => ({ contentItems: [], success: true }));
    const call = ask({ method: "item/tool/call", params: { callId: "d", tool: "open", arguments: {} } });
    const turn = client.prompt(call, call);
    await desk.run(["deny", await desk.waiting()]);
    await expect.poll(() => heard()).toContain("-32003");
    expect(client.heard.map(({ method }) => method)).not.toContain("item/tool/call");
    await desk.run(["approve", await desk.waiting()]);
    await turn;
    expect(existsSync(ran)).toBe(true);
  });

  it("PROXY-GATES-2: a turn that the client interrupts lets nothing run", async () => {
    await desk.up();
    const { client } = await begun();
    const turn = client.prompt(ask());
    const id = await desk.waiting();
    client.cancel();
    await turn;
    await expect.poll(async () => textAt(await desk.shown(id), "state")).toMatch(/denied|withdrawn/);
    expect(existsSync(ran)).toBe(false);
  });
});

describe("without one", () => {
  it("OPEN-APPROVAL-2, PROXY-GATES-2: the client alone is asked, and one that answers nothing that counts has nothing run", async () => {
    const { client, proxy } = await begun(accepts);
    await client.prompt(ask());
    expect([existsSync(ran), existsSync(data())]).toEqual([true, false]);
    expect(proxy.err).toContain("answer in the client");
    ran = join(desk.dir, "again");
    const junk = await begun(() => ({ foo: 1 }));
    await junk.client.prompt(ask());
    expect(existsSync(ran)).toBe(false);
  });

  it("OPEN-APPROVAL-1, OPEN-APPROVAL-2: killed while a command waits, it has nothing run until it is back, whatever the client says", async () => {
    const { engine } = await desk.up();
    const { client } = await begun();
    const turn = client.prompt(ask());
    await desk.waiting();
    engine.child.kill("SIGKILL");
    await engine.ended;
    const asked = await client.told(client.dialog);
    client.answer(asked, accepts(asked));
    await new Promise((resolve) => setTimeout(resolve, 3_000));
    expect(existsSync(ran)).toBe(false);
    await desk.up();
    await turn;
    expect(existsSync(ran)).toBe(true);
  });
});

it("AGENT-SIDE-1: a client that hangs up ends the app-server and the proxy, and the command does not wait any more", async () => {
  await desk.up();
  const { client, proxy } = await begun();
  void client.prompt(ask());
  const id = await desk.waiting();
  client.child.stdin?.end();
  expect((await proxy.ended).code).toBe(0);
  await desk.shownAs(id, "withdrawn");
  expect([linesOf(log).at(-1), existsSync(ran)]).toEqual(["EOF", false]);
});

it("CLIENT-CODEX-1, AGENT-COMMAND-1: an app-server that listens elsewhere is not started, nor one for another's workspace", async () => {
  for (const listen of [["--listen", "ws://127.0.0.1:1"], ["--listen=unix://"], ["--listen"]]) {
    const command = ["codex", "--data", data(), "--", "touch", ran, ...listen];
    const { code, err } = await desk.run(command, { env });
    expect([code, err]).not.toEqual([0, expect.anything()]);
    expect(err).toContain("With --listen, Codex does not use standard input");
  }
  const theirs = await desk.run(["codex", "--", "touch", ran], {
    env: { ...env, SIGNALBOX_WORKSPACE: "theirs" },
  });
  expect(theirs.err).toContain("SIGNALBOX_WORKSPACE");
  expect(existsSync(ran)).toBe(false);
});
