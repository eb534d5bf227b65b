// Property
// A claim over generated values, and how to repeat a failure.
//
//   Owns:          trying it from the run's seed, and from those that once failed.
//   Does not own:  which seeds (new-seed, failed-seeds), what is generated (generate), what must hold (the tests).

import fc from "fast-check";
import { FAILED_SEEDS } from "./failed-seeds.ts";
import { logTried, titleNow } from "./log.ts";

/**
 * `PROPERTY_SEED=7` tries the values of an earlier run, `PROPERTY_RUNS=10` ten times as many, `PROPERTY_PATH` repeats one
 * failure. A soak, which asks for a log, tries new seeds alone.
 */
const { PROPERTY_SEED, PROPERTY_PATH, PROPERTY_RUNS, PROPERTY_LOG } = process.env;

const seed = Number(PROPERTY_SEED ?? 1);
const times = Number(PROPERTY_RUNS ?? 1);

/** The values that `holds` tries, as one list. */
export function samples<T>(count: number, values: fc.Arbitrary<T>): readonly T[] {
  logTried(count * times);
  return fc.sample(values, { numRuns: count * times, seed });
}

/**
 * Tries a claim on generated values.
 * @param runs how many values.
 * @param file the test file, for the command that repeats a failure.
 * @param show how a value is printed.
 * @throws Error with the smallest counterexample found and the command that finds it again.
 */
export function holds<T>(
  file: string,
  runs: number,
  values: fc.Arbitrary<T>,
  claim: (value: T) => void,
  show: (value: T) => string = fc.stringify,
): void {
  const tried = fc.property(values, (value) => {
    claim(value);
  });
  for (const each of parameters(file, runs)) judge(file, fc.check(tried, each), show);
}

/** The same for a claim that must be waited for, such as one about an engine. */
export async function holdsLater<T>(
  file: string,
  runs: number,
  values: fc.Arbitrary<T>,
  claim: (value: T) => Promise<void>,
  show: (value: T) => string = fc.stringify,
): Promise<void> {
  for (const each of parameters(file, runs))
    judge(file, await fc.check(fc.asyncProperty(values, claim), each), show);
}

/** @returns for each value that once failed in the file, then for the run's own. */
function parameters(file: string, runs: number) {
  if (PROPERTY_PATH !== undefined) return [{ numRuns: runs * times, seed, path: PROPERTY_PATH }];
  const failed = PROPERTY_LOG === undefined ? (FAILED_SEEDS[file] ?? []) : [];
  const again = failed.map(({ seed, value }) => ({ numRuns: 1, seed, path: String(value) }));
  return [...again, { numRuns: runs * times, seed }];
}

function judge<T>(file: string, outcome: fc.RunDetails<[T]>, show: (value: T) => string): void {
  logTried(outcome.numRuns);
  if (!outcome.failed) return;
  const smallest = outcome.counterexample === null ? "" : show(outcome.counterexample[0]);
  const path = outcome.counterexamplePath ?? "0";
  const again = `PROPERTY_SEED=${outcome.seed} PROPERTY_PATH=${path} npx vitest run ${file} -t "${title()}"`;
  throw new Error(`After ${outcome.numRuns} values this one broke it:\n${smallest}\n\nAgain: ${again}`, {
    cause: outcome.errorInstance,
  });
}

/** The running test's own title, as a pattern. */
const title = (): string => (titleNow() ?? "").replaceAll(/[^\w ,.:–-]/g, ".");
