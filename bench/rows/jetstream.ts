// JetStream row
// Tool calls that services publish, taken from the stream, committed on LMDB and published as changes.
//
//   Baseline: a bare loop on the same server that consumes as many messages and publishes as many, 256 in flight, and
//   does nothing with them.

import { setTimeout as sleep } from "node:timers/promises";
import { connect, type NatsConnection } from "nats";
import type { Effort } from "../effort.ts";
import { connectNats } from "../../adapters/nats/index.ts";
import { openLmdb } from "../../adapters/lmdb/index.ts";
import { systemClock } from "../../adapters/system/index.ts";
import { natsServer } from "../../test/support/nats/server.ts";
import { accounted } from "../http/account.ts";
import { inTurns, median } from "../measure.ts";
import { callsOf, publishAll, SESSIONS, WINDOW } from "../published.ts";
import type { Row } from "../report.ts";
import { engineOn, scratchFolder } from "../scratch.ts";
import { prompt, sessionId } from "../workload.ts";
import { clients } from "../../adapters/composition/clients.ts";

/** State changes of one call. */
const CHANGES = 4;

const sealKey = new Uint8Array(32).fill(1);
const fail = (error: Error): never => {
  throw error;
};

/** The bare loop: each message read leads to as many published as a call's changes are to its messages. */
async function bareLoop(connection: NatsConnection, messages: number): Promise<void> {
  const stream = connection.jetstream();
  const consumer = await stream.consumers.get("BENCH_IN");
  const reading = await consumer.consume({ max_messages: WINDOW });
  const inFlight = new Set<Promise<unknown>>();
  const body = "x".repeat(900);
  let n = 0;
  for await (const message of reading) {
    n += 1;
    for (let change = 0; change < CHANGES / 2; change += 1) {
      const ack = stream.publish(`bench.out.${message.seq}.${change}`, body, { timeout: 60_000 });
      inFlight.add(ack);
      void ack.finally(() => inFlight.delete(ack));
    }
    if (inFlight.size >= WINDOW) await Promise.race(inFlight);
    if (n === messages) break;
  }
  await Promise.all(inFlight);
}

async function startOn(url: string, dir: string) {
  const link = await connectNats({ url, clients, sealKey, clock: systemClock(), onFatal: fail });
  const folder = openLmdb(dir, systemClock());
  const engine = engineOn({ store: folder.store, journal: link.journal, outlet: link.outlet });
  await engine.start();
  return { engine, link, folder };
}
type Started = Awaited<ReturnType<typeof startOn>>;

/** Waits until it has published all that it took. */
async function settled(starting: Promise<Started>): Promise<Started> {
  const started = await starting;
  while (started.engine.lag().outlet > 0) await sleep(1);
  return started;
}

async function stop({ engine, link, folder }: Started): Promise<void> {
  await engine.stop();
  await link.close();
  await folder.close();
}

export async function jetstreamRows(effort: Effort): Promise<readonly Row[]> {
  const calls = effort === "quick" ? 20 : 60;
  const messages = calls * 2 * SESSIONS;
  const server = await natsServer();
  const other = await connect({ servers: server.url, noAsyncTraces: true });
  const manager = await other.jetstreamManager();
  const dir = scratchFolder();
  const start = () => startOn(server.url, dir);
  const first = await start();
  for (let n = 0; n < SESSIONS; n += 1) await (await first.engine.submit(prompt(sessionId(n)))).settled;
  await stop(first);
  let from = 0;
  const costs: Record<"ours" | "bare", number[]> = { ours: [], bare: [] };
  const { ours, baseline } = await inTurns(effort === "quick" ? 3 : 5, {
    ours: async () => {
      await publishAll(other.jetstream(), callsOf(from, calls));
      from += calls;
      const begun = performance.now();
      const { result: started, cost } = await accounted([process.pid], () => settled(start()), {
        alone: true,
      });
      const figure = (messages * 1000) / (performance.now() - begun);
      costs.ours.push(cost.cpuUs / messages);
      await stop(started);
      return figure;
    },
    baseline: async () => {
      for (const name of ["BENCH_IN", "BENCH_OUT"]) await manager.streams.delete(name).catch(() => undefined);
      await manager.streams.add({ name: "BENCH_IN", subjects: ["bench.in.>"] });
      await manager.streams.add({ name: "BENCH_OUT", subjects: ["bench.out.>"] });
      const batch = callsOf(0, calls).map(([, body], n) => [`bench.in.${n}`, body] as const);
      await publishAll(other.jetstream(), batch);
      const begun = performance.now();
      const { cost } = await accounted([process.pid], () => bareLoop(other, messages), { alone: true });
      costs.bare.push(cost.cpuUs / messages);
      return (messages * 1000) / (performance.now() - begun);
    },
  });
  await other.close();
  await server.dispose();
  return [
    {
      what: "messages per second, JetStream → commit → JetStream, 50 sessions",
      unit: "messages/s",
      figure: ours,
      baseline: { name: "consume and publish as many, nothing between", figure: baseline },
      budget: { of: "ratio", sense: "at least", limit: 0.4 },
      note: `${CHANGES / 2} changes a message, window ${WINDOW}`,
    },
    {
      what: "processor time of such a message, all threads, start included",
      unit: "µs",
      figure: median(costs.ours),
      baseline: { name: "the bare loop", figure: median(costs.bare) },
    },
  ];
}
