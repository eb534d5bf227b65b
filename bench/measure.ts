// Measure
// Contenders run in turns, and the median counts: what slows the machine for a while slows all of them.
//
//   Owns:          rounds, medians, percentiles, processor time.
//   Does not own:  what is measured.

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
