// What the proxy costs
// How fast a stream passes, and how much later a message comes than it would without the proxy.

import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { acpProtocol } from "../../../../adapters/agent-proxy/acp/protocol.ts";
import { Proxy } from "../../../../adapters/agent-proxy/proxy.ts";
import { Editor } from "../../../support/acp/editor.ts";
import { build, Desk } from "../../../support/processes/program.ts";

const AGENT = join(import.meta.dirname, "..", "..", "..", "support", "acp", "agent.ts");
const ECHOES = 300;
const chunk = (text: string): string =>
  `${JSON.stringify({ jsonrpc: "2.0", method: "session/update", params: { sessionId: "s1", update: { sessionUpdate: "agent_message_chunk", content: { type: "text", text } } } })}\n`;

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

it.each([
  ["short words", chunk("hello \n wor")],
  ["long texts", chunk('A line of text, with "quotes".\n'.repeat(200))],
])("HARMLESS-1: %s pass at 50 MB a second and more", async (_, line) => {
  const whole = Buffer.from(line.repeat(Math.ceil(65_536 / line.length)));
  let passed = 0;
  const nothing = (): void => undefined;
  const proxy = new Proxy({
    protocol: acpProtocol,
    toAgent: nothing,
    toClient: (bytes) => void (passed += bytes.length),
    say: nothing,
    tell: nothing,
    ask: () => expect.fail("asked"),
    name: "agent",
    run: "r",
    secret: "secret",
    timeoutMs: 1_000,
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
  console.log(`${rate.toFixed(0)} MB/s`);
  expect(rate).toBeGreaterThan(50);
  expect(passed).toBe(sent);
});

/** @returns how long each of an agent's requests waited for its answer, ms, in order. */
async function waits(editor: Editor): Promise<readonly number[]> {
  const times: number[] = [];
  let since = 0;
  editor.child.stdout?.prependListener("data", () => {
    const now = performance.now();
    if (since > 0) times.push(now - since);
    since = now;
  });
  await editor.begin();
  since = 0;
  await editor.prompt({ do: "echo", count: ECHOES });
  return times.toSorted((a, b) => a - b);
}

const median = (times: readonly number[]): number => times[times.length >> 1] ?? Infinity;

it("PROXY-2: a message and its answer come at most 4 ms later, 2 ms each way, half of the time", async () => {
  const answer = (): unknown => ({ content: "" });
  const command = ["--import", "tsx", AGENT, join(dir, "log")];
  const alone = spawn(process.execPath, command, { stdio: ["pipe", "pipe", "ignore"] });
  children.push(alone);
  const without = median(await waits(new Editor(alone, answer)));
  const args = ["acp", "--data", join(desk.dir, "data"), "--", process.execPath, ...command];
  const behind = desk.start(args, { keepInput: true, env: { SIGNALBOX_DATA: "" } });
  const with_ = median(await waits(new Editor(behind.child, answer)));
  console.log(`there and back: ${without.toFixed(2)} ms without, ${with_.toFixed(2)} ms with the proxy`);
  expect(with_ - without).toBeLessThan(4);
});
