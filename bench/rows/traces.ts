// Traces row
// What traces cost: processor time a call of fifty sessions at once, on LMDB, with an exporter that sends to a collector in a
// process of its own.
//
//   Baseline: the same, without traces, in turns with the other in one process.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { systemClock } from "../../adapters/system/index.ts";
import { Exporter, otlpAddress, postWith } from "../../adapters/traces/index.ts";
import { SpanFollower } from "../../runtime/traces/span-follower.ts";
import type { Effort } from "../effort.ts";
import { cpuUs, inTurns } from "../measure.ts";
import type { Row } from "../report.ts";
import { type Bench, lmdbEngine } from "../scratch.ts";
import { post, pre, prompt, sessionId } from "../workload.ts";

const SESSIONS = 50;
const ROUNDS = { quick: 5, whole: 15 } as const;
const CALLS = { quick: 20, whole: 30 } as const;

/** Takes whatever is posted, and says where it listens. */
const COLLECTOR = `
const server = require("node:http").createServer((request, response) => {
  request.resume().on("end", () => response.writeHead(200).end("{}"));
});
server.listen(0, "127.0.0.1", () => console.log(server.address().port));
`;

async function collector(): Promise<{ readonly child: ChildProcess; readonly url: string }> {
  const child = spawn(process.execPath, ["-e", COLLECTOR], { stdio: ["ignore", "pipe", "inherit"] });
  const [port] = (await once(child.stdout, "data")) as [Buffer];
  return { child, url: `http://127.0.0.1:${port.toString().trim()}` };
}

async function calls({ engine }: Bench, from: number, count: number): Promise<void> {
  const one = async (session: number): Promise<void> => {
    const id = sessionId(session);
    for (let n = from; n < from + count; n += 1)
      for (const message of [pre(id, n), post(id, n)]) {
        const { outcome } = await (await engine.submit(message)).settled;
        if (outcome !== "applied") throw new Error(`A message was ${outcome}.`);
      }
  };
  await Promise.all(Array.from({ length: SESSIONS }, (_, session) => one(session)));
}

export async function tracesRows(effort: Effort): Promise<readonly Row[]> {
  const { child, url } = await collector();
  const [on, off] = [await lmdbEngine(), await lmdbEngine()];
  const clock = systemClock();
  const onError = (error: unknown): void => {
    throw error;
  };
  const exporter = new Exporter({
    ...{ address: otlpAddress(url), post: postWith({}), clock, onError },
    sender: () => ({ version: "bench", instance: on.engine.incarnation }),
    keepPlace: () => Promise.resolve(),
  });
  const follower = new SpanFollower({ engine: on.engine, clock, queue: exporter, onError });
  follower.start(undefined);
  exporter.start();
  for (const { engine } of [on, off])
    for (let n = 0; n < SESSIONS; n += 1) await (await engine.submit(prompt(sessionId(n)))).settled;
  const count = CALLS[effort];
  const begun = { on: 0, off: 0 };
  const perCall = (which: "on" | "off", bench: Bench) => async () => {
    begun[which] += count;
    return (await cpuUs(() => calls(bench, begun[which], count))) / (SESSIONS * count);
  };
  const { on: figure, off: without } = await inTurns(ROUNDS[effort], {
    on: perCall("on", on),
    off: perCall("off", off),
  });
  await follower.stop();
  await exporter.stop();
  await on.engine.stop();
  await off.engine.stop();
  child.kill();
  const { signalbox_spans_sent_total: sent = 0, signalbox_spans_dropped_total: dropped = 0 } =
    exporter.counts();
  return [
    {
      what: "processor time a call, with traces sent",
      unit: "µs",
      figure,
      baseline: { name: "without traces", figure: without },
      budget: { of: "ratio", sense: "at most", limit: 1.03 },
      note: `${sent} spans were sent, ${dropped} dropped`,
    },
  ];
}
