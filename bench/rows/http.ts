// HTTP rows
// Four durable requests a call, from another process, each once the one before is answered: how many calls a second, and
// what a call costs the engine.
//
//   Baseline: a bare node:http server that reads and parses the same bodies; for one session, a file that is written and
//   synced.
//
// The first round is cold, the engine's and the client's: it is told apart. The figures are medians of the later ones.

import { fork } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { createEngine } from "../../adapters/index.ts";
import type { Effort } from "../effort.ts";
import { openAppending } from "../append.ts";
import { accounted } from "../http/account.ts";
import type { Ran, Run } from "../http/client.ts";
import { stepsOf } from "../http/four-requests.ts";
import { inTurns, median } from "../measure.ts";
import type { Row } from "../report.ts";
import { scratchFolder } from "../scratch.ts";

// It runs as it was compiled, like all of the benchmark.
const CLIENT = fileURLToPath(new URL("../http/client.ts", import.meta.url)).replace(/\.ts$/, ".js");
const SESSIONS = 50;

type Name = "ours" | "bare";

/** What a run of one contender came to, for each call. */
interface Measured {
  readonly callsPerSecond: number;
  readonly cpuUs: number;
  readonly mainUs: number;
  readonly writtenKb: number;
}

function startClient() {
  const child = fork(CLIENT);
  const ended = once(child, "exit").then(() => Promise.reject(new Error("The client ended.")));
  ended.catch(() => undefined);
  const run = async (wanted: Run): Promise<Ran> => {
    child.send(wanted);
    const [ran] = (await Promise.race([once(child, "message"), ended])) as [Ran];
    return ran;
  };
  return { run, stop: () => child.disconnect() };
}

/** Reads and parses what is posted, and answers at once. */
async function serveBare() {
  const server = createServer((asked, answer) => {
    const parts: Buffer[] = [];
    asked.on("data", (part: Buffer) => parts.push(part));
    asked.on("end", () => {
      const read = typeof JSON.parse(Buffer.concat(parts).toString());
      answer.end(JSON.stringify({ read }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, stop: () => void server.close() };
}

export async function httpRows(effort: Effort): Promise<readonly Row[]> {
  const calls = effort === "quick" ? 10 : 30;
  const rounds = effort === "quick" ? 2 : 5;
  const token = randomUUID();
  const ours = await createEngine({ dataDir: scratchFolder(), port: 0, token });
  const bare = await serveBare();
  const urls = { ours: ours.url ?? "", bare: bare.url };
  const client = startClient();
  const seen: Record<Name, Measured[]> = { ours: [], bare: [] };
  const measure = async (name: Name): Promise<number> => {
    const wanted = { url: urls[name], token, sessions: SESSIONS, calls };
    const { result, cost } = await accounted([process.pid], () => client.run(wanted), {
      alone: true,
    });
    const each = SESSIONS * calls;
    seen[name].push({
      callsPerSecond: result.callsPerSecond,
      cpuUs: cost.cpuUs / each,
      mainUs: cost.mainUs / each,
      writtenKb: cost.written / each / 1_000,
    });
    return result.callsPerSecond;
  };
  await inTurns(rounds, { ours: () => measure("ours"), bare: () => measure("bare") });
  const file = await openAppending();
  const body = stepsOf("session", "call")[0]?.body ?? "";
  const alone = await inTurns(rounds, {
    ours: async () => (await client.run({ url: urls.ours, token, sessions: 1, calls: calls * 2 })).p50Ms,
    append: async () => {
      const tookMs: number[] = [];
      for (let n = 0; n < calls * 8; n += 1) tookMs.push(await file.append(body));
      return median(tookMs);
    },
  });
  await file.close();
  client.stop();
  bare.stop();
  await ours.stop();
  return [...manyRows(seen), aloneRow(alone)];
}

function manyRows(seen: Readonly<Record<Name, readonly Measured[]>>): readonly Row[] {
  const warm = (name: Name, of: keyof Measured): number =>
    median(seen[name].slice(1).map((each) => each[of]));
  const row = (what: string, unit: string, of: keyof Measured): Row => ({
    what,
    unit,
    figure: warm("ours", of),
    baseline: { name: "bare node:http", figure: warm("bare", of) },
  });
  const bodies = stepsOf("session", "call").reduce((sum, { body }) => sum + body.length, 0) / 1_000;
  return [
    {
      ...row("calls of four requests a second over HTTP, 50 sessions", "calls/s", "callsPerSecond"),
      budget: { of: "ratio", sense: "at least", limit: 0.5 },
      note: `cold: ${seen.ours[0]?.callsPerSecond.toFixed(0)}, bare ${seen.bare[0]?.callsPerSecond.toFixed(0)}`,
    },
    {
      ...row("processor time of such a call, all threads", "µs", "cpuUs"),
      budget: { of: "figure", sense: "at most", limit: 700 },
      note: `cold: ${seen.ours[0]?.cpuUs.toFixed(0)}`,
    },
    {
      ...row("the main thread's part of it", "µs", "mainUs"),
      budget: { of: "figure", sense: "at most", limit: 730 },
      note: `cold: ${seen.ours[0]?.mainUs.toFixed(0)}`,
    },
    {
      ...row("written to disk, such a call", "kB", "writtenKb"),
      baseline: { name: "its bodies", figure: bodies },
      budget: { of: "figure", sense: "at most", limit: 100 },
    },
  ];
}

const aloneRow = (p50Ms: { readonly ours: number; readonly append: number }): Row => ({
  what: "a durable request over HTTP, one session, p50",
  unit: "ms",
  figure: p50Ms.ours,
  baseline: { name: "append + fdatasync", figure: p50Ms.append },
  budget: { of: "figure", sense: "at most", limit: 0.5 },
});
