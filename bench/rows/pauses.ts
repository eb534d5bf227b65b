// Pauses row
// How long the main thread lets everybody wait: fifty sessions at full load, on LMDB, while finished requests are removed.
//
//   Baseline: the same load with nothing to remove.
//
// The requests were closed half a day ago by the clock of the second engine, which finds all of them due at its start. A
// pause is a round of the event loop, in processor time of the main thread where the system tells it.

import type { Effort } from "../effort.ts";
import { openLmdb } from "../../adapters/lmdb/index.ts";
import { systemClock } from "../../adapters/system/index.ts";
import { DEFAULT_CONFIGURATION } from "../../runtime/config.ts";
import type { Engine } from "../../runtime/engine/engine.ts";
import type { Clock } from "../../runtime/ports.ts";
import { rounds } from "../measure.ts";
import type { Row } from "../report.ts";
import { engineOn, scratchFolder } from "../scratch.ts";
import { completed, created, processing, post, pre, prompt, sessionId } from "../workload.ts";

const HOUR_MS = 60 * 60 * 1000;
const SESSIONS = 50;
const AT_ONCE = 500;
const BARE_MS = 5_000;
const configuration = { ...DEFAULT_CONFIGURATION, keepMs: 12 * HOUR_MS };

const numbers = (count: number): readonly number[] => Array.from({ length: count }, (_, n) => n);

/** A started engine whose clock is ahead. */
async function started(dir: string, aheadMs: number): Promise<Engine> {
  const clock: Clock = { ...systemClock(), now: () => Date.now() + aheadMs };
  const engine = engineOn(openLmdb(dir, clock), { clock, configuration });
  await engine.start();
  return engine;
}

async function say(engine: Engine, messages: readonly Parameters<Engine["submit"]>[0][]): Promise<void> {
  const receipts = await Promise.all(messages.map((message) => engine.submit(message)));
  for (const { settled } of receipts) {
    const { outcome, reason } = await settled;
    if (outcome !== "applied") throw new Error(`A message was ${outcome}: ${reason ?? ""}`);
  }
}

async function fill(engine: Engine, requests: number): Promise<void> {
  for (let from = 0; from < requests; from += AT_ONCE)
    await say(
      engine,
      numbers(Math.min(AT_ONCE, requests - from)).flatMap((n) => [
        created(from + n),
        processing(from + n),
        completed(from + n),
      ]),
    );
}

interface Pauses {
  readonly p999: number;
  readonly longest: number;
  readonly calls: number;
}

let next = 0;

/** Fifty sessions that make one call after another until `work` is done. */
async function underLoad(engine: Engine, work: () => Promise<void>): Promise<Pauses> {
  let isOver = false;
  let calls = 0;
  const load = numbers(SESSIONS).map(async (n) => {
    const id = sessionId(-1 - n);
    await say(engine, [prompt(id)]);
    while (!isOver) {
      next += 1;
      for (const message of [pre(id, next), post(id, next)]) await say(engine, [message]);
      calls += 1;
    }
  });
  const { quantile, longest } = await rounds(work);
  isOver = true;
  await Promise.all(load);
  return { p999: quantile(0.999), longest, calls };
}

const pass = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Until all but the load's own requests are gone. */
async function removed(engine: Engine): Promise<void> {
  const { counts } = engine.meta();
  if ((counts["request/completed"] ?? 0) === 0) return;
  await pass(100);
  return removed(engine);
}

export async function pausesRows(effort: Effort): Promise<readonly Row[]> {
  const requests = effort === "quick" ? 2_000 : 50_000;
  const dir = scratchFolder();
  const before = await started(dir, 0);
  await fill(before, requests);
  const bare = await underLoad(before, () => pass(BARE_MS));
  await before.stop();
  const engine = await started(dir, 13 * HOUR_MS);
  const from = performance.now();
  const removing = await underLoad(engine, () => removed(engine));
  const seconds = (performance.now() - from) / 1000;
  await engine.stop();
  const row = (what: string, figure: number, baseline: number): Row => ({
    what,
    unit: "ms",
    figure,
    baseline: { name: "nothing to remove", figure: baseline },
    budget: { of: "figure", sense: "at most", limit: 15 },
    note: `${seconds.toFixed(1)} s for ${requests.toLocaleString("en")} requests, ${removing.calls} calls meanwhile`,
  });
  return [
    row("pause while finished requests are removed, p99.9", removing.p999, bare.p999),
    row("the longest", removing.longest, bare.longest),
  ];
}
