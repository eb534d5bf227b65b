// Soak
// Tries every property of the tests from new seeds, for as long as one likes.
//
//   Owns:          the command line, the time, how many processes are at work.
//   Does not own:  which files there are (files), running one (job), what was found (tally).
//
// A file with properties is tried from one seed after another, the one with the least time so far first. What fails is
// told at once, with the command that shows it again, and is not tried again, unless `--all` asks for that.

import type { ChildProcess } from "node:child_process";
import { availableParallelism } from "node:os";
import { dirname } from "node:path";
import { parseArgs } from "node:util";
import { newSeed } from "../support/properties/new-seed.ts";
import { propertyFiles } from "./files.ts";
import { run } from "./job.ts";
import { type Difference, Tally } from "./tally.ts";

const MINUTE_MS = 60_000;
const HELP = `Tries every property of the tests from new seeds, for as long as one likes.

  npm run soak -- [--minutes N] [--workers N] [--seed N] [--all] [--json] [NAME…]
  npm run soak -- --minutes 30 test/machines

NAME is a part of a test file's path: without one, all are tried. --all goes on with what has failed.
Exit code 0: nothing failed; 1: something did; 2: the command line is wrong.`;

interface Options {
  readonly root: string;
  readonly minutes: number;
  readonly workers: number;
  readonly seed: number;
  readonly goesOn: boolean;
  readonly json: boolean;
  readonly files: readonly string[];
}

/** @returns undefined where help is asked for. @throws Error that says what is wrong with the command line. */
function options(): Options | undefined {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      root: { type: "string", default: dirname(dirname(import.meta.dirname)) },
      minutes: { type: "string", default: "10" },
      workers: { type: "string", default: String(availableParallelism()) },
      seed: { type: "string", default: String(newSeed()) },
      all: { type: "boolean", default: false },
      json: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) return undefined;
  const files = propertyFiles(values.root).filter(
    (file) => positionals.length === 0 || positionals.some((name) => file.includes(name)),
  );
  if (files.length === 0)
    throw new Error(`No test file with properties has "${positionals.join('" or "')}" in its path.`);
  return {
    root: values.root,
    minutes: numberOf("minutes", values.minutes),
    workers: Math.max(1, Math.floor(numberOf("workers", values.workers))),
    seed: Math.floor(numberOf("seed", values.seed)),
    goesOn: values.all,
    json: values.json,
    files,
  };
}

function numberOf(name: string, text: string): number {
  const value = Number(text);
  if (Number.isFinite(value) && value > 0) return value;
  throw new Error(`--${name} takes a number above zero, not "${text}".`);
}

/** What a test says that was ended in the middle is no finding. */
const hasEnded = ({ aborted }: AbortSignal): boolean => aborted;

const say = (text: string): void => void process.stderr.write(`${text}\n`);

const told = ({ file, title, message, again }: Difference): string =>
  `\n${file}\n${title}\n${message}\nAgain: ${again}\n`;

async function soak({ root, minutes, workers, seed: first, goesOn, json, files }: Options): Promise<Tally> {
  const tally = new Tally(files, goesOn);
  const from = performance.now();
  const spent = (): number => (performance.now() - from) / MINUTE_MS;
  const atWork = new Map<string, ChildProcess | undefined>();
  let seed = first;
  const stop = new AbortController();
  process.once("SIGINT", () => {
    stop.abort();
    for (const child of atWork.values()) child?.kill();
  });

  const work = async (): Promise<void> => {
    while (!stop.signal.aborted && spent() < minutes) {
      const job = tally.next(new Set(atWork.keys()), seed);
      if (!job) return;
      seed += 1;
      atWork.set(job.file, undefined);
      const outcome = await run(root, job, (child) => void atWork.set(job.file, child));
      atWork.delete(job.file);
      if (hasEnded(stop.signal)) return;
      const before = tally.differences.length;
      tally.add(job, outcome);
      if (!json) say(`${tally.line(spent())}: ${job.file} from seed ${job.seed}, ${job.runs} ×`);
      for (const difference of tally.differences.slice(before)) say(told(difference));
    }
  };
  await Promise.all(Array.from({ length: workers }, work));
  if (json) {
    const { seeds, values, properties, differences } = tally;
    const result = { minutes: spent(), seed: first, seeds, values, properties, differences };
    process.stdout.write(`${JSON.stringify(result, undefined, 2)}\n`);
  } else {
    for (const { file, title, seeds, values } of tally.properties)
      process.stdout.write(
        `${String(values).padStart(9)}  ${String(seeds).padStart(4)}  ${file}  ${title}\n`,
      );
    process.stdout.write(`${tally.line(spent())}\n`);
    for (const { again } of tally.differences) process.stdout.write(`Again: ${again}\n`);
  }
  return tally;
}

try {
  const asked = options();
  if (!asked) console.log(HELP);
  else {
    const { differences } = await soak(asked);
    process.exitCode = differences.length > 0 ? 1 : 0;
  }
} catch (error) {
  say(error instanceof Error ? error.message : String(error));
  process.exitCode = 2;
}
