// Spare rows
// How far a spare is behind its owner, and what the spare costs the owner, at 500 calls a second.
//
//   Baselines: the owner itself, and an owner that no spare asks.

import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { connect, type NatsConnection } from "nats";
import { natsServer } from "../../../test/support/nats/server.ts";
import { bySocket } from "../../../test/support/http/by-socket.ts";
import type { Effort } from "../../effort.ts";
import { accounted } from "../../http/account.ts";
import { inTurns, quantile } from "../../measure.ts";
import { down, pidsOf, type Up, up } from "../../processes.ts";
import { callsOf, publishAll, SESSIONS } from "../../published.ts";
import type { Row } from "../../report.ts";
import { scratchFolder } from "../../scratch.ts";

/** Calls a second; each is two messages. */
const RATE = 500;
/** A batch is one call of each session. */
const BATCH_MS = (SESSIONS * 1_000) / RATE;

let calls = 0;

/** Publishes at the rate for so many seconds. */
async function load(other: NatsConnection, seconds: number): Promise<void> {
  const end = performance.now() + seconds * 1_000;
  for (let next = performance.now(); next < end; next += BATCH_MS) {
    await sleep(Math.max(0, next - performance.now()));
    await publishAll(other.jetstream(), callsOf((calls += 1), 1));
  }
}

/** @returns how long after its acknowledgement each of these messages was applied there, ms. */
async function seen(other: NatsConnection, engines: readonly Up[], samples: number) {
  const all = engines.map((): number[] => []);
  for (let n = 0; n < samples; n += 1) {
    const id = `seen-${(calls += 1)}`;
    const body = {
      specversion: "1.0",
      id,
      source: "bench",
      type: "request.created",
      subject: `bench/${id}`,
      data: { requestId: id },
    };
    await other.jetstream().publish(`signalbox.v1.in.bench.${id}.request.created`, JSON.stringify(body));
    const from = performance.now();
    const there = engines.map(async ({ data }, at) => {
      while ((await bySocket(data)(`/v1/requests/${id}`)).status !== 200) await sleep(10);
      all[at]?.push(performance.now() - from);
    });
    await Promise.all(there);
    await sleep(100);
  }
  return all;
}

export async function spareRows(effort: Effort): Promise<readonly Row[]> {
  const [rounds, seconds, samples] = effort === "quick" ? [1, 4, 20] : [3, 10, 60];
  const server = await natsServer();
  const other = await connect({ servers: server.url, noAsyncTraces: true });
  const folder = scratchFolder();
  const owner = await up(join(folder, "a"), ["--nats", server.url]);
  const key = join(folder, "a", "key");
  const cost = async (): Promise<number> =>
    (await accounted(pidsOf([owner]), () => load(other, seconds))).cost.cpuUs / (RATE * seconds);
  const follow = (): Promise<Up> => up(join(folder, "b"), ["--nats", server.url, "--follow", key]);
  const { ours, alone } = await inTurns(rounds, {
    alone: cost,
    ours: async () => {
      const spare = await follow();
      await sleep(2_000);
      const figure = await cost();
      await down(spare);
      return figure;
    },
  });
  const spare = await follow();
  await sleep(2_000);
  const loading = load(other, samples * 0.25);
  const [first = [], second = []] = await seen(other, [owner, spare], samples);
  const behind = second.map((ms, n) => ms - (first[n] ?? 0));
  await loading;
  await down(spare);
  await down(owner);
  await other.close();
  await server.dispose();
  return [
    {
      what: "how long the spare is behind its owner, 500 calls a second, p99",
      unit: "ms",
      figure: quantile(behind, 0.99),
      baseline: { name: "the owner behind the acknowledgement", figure: quantile(first, 0.99) },
      budget: { of: "figure", sense: "at most", limit: 200 },
      note: `median ${quantile(behind, 0.5).toFixed(0)} ms, of the owner ${quantile(first, 0.5).toFixed(0)} ms`,
    },
    {
      what: "processor time of the owner a call, with a spare",
      unit: "µs",
      figure: ours,
      baseline: { name: "without", figure: alone },
      budget: { of: "ratio", sense: "at most", limit: 1.03 },
    },
  ];
}
