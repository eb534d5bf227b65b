// What the proxy costs
// How fast a stream passes, and how much later a message comes than it would without the proxy, in either protocol.

import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { acpProtocol } from "../../../adapters/agent-proxy/acp/protocol.ts";
import { codexProtocol } from "../../../adapters/agent-proxy/codex/protocol.ts";
import { Proxy } from "../../../adapters/agent-proxy/proxy.ts";
import { Editor } from "../../support/acp/editor.ts";
import type { Client } from "../../support/agent-proxy/client.ts";
import { AppClient } from "../../support/codex/app-client.ts";
import { build, Desk } from "../../support/processes/program.ts";

const SUPPORT = join(import.meta.dirname, "..", "..", "support");
const ECHOES = 300;
const answer = (): unknown => ({ content: "" });

const PROTOCOLS = [
  {
    name: "acp",
    protocol: acpProtocol,
    agent: join(SUPPORT, "acp", "agent.ts"),
    connect: (child: ChildProcess) => new Editor(child, answer),
    words: (text: string) => ({
      method: "session/update",
      params: {
        sessionId: "s1",
        update: { sessionUpdate: "agent_message_chunk", content: { type: "text", text } },
      },
    }),
  },
  {
    name: "codex",
    protocol: codexProtocol,
    agent: join(SUPPORT, "codex", "app-server.ts"),
    connect: (child: ChildProcess) => new AppClient(child, {}, answer),
    words: (delta: string) => ({
      method: "item/agentMessage/delta",
      params: { threadId: "t1", turnId: "u1", itemId: "i1", delta },
    }),
  },
] as const;

let desk: Desk;
let dir: string;
const children: ChildProcess[] = [];
beforeAll(async () => {
  await build();
  desk = new Desk();
  dir = mkdtempSync(join(tmpdir(), "signalbox-"));
}, 180_000);
afterAll(async () => {
  for (const child of children) child.kill("SIGKILL");
  await desk.clear();
  rmSync(dir, { recursive: true, force: true });
});

/** @returns how long each of an agent's requests waited for its answer, ms, in order. */
async function waits(client: Client): Promise<readonly number[]> {
  const times: number[] = [];
  let since = 0;
  client.child.stdout?.prependListener("data", () => {
    const now = performance.now();
    if (since > 0) times.push(now - since);
    since = now;
  });
  await client.begin();
  since = 0;
  await client.promptText(JSON.stringify([{ do: "echo", count: ECHOES }]));
  return times.toSorted((a, b) => a - b);
}

const median = (times: readonly number[]): number => times[times.length >> 1] ?? Infinity;

describe.each(PROTOCOLS)("$name", ({ name, protocol, agent, connect, words }) => {
  it.each([
    ["short words", "hello \n wor"],
    ["long texts", 'A line of text, with "quotes".\n'.repeat(200)],
  ])("HARMLESS-1: %s pass at 50 MB a second and more", async (_, text) => {
    const line = `${JSON.stringify({ ...protocol.envelope, ...words(text) })}\n`;
    const whole = Buffer.from(line.repeat(Math.ceil(65_536 / line.length)));
    let passed = 0;
    const nothing = (): void => undefined;
    const proxy = new Proxy({
      ...{ protocol, name: "agent", run: "r", secret: "secret", timeoutMs: 1_000 },
      ...{ toAgent: nothing, say: nothing, tell: nothing },
      toClient: (bytes) => void (passed += bytes.length),
      ask: () => expect.fail("asked"),
    });
    // The processor's time: other programs may run.
    const since = process.cpuUsage();
    let sent = 0;
    for (; sent < 60_000_000; sent += whole.length) {
      proxy.agentSaid(whole);
      await Promise.resolve();
    }
    const { user, system } = process.cpuUsage(since);
    const rate = sent / (user + system);
    console.log(`${name}: ${rate.toFixed(0)} MB/s`);
    expect(rate).toBeGreaterThan(50);
    expect(passed).toBe(sent);
  });

  it("PROXY-2: a message and its answer come at most 4 ms later, 2 ms each way, half of the time", async () => {
    const command = ["--import", "tsx", agent, join(dir, `${name}.log`)];
    const alone = spawn(process.execPath, command, { stdio: ["pipe", "pipe", "ignore"] });
    children.push(alone);
    const without = median(await waits(connect(alone)));
    const args = [name, "--data", join(desk.dir, "data"), "--", process.execPath, ...command];
    const behind = desk.start(args, { keepInput: true, env: { SIGNALBOX_DATA: "" } });
    const with_ = median(await waits(connect(behind.child)));
    console.log(
      `${name}: there and back ${without.toFixed(2)} ms without, ${with_.toFixed(2)} ms with the proxy`,
    );
    expect(with_ - without).toBeLessThan(4);
  });
});
