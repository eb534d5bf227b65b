// Partitions rows
// Messages of services through the shipped mapping of workspaces to partitions, with one, two and four engines on one NATS
// server: how many a second are applied, and what each costs the engines.
//
//   Baseline: one engine behind the same mapping.

import { setTimeout as sleep } from "node:timers/promises";
import { connect } from "nats";
import { natsServer } from "../../../test/support/nats/server.ts";
import type { Effort } from "../../effort.ts";
import { accounted } from "../../http/account.ts";
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
const marks = (run: number): readonly (readonly [string, string])[] =>
  Array.from({ length: SESSIONS }, (_, n) => [
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

/** Each engine gets as many messages, so that all are as warm. */
async function scaled(partitions: number, callsOfEach: number) {
  const calls = callsOfEach * partitions;
  const server = await natsServer(["-c", partedConfig(partitions)]);
  const engines: Up[] = [];
  for (let n = 0; n < partitions; n += 1)
    engines.push(await up(scratchFolder(), ["--nats", server.url.replace("//", `//p${n}:p${n}@`)]));
  const door = await connect({ servers: server.url, user: "door", pass: "door", noAsyncTraces: true });
  const told = await published(server.url, partitions);
  let runs = 0;
  const applied = async (): Promise<void> => {
    const messages = [...callsOf(runs * calls, calls).map(spread), ...marks(runs)];
    await publishAll(door.jetstream(), messages);
    runs += 1;
    while (told.seen.size < runs * SESSIONS) await sleep(1);
  };
  return {
    async run(): Promise<Loaded> {
      const messages = (calls * 2 + 1) * SESSIONS;
      const from = performance.now();
      const { cost } = await accounted(pidsOf(engines), applied);
      return { perSecond: (messages * 1_000) / (performance.now() - from), cpuUs: cost.cpuUs / messages };
    },
    async stop(): Promise<void> {
      await Promise.all(engines.map(down));
      await Promise.all([door.close(), told.close()]);
      await server.dispose();
    },
  };
}

export async function partitionsRows(effort: Effort): Promise<readonly Row[]> {
  const [rounds, calls] = effort === "quick" ? [3, 10] : [7, 60];
  const contenders = {
    one: await scaled(1, calls),
    two: await scaled(2, calls),
    four: await scaled(MOST, calls),
  };
  const perSecond: Record<keyof typeof contenders, number[]> = { one: [], two: [], four: [] };
  const cpuUs = async (name: keyof typeof contenders): Promise<number> => {
    const loaded = await contenders[name].run();
    perSecond[name].push(loaded.perSecond);
    return loaded.cpuUs;
  };
  const figures = await inTurns(rounds, {
    one: () => cpuUs("one"),
    two: () => cpuUs("two"),
    four: () => cpuUs("four"),
  });
  for (const each of Object.values(contenders)) await each.stop();
  const warm = (name: keyof typeof contenders): number => median(perSecond[name].slice(1));
  const [one, two] = [warm("one"), warm("two")];
  return [
    {
      what: "messages a second through the partitions of two engines",
      unit: "messages/s",
      figure: two,
      baseline: { name: "one engine", figure: one },
      note: "two engines, the NATS server and the publisher share the cores: ratios count on four cores and more",
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
