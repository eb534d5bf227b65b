// Sessions rows
// What an engine with 100,000 sessions, 10,000 of them open, takes to start, to list a page, to tell the overview's
// numbers, and to take a message, on LMDB; and the heap it keeps.
//
//   Baseline: the same with 100 sessions, 10 of them open.

import type { SessionId } from "../../machines/index.ts";
import { openLmdb } from "../../adapters/lmdb/index.ts";
import { systemClock } from "../../adapters/system/index.ts";
import { Queries } from "../../runtime/reading/queries.ts";
import type { Engine } from "../../runtime/engine/engine.ts";
import type { Effort } from "../effort.ts";
import { cpuUs, inTurns, settledHeap } from "../measure.ts";
import type { Row } from "../report.ts";
import { engineOn, lmdbEngine, scratchFolder } from "../scratch.ts";
import { ended, post, pre, prompt, sessionId } from "../workload.ts";

const PLANS = {
  quick: { sessions: 5_000, rounds: 5, calls: 50 },
  whole: { sessions: 100_000, rounds: 11, calls: 100 },
} as const;
const FEW = 100;
/** One in so many sessions has not ended. */
const OPEN_EVERY = 10;
const AT_ONCE = 500;
/** As many as the overview asks for. */
const PAGE = { limit: 50 };
const READS = 200;

async function send(engine: Engine, messages: readonly Parameters<Engine["submit"]>[0][]): Promise<void> {
  const receipts = await Promise.all(messages.map((message) => engine.submit(message)));
  for (const { settled } of receipts) await settled;
}

async function folderWith(sessions: number): Promise<string> {
  const dir = scratchFolder();
  const { engine } = await lmdbEngine(dir);
  for (let from = 0; from < sessions; from += AT_ONCE) {
    const numbers = Array.from({ length: Math.min(AT_ONCE, sessions - from) }, (_, n) => from + n);
    await send(
      engine,
      numbers.flatMap((n) => (n % OPEN_EVERY === 0 ? [prompt(sessionId(n))] : whole(sessionId(n)))),
    );
    if (from % 10_000 === 0) process.stderr.write(`  ${from.toLocaleString("en")} sessions\n`);
  }
  await engine.stop();
  return dir;
}

const whole = (session: SessionId) => [prompt(session), ended(session)];

async function started(dir: string): Promise<number> {
  const from = performance.now();
  const engine = engineOn(openLmdb(dir, systemClock()));
  await engine.start();
  const ready = performance.now() - from;
  await engine.stop();
  return ready;
}

interface Measured {
  readonly start: () => Promise<number>;
  readonly list: () => Promise<number>;
  readonly overview: () => Promise<number>;
  readonly event: () => Promise<number>;
  /** MB. */
  readonly heap: () => Promise<number>;
}

const usEach = async (times: number, work: () => unknown): Promise<number> =>
  (await cpuUs(async () => {
    for (let n = 0; n < times; n += 1) await work();
  })) / times;

let next = 0;

/** What is measured of a folder: each opens it anew, so that only one engine runs at a time. */
function measured(dir: string, sessions: number, calls: number): Measured {
  const within = async (work: (engine: Engine, queries: Queries) => Promise<number>): Promise<number> => {
    const engine = engineOn(openLmdb(dir, systemClock()));
    await engine.start();
    try {
      return await work(engine, new Queries(engine));
    } finally {
      await engine.stop();
    }
  };
  return {
    start: () => started(dir),
    list: () =>
      within((_, queries) =>
        usEach(READS, () => {
          const { items } = queries.listSessions({}, PAGE);
          if (items.length !== PAGE.limit) throw new Error(`${items.length} sessions were listed.`);
        }),
      ),
    overview: () =>
      within((_, queries) =>
        usEach(READS, () => {
          const { counts } = queries.stats();
          const known = Object.values(counts.sessions).reduce((sum, each) => sum + each, 0);
          if (known !== sessions) throw new Error(`${known} of ${sessions} sessions were counted.`);
        }),
      ),
    event: () =>
      within((engine) => {
        const session = sessionId(0);
        next += calls;
        const messages = Array.from({ length: calls }, (_, n) => [
          pre(session, next + n),
          post(session, next + n),
        ]);
        return usEach(1, () => send(engine, messages.flat())).then((us) => us / (2 * calls));
      }),
    heap: () => within(async () => (await settledHeap()) / 2 ** 20),
  };
}

export async function sessionsRows(effort: Effort): Promise<readonly Row[]> {
  const { sessions, rounds, calls } = PLANS[effort];
  const few = measured(await folderWith(FEW), FEW, calls);
  const many = measured(await folderWith(sessions), sessions, calls);
  const rows: Row[] = [];
  const beside = `beside ${sessions.toLocaleString("en")} sessions, ${(sessions / OPEN_EVERY).toLocaleString("en")} open`;
  for (const [name, what, unit] of [
    ["start", "start", "ms"],
    ["list", "a page of sessions", "µs"],
    ["overview", "the overview's numbers", "µs"],
    ["event", "a message", "µs"],
  ] as const) {
    const figures = await inTurns(rounds, { few: few[name], many: many[name] });
    rows.push({
      what: `${what} ${beside}`,
      unit,
      figure: figures.many,
      baseline: { name: `with ${FEW}`, figure: figures.few },
      budget: { of: "ratio", sense: "at most", limit: 1.2 },
    });
  }
  rows.push({
    what: `the heap ${beside}`,
    unit: "MB",
    figure: await many.heap(),
    baseline: { name: `with ${FEW}`, figure: await few.heap() },
    budget: { of: "figure", sense: "at most", limit: 200 },
  });
  return rows;
}
