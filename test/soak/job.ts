// Soak job
// One test file, tried from one seed, in a process of its own.
//
//   Owns:          starting vitest, and reading what came of it.
//   Does not own:  which file and seed come next (soak), adding up (tally).

import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Tried } from "../support/properties/log.ts";

export interface Job {
  readonly file: string;
  readonly seed: number;
  /** How many times as many values as usual. */
  readonly runs: number;
  /** Only these tests of the file; all of them where it is not known yet which are properties. */
  readonly titles?: readonly string[];
}

/** A test that failed. */
export interface Failure {
  readonly title: string;
  readonly message: string;
}

export interface Outcome {
  readonly tried: readonly Tried[];
  readonly failures: readonly Failure[];
  readonly ms: number;
}

/** What vitest's JSON reporter writes, as far as it is read here. */
interface Results {
  readonly testResults: readonly {
    readonly message: string;
    readonly assertionResults: readonly {
      readonly status: string;
      readonly title: string;
      readonly failureMessages: readonly string[];
    }[];
  }[];
}

/** Matches whole titles, whatever stands in them. */
const patternOf = (titles: readonly string[]): string =>
  titles.map((title) => title.replaceAll(/[^\w ,:–-]/g, ".")).join("|");

/** What somebody types to see it again. */
export function commandOf({ file, seed, runs }: Job, title: string): string {
  const times = runs === 1 ? "" : ` PROPERTY_RUNS=${runs}`;
  return `PROPERTY_SEED=${seed}${times} npx vitest run ${file} --testTimeout=0 -t "${patternOf([title])}"`;
}

const SEEDED = / \(with seed=-?\d+\)$/;

/** Runs it. @param started is given the process, so that it can be ended. */
export async function run(root: string, job: Job, started: (child: ChildProcess) => void): Promise<Outcome> {
  const folder = mkdtempSync(join(tmpdir(), "soak-"));
  const [log, report] = [join(folder, "log"), join(folder, "report.json")];
  const only = job.titles ? ["-t", patternOf(job.titles)] : [];
  const from = performance.now();
  try {
    const child = spawn(
      process.execPath,
      [
        join(root, "node_modules", "vitest", "vitest.mjs"),
        ...["run", job.file, "--testTimeout=0", "--maxWorkers=1"],
        ...["--reporter=json", `--outputFile=${report}`, ...only],
      ],
      {
        cwd: root,
        stdio: ["ignore", "ignore", "pipe"],
        env: {
          ...process.env,
          PROPERTY_SEED: String(job.seed),
          PROPERTY_RUNS: String(job.runs),
          PROPERTY_LOG: log,
        },
      },
    );
    started(child);
    const errors: Buffer[] = [];
    child.stderr.on("data", (data: Buffer) => void errors.push(data));
    await new Promise((resolve, reject) => child.once("close", resolve).once("error", reject));
    const tried = existsSync(log) ? triedIn(readFileSync(log, "utf8")) : [];
    const failures = existsSync(report)
      ? failuresIn(JSON.parse(readFileSync(report, "utf8")) as Results)
      : [{ title: "", message: `it could not be run: ${Buffer.concat(errors).toString().slice(-2_000)}` }];
    return { tried, failures, ms: performance.now() - from };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const triedIn = (log: string): readonly Tried[] =>
  log
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Tried);

function failuresIn({ testResults }: Results): readonly Failure[] {
  return testResults.flatMap(({ message, assertionResults }) => {
    const failed = assertionResults.filter(({ status }) => status === "failed");
    const found = failed.map(({ title, failureMessages }) => ({
      title: title.replace(SEEDED, ""),
      message: failureMessages.join("\n"),
    }));
    return found.length === 0 && message !== "" ? [{ title: "", message }] : found;
  });
}
