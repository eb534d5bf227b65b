// Soak tally
// What has been tried so far, and what was found.
//
//   Owns:          adding up outcomes; which tests of a file are properties still to be tried; saying so.
//   Does not own:  running anything (job, soak).

import { commandOf, type Job, type Outcome } from "./job.ts";

/** A test that failed, and how to see it again. */
export interface Difference {
  readonly file: string;
  readonly title: string;
  readonly seed: number;
  readonly runs: number;
  readonly again: string;
  readonly message: string;
}

/** One property, as far as it has been tried. */
interface Property {
  readonly file: string;
  readonly title: string;
  readonly seeds: number;
  readonly values: number;
}

interface FileTally {
  jobs: number;
  ms: number;
  runs: number;
  /** Those that have told that they try values; `undefined` where values are made for several at once. */
  readonly titles: Set<string | undefined>;
  readonly broken: Set<string>;
}

/** A job this short costs more to start than to run: the next one tries twice as many values. */
const SHORT_MS = 20_000;
const RUNS_MAX = 256;

export class Tally {
  readonly differences: Difference[] = [];
  readonly #files: ReadonlyMap<string, FileTally>;
  readonly #properties = new Map<string, Property>();
  readonly #goesOn: boolean;
  seeds = 0;
  values = 0;

  /** @param goesOn true where a property that failed is tried on. */
  constructor(files: readonly string[], goesOn: boolean) {
    const fresh = (): FileTally => ({ jobs: 0, ms: 0, runs: 1, titles: new Set(), broken: new Set() });
    this.#files = new Map(files.map((file) => [file, fresh()]));
    this.#goesOn = goesOn;
  }

  get properties(): readonly Property[] {
    return [...this.#properties.values()];
  }

  /** The file that has had the least time, of those not at work; undefined where none is left. */
  next(atWork: ReadonlySet<string>, seed: number): Job | undefined {
    const left = [...this.#files].filter(([file, tally]) => !atWork.has(file) && isLeft(tally));
    const [first] = left.sort(([, a], [, b]) => a.ms - b.ms);
    if (!first) return undefined;
    const [file, { jobs, runs, titles, broken }] = first;
    const known = [...titles].flatMap((title) => (title === undefined || broken.has(title) ? [] : [title]));
    // Values that are made for several at once are tried by tests that tell nothing.
    const isWhole = jobs === 0 || titles.has(undefined);
    return { file, seed, runs, ...(!isWhole && { titles: known }) };
  }

  add(job: Job, { tried, failures, ms }: Outcome): void {
    const tally = this.#files.get(job.file);
    if (!tally) return;
    tally.jobs += 1;
    tally.ms += ms;
    if (ms < SHORT_MS) tally.runs = Math.min(RUNS_MAX, tally.runs * 2);
    this.seeds += 1;
    for (const { title, values } of tried) {
      tally.titles.add(title);
      this.values += values;
      this.#try(job.file, title ?? "several at once", values);
    }
    for (const { title, message } of failures) {
      if (tally.broken.has(title) && !this.#goesOn) continue;
      if (!this.#goesOn) tally.broken.add(title);
      const { file, seed, runs } = job;
      this.differences.push({ file, title, seed, runs, again: commandOf(job, title), message });
    }
  }

  #try(file: string, title: string, values: number): void {
    const key = `${file} ${title}`;
    const before = this.#properties.get(key) ?? { file, title, seeds: 0, values: 0 };
    this.#properties.set(key, { ...before, seeds: before.seeds + 1, values: before.values + values });
  }

  /** One line: how far it is. */
  line(minutes: number): string {
    const { seeds, values, differences } = this;
    return `${minutes.toFixed(1)} min, ${seeds} seeds, ${values.toLocaleString("en")} histories, ${differences.length} differences`;
  }
}

/** A file that could not be run at all, or all of whose properties have failed, is not tried again. */
function isLeft({ jobs, titles, broken }: FileTally): boolean {
  if (jobs === 0) return true;
  if (broken.has("")) return false;
  return titles.has(undefined) ? broken.size === 0 : [...titles].some((title) => !broken.has(title ?? ""));
}
