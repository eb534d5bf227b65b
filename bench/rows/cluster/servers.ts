// Server rows
// What a message costs the NATS servers: kept once, passed on by the door of partitions, kept on three servers.
//
//   Baseline: kept once, in the engine's own account.

import { connect } from "nats";
import { natsCluster } from "../../../test/support/nats/cluster.ts";
import { type NatsServer, natsServer } from "../../../test/support/nats/server.ts";
import type { Effort } from "../../effort.ts";
import { accounted } from "../../http/account.ts";
import { callsOf, publishAll, SESSIONS } from "../../published.ts";
import type { Row } from "../../report.ts";
import { partedConfig } from "./parted.ts";

const STREAM = { name: "SIGNALBOX_IN", subjects: ["signalbox.v1.in.>"] };

interface Cost {
  readonly cpuUs: number;
  /** Messages a second. */
  readonly rate: number;
}

/** @param users who keep the stream, and who publishes; undefined without accounts. */
async function costOf(
  servers: readonly NatsServer[],
  calls: number,
  {
    copies = 1,
    keepers = [undefined],
    sender,
  }: { copies?: number; keepers?: readonly (string | undefined)[]; sender?: string } = {},
): Promise<Cost> {
  const as = (user: string | undefined) =>
    connect({
      servers: servers.map(({ url }) => url),
      ...(user && { user, pass: user }),
      noAsyncTraces: true,
    });
  for (const keeper of keepers) {
    const connection = await as(keeper);
    await (await connection.jetstreamManager()).streams.add({ ...STREAM, num_replicas: copies });
    await connection.close();
  }
  const connection = await as(sender);
  const stream = connection.jetstream();
  const messages = callsOf(1, calls);
  await publishAll(stream, messages.slice(0, 500));
  const from = performance.now();
  const pids = servers.flatMap(({ pid }) => pid ?? []);
  const { cost } = await accounted(pids, () => publishAll(stream, messages));
  const seconds = (performance.now() - from) / 1_000;
  await connection.close();
  return { cpuUs: cost.cpuUs / messages.length, rate: messages.length / seconds };
}

export async function serverRows(effort: Effort): Promise<readonly Row[]> {
  const calls = Math.ceil((effort === "quick" ? 5_000 : 50_000) / (2 * SESSIONS));
  const config = partedConfig(4);
  const keepers = ["p0", "p1", "p2", "p3"];
  const parted = await natsServer(["-c", config]);
  const door = await costOf([parted], calls, { keepers, sender: "door" });
  await parted.dispose();
  const own = await natsServer(["-c", config]);
  const direct = await costOf([own], calls, { keepers: ["p0"], sender: "p0" });
  await own.dispose();
  const cluster = await natsCluster();
  const three = await costOf(cluster.servers, calls, { copies: 3 });
  await cluster.dispose();
  const baseline = { name: "kept once, without the door", figure: direct.cpuUs };
  const row = (what: string, { cpuUs, rate }: Cost, limit: number): Row => ({
    ...{ what, unit: "µs", figure: cpuUs, baseline },
    budget: { of: "ratio", sense: "at most", limit },
    note: `${rate.toFixed(0)} messages a second, ${direct.rate.toFixed(0)} of the baseline`,
  });
  return [
    row("processor time of the NATS server, a message through the door of four partitions", door, 2),
    row("processor time of three NATS servers together, a message kept on each", three, 6),
  ];
}
