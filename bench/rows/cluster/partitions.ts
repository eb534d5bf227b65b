// Partitions rows
// Messages of services through the shipped mapping of workspaces to partitions, with one, two and four engines on one NATS
// server: how many a second are applied, and what each costs the engines. N engines, their server and the publisher share N
// cores. Two engines are also measured with a spare each, which share these cores, too.
//
//   Baseline: one engine behind the same mapping.

import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { connect } from "nats";
import { at } from "../../../test/support/engine/json.ts";
import { bySocket } from "../../../test/support/http/by-socket.ts";
import { natsServer } from "../../../test/support/nats/server.ts";
import type { Effort } from "../../effort.ts";
import { accounted, treeOf } from "../../http/account.ts";
import { canKeep, onCores } from "../../cores.ts";
import { inTurns, median } from "../../measure.ts";
import { down, pidsOf, type Up, up } from "../../processes.ts";
import { callsOf, publishAll, SESSIONS } from "../../published.ts";
import type { Row } from "../../report.ts";
import { scratchFolder } from "../../scratch.ts";
import { partedConfig } from "./parted.ts";

const MOST = 4;

/** Counts the marked requests that these engines publish: asking the engines would cost them more than the messages do. */
async function published(url: string, partitions: number) {
  const connections = await Promise.all(
    Array.from({ length: partitions }, (_, n) =>
      connect({ servers: url, user: `p${n}`, pass: `p${n}`, noAsyncTraces: true }),
    ),
  );
  const seen = new Set<string>();
  for (const connection of connections)
    connection.subscribe("signalbox.v1.state.>", {
      callback: (_, { data }) => {
        const mark = /"mark-\d+-\d+"/.exec(Buffer.from(data).toString());
        if (mark) seen.add(mark[0]);
      },
    });
  await Promise.all(connections.map((connection) => connection.flush()));
  return { seen, close: () => Promise.all(connections.map((connection) => connection.close())) };
}

/** Each session is in a workspace of its own, so that the mapping spreads them. */
const spread = ([subject, body]: readonly [string, string]): readonly [string, string] => {
  const workspace = subject.split(".")[4]?.replace("session", "w") ?? "";
  return [subject.replace(".bench.", `.${workspace}.`), body.replace(`"bench/`, `"${workspace}/`)];
};

/** One request in each workspace: once it is known, all that came before is applied. */
const marks = (run: number, sessions: number): readonly (readonly [string, string])[] =>
  Array.from({ length: sessions }, (_, n) => [
    `signalbox.v1.in.w-${n}.session-${n}.request.created`,
    JSON.stringify({
      ...{ specversion: "1.0", id: `mark-${run}-${n}`, source: "bench", type: "request.created" },
      ...{ subject: `w-${n}/session-${n}`, data: { requestId: `mark-${run}-${n}` } },
    }),
  ]);

interface Loaded {
  readonly perSecond: number;
  readonly cpuUs: number;
}

/** Waits until a spare has applied all that the journal has. */
async function followed({ data }: Up): Promise<void> {
  while (at(await (await bySocket(data)("/readyz")).json(), "lag") !== 0) await sleep(5);
}

/** Each owner gets as many sessions, and these as many calls: all engines are as warm, and hold as much. */
async function scaled(partitions: number, calls: number, hasSpares = false) {
  const sessions = SESSIONS * partitions;
  const server = await natsServer(["-c", partedConfig(partitions)]);
  const engines: Up[] = [];
  const spares: Up[] = [];
  for (let n = 0; n < partitions; n += 1) {
    const nats = ["--nats", server.url.replace("//", `//p${n}:p${n}@`)];
    const owner = await up(scratchFolder(), nats);
    engines.push(owner);
    if (hasSpares) spares.push(await up(scratchFolder(), [...nats, "--follow", join(owner.data, "key")]));
  }
  engines.push(...spares);
  const door = await connect({ servers: server.url, user: "door", pass: "door", noAsyncTraces: true });
  const told = await published(server.url, partitions);
  let runs = 0;
  const applied = async (): Promise<void> => {
    const messages = [...callsOf(runs * calls, calls, sessions).map(spread), ...marks(runs, sessions)];
    await publishAll(door.jetstream(), messages);
    runs += 1;
    while (told.seen.size < runs * sessions) await sleep(1);
    await Promise.all(spares.map(followed));
  };
  const pids = [process.pid, ...(server.pid === undefined ? [] : [server.pid])];
  return {
    async run(cores: number): Promise<Loaded> {
      onCores(cores, [...pids, ...pidsOf(engines).flatMap(treeOf)]);
      const messages = (calls * 2 + 1) * sessions;
      const from = performance.now();
      const { cost } = await accounted(pidsOf(engines), applied);
      return { perSecond: (messages * 1_000) / (performance.now() - from), cpuUs: cost.cpuUs / messages };
    },
    async stop(): Promise<void> {
      onCores(Infinity, pids);
      await Promise.all(engines.map(down));
      await Promise.all([door.close(), told.close()]);
      await server.dispose();
    },
  };
}

/** `oneOnTwo` is one engine that has both cores. */
type Contender = "one" | "oneOnTwo" | "two" | "spared" | "four";

export async function partitionsRows(effort: Effort): Promise<readonly Row[]> {
  const [rounds, calls] = effort === "quick" ? [3, 20] : [7, 60];
  // Each contender has engines of its own, so that all did as much before.
  const one = await scaled(1, calls);
  const oneOnTwo = await scaled(1, calls);
  const two = await scaled(2, calls);
  const spared = await scaled(2, calls, true);
  const four = await scaled(MOST, calls);
  const perSecond: Record<Contender, number[]> = { one: [], oneOnTwo: [], two: [], spared: [], four: [] };
  const cpuUs = async (name: Contender, run: Promise<Loaded>): Promise<number> => {
    const loaded = await run;
    perSecond[name].push(loaded.perSecond);
    return loaded.cpuUs;
  };
  const figures = await inTurns(rounds, {
    one: () => cpuUs("one", one.run(1)),
    oneOnTwo: () => cpuUs("oneOnTwo", oneOnTwo.run(2)),
    two: () => cpuUs("two", two.run(2)),
    spared: () => cpuUs("spared", spared.run(2)),
    four: () => cpuUs("four", four.run(MOST)),
  });
  for (const each of [one, oneOnTwo, two, spared, four]) await each.stop();
  const warm = (name: Contender): number => median(perSecond[name].slice(1));
  return [
    {
      what: "messages a second of two engines, the NATS server and the publisher on two cores",
      unit: "messages/s",
      figure: warm("two"),
      baseline: { name: "one engine with its own on one core", figure: warm("one") },
      ...(canKeep
        ? { budget: { of: "ratio", sense: "at least", limit: 1.6 } }
        : { note: "without `taskset` all rows use all cores, so there is no limit" }),
    },
    {
      what: "the same, if the one engine has both cores",
      unit: "messages/s",
      figure: warm("two"),
      baseline: { name: "one engine with its own on two cores", figure: warm("oneOnTwo") },
    },
    {
      what: "messages a second of two engines and a spare of each, with the server and the publisher on two cores",
      unit: "messages/s",
      figure: warm("spared"),
      baseline: { name: "one engine without a spare, with its own on one core", figure: warm("one") },
      ...(canKeep && { budget: { of: "ratio", sense: "at least", limit: 0.8 } }),
    },
    {
      what: "processor time of such a message, both owners and both spares together",
      unit: "µs",
      figure: figures.spared,
      baseline: { name: "one engine", figure: figures.one },
      budget: { of: "ratio", sense: "at most", limit: 2.5 },
    },
    ...(["two", "four"] as const).map((name): Row => ({
      what: `processor time of such a message with ${name} engines, all of them together`,
      unit: "µs",
      figure: figures[name],
      baseline: { name: "one engine", figure: figures.one },
      budget: { of: "ratio", sense: "at most", limit: 1.25 },
    })),
  ];
}
