// Measure
// Contenders run in turns, and the median counts: what slows the machine for a while slows all of them.
//
//   Owns:          rounds, medians, percentiles, processor time, how long a round of the event loop takes, the heap.
//   Does not own:  what is measured.

import { closeSync, existsSync, openSync, readSync } from "node:fs";
import { createHistogram } from "node:perf_hooks";
import { setImmediate as nextRound, setTimeout as sleep } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** One measurement: does its work and returns its figure. */
export type Contender = () => number | Promise<number>;

/**
 * Runs every contender once a round, in an order that turns from round to round; one round before them is thrown away.
 * @returns the median of each.
 */
export async function inTurns<K extends string>(
  rounds: number,
  contenders: Readonly<Record<K, Contender>>,
): Promise<Readonly<Record<K, number>>> {
  const names = Object.keys(contenders) as K[];
  const figures = new Map<K, number[]>(names.map((name) => [name, []]));
  for (let round = -1; round < rounds; round += 1) {
    const first = (round + names.length) % names.length;
    for (const name of [...names.slice(first), ...names.slice(0, first)]) {
      const figure = await contenders[name]();
      if (round >= 0) figures.get(name)?.push(figure);
    }
  }
  return Object.fromEntries(names.map((name) => [name, median(figures.get(name) ?? [])])) as Record<
    K,
    number
  >;
}

export const median = (figures: readonly number[]): number => quantile(figures, 0.5);

/** @param q from 0 to 1; the nearest figure that is there. */
export function quantile(figures: readonly number[], q: number): number {
  const sorted = [...figures].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))] ?? NaN;
}

/**
 * @returns how long `work` kept the processor busy, µs, in all threads of this process: other processes do not count, nor
 * does waiting.
 */
export async function cpuUs(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

/** What the system has counted for the main thread, the processor time first, ns. */
const MAIN_THREAD = `/proc/${process.pid}/task/${process.pid}/schedstat`;

/** @returns a clock that goes only while the main thread is at work, ms; where the system does not tell, the wall's. */
function mainThread(): { readonly now: () => number; readonly close: () => void } {
  if (!existsSync(MAIN_THREAD)) return { now: () => performance.now(), close: () => undefined };
  const file = openSync(MAIN_THREAD, "r");
  const bytes = Buffer.alloc(64);
  const now = (): number =>
    parseInt(bytes.toString("latin1", 0, readSync(file, bytes, 0, bytes.length, 0)), 10) / 1e6;
  return { now, close: () => closeSync(file) };
}

/** How long the rounds of the event loop took while `work` went on, ms. */
export async function rounds(
  work: () => Promise<void>,
): Promise<{ readonly longest: number; readonly quantile: (q: number) => number }> {
  const { now, close } = mainThread();
  // Not an array: millions of rounds would make it grow, and that is a pause of its own.
  const took = createHistogram();
  const state = { isOver: false };
  const watch = async (): Promise<void> => {
    for (let from = now(); !state.isOver;) {
      await nextRound();
      const until = now();
      took.record(Math.max(1, Math.round((until - from) * 1e6)));
      from = until;
    }
  };
  const watched = watch();
  await work();
  state.isOver = true;
  await watched;
  close();
  return { longest: took.max / 1e6, quantile: (q) => took.percentile(100 * q) / 1e6 };
}

setFlagsFromString("--expose-gc");
const gc = runInNewContext("gc") as () => void;

/** What is left on the heap once the garbage is collected, bytes. */
export async function settledHeap(): Promise<number> {
  for (let n = 0; n < 3; n += 1) {
    await sleep(20);
    gc();
  }
  return process.memoryUsage().heapUsed;
}
