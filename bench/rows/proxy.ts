// Proxy rows
// What an agent's proxy costs: processor time for a stream of words that passes, and how much later a message comes.
//
//   Baselines: JSON.parse of each line of the same stream, and the same agent without a proxy.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { acpProtocol } from "../../adapters/agent-proxy/acp/protocol.ts";
import { codexProtocol } from "../../adapters/agent-proxy/codex/protocol.ts";
import { Proxy } from "../../adapters/agent-proxy/proxy.ts";
import { Editor } from "../../test/support/acp/editor.ts";
import type { Client } from "../../test/support/agent-proxy/client.ts";
import { AppClient } from "../../test/support/codex/app-client.ts";
import type { Effort } from "../effort.ts";
import { cpuUs, inTurns, median } from "../measure.ts";
import type { Row } from "../report.ts";
import { scratchFolder } from "../scratch.ts";

const ROOT = join(import.meta.dirname, "..", "..", "..");
const MAIN = join(import.meta.dirname, "..", "..", "adapters", "main.js");
/** A message and its answer may come 2 ms later each way. */
const LATER_MAX_MS = 4;
const ECHOES = 300;
const PIECE = 65_536;

const answer = (): unknown => ({ content: "" });
const nothing = (): void => undefined;

const PROTOCOLS = [
  {
    name: "acp",
    protocol: acpProtocol,
    agent: "test/support/acp/agent.ts",
    connect: (child: ChildProcess): Client => new Editor(child, answer),
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
    agent: "test/support/codex/app-server.ts",
    connect: (child: ChildProcess): Client => new AppClient(child, {}, answer),
    words: (delta: string) => ({
      method: "item/agentMessage/delta",
      params: { threadId: "t1", turnId: "u1", itemId: "i1", delta },
    }),
  },
] as const;

type Protocol = (typeof PROTOCOLS)[number];

const WORDS = {
  "short words": "hello \n wor",
  "long texts": 'A line of text, with "quotes".\n'.repeat(200),
} as const;

/** Processor time of a stream of so many bytes, ns a byte. */
function streams({ protocol, words }: Protocol, text: string, bytes: number) {
  const line = `${JSON.stringify({ ...protocol.envelope, ...words(text) })}\n`;
  const piece = Buffer.from(line.repeat(Math.ceil(PIECE / line.length)));
  const lines = piece.toString().trimEnd().split("\n");
  const pieces = Math.ceil(bytes / piece.length);
  const each = async (work: () => unknown): Promise<number> => {
    const used = await cpuUs(async () => {
      for (let n = 0; n < pieces; n += 1) await work();
    });
    return (used * 1_000) / (pieces * piece.length);
  };
  let left = 0;
  const proxy = new Proxy({
    ...{ protocol, name: "agent", run: "r", secret: "secret", timeoutMs: 1_000 },
    ...{ toAgent: nothing, say: nothing, tell: nothing },
    toClient: (bytes) => void (left -= bytes.length),
    ask: () => {
      throw new Error("Words ask for nothing.");
    },
  });
  return {
    async passed(): Promise<number> {
      const cost = await each(() => {
        left += piece.length;
        proxy.agentSaid(piece);
      });
      if (left !== 0) throw new Error(`The proxy has kept ${left} bytes.`);
      return cost;
    },
    parsed: () => each(() => lines.map((one) => JSON.parse(one) as unknown)),
  };
}

/** @returns the median time from one request of an agent to its next one, which it sends once the first is answered, ms. */
async function between(client: Client): Promise<number> {
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
  return median(times);
}

async function later({ name, agent, connect }: Protocol, rounds: number) {
  const folder = scratchFolder();
  const command = [process.execPath, "--import", "tsx", join(ROOT, agent), join(folder, "heard.log")];
  const timed = async ([program = "", ...args]: readonly string[]): Promise<number> => {
    const env = { ...process.env, SIGNALBOX_DATA: "" };
    const child = spawn(program, args, { stdio: ["pipe", "pipe", "ignore"], cwd: ROOT, env });
    const time = await between(connect(child));
    const ended = once(child, "close");
    child.kill("SIGKILL");
    await ended;
    return time;
  };
  return inTurns(rounds, {
    alone: () => timed(command),
    behind: () => timed([process.execPath, MAIN, name, "--data", join(folder, "data"), "--", ...command]),
  });
}

export async function proxyRows(effort: Effort): Promise<readonly Row[]> {
  const [rounds, bytes] = effort === "quick" ? [3, 10_000_000] : [7, 60_000_000];
  const rows: Row[] = [];
  for (const protocol of PROTOCOLS) {
    for (const [what, text] of Object.entries(WORDS)) {
      const { passed, parsed } = await inTurns(rounds, streams(protocol, text, bytes));
      rows.push({
        what: `${protocol.name}: processor time of ${what} that pass`,
        unit: "ns/byte",
        figure: passed,
        baseline: { name: "JSON.parse of each line", figure: parsed },
        // 20 ns a byte is 50 MB a second.
        budget: { of: "figure", sense: "at most", limit: 20 },
      });
    }
    const { alone, behind } = await later(protocol, rounds);
    rows.push({
      what: `${protocol.name}: how much later a message and its answer come, half of the time`,
      unit: "ms",
      figure: behind - alone,
      baseline: { name: "there and back without the proxy", figure: alone },
      budget: { of: "figure", sense: "at most", limit: LATER_MAX_MS },
    });
  }
  return rows;
}
