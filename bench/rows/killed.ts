// Killed row
// From nothing open to ready, on the folder of an engine that was killed with -9 at full load.
//
//   Baseline: opening that folder, no engine.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { openLmdb } from "../../adapters/lmdb/index.ts";
import { systemClock } from "../../adapters/system/index.ts";
import type { Effort } from "../effort.ts";
import { median } from "../measure.ts";
import type { Row } from "../report.ts";
import { engineOn, scratchFolder } from "../scratch.ts";

const PROGRAM = fileURLToPath(new URL("../full-load.ts", import.meta.url)).replace(/\.ts$/, ".js");
const PLANS = { quick: { rounds: 3, loadMs: 1_000 }, whole: { rounds: 9, loadMs: 3_000 } } as const;

async function killed(dir: string, loadMs: number): Promise<void> {
  const child = spawn(process.execPath, [PROGRAM, dir], { stdio: ["ignore", "pipe", "inherit"] });
  const ended = once(child, "close");
  await Promise.race([
    once(child.stdout, "data"),
    ended.then(() => Promise.reject(new Error("The load ended by itself."))),
  ]);
  await sleep(loadMs);
  child.kill("SIGKILL");
  await ended;
}

async function opened(dir: string): Promise<number> {
  const from = performance.now();
  const { store, close } = openLmdb(dir, systemClock());
  await store.open();
  const took = performance.now() - from;
  await close();
  return took;
}

async function started(dir: string): Promise<number> {
  const from = performance.now();
  const engine = engineOn(openLmdb(dir, systemClock()));
  await engine.start();
  const ready = performance.now() - from;
  await engine.stop();
  return ready;
}

export async function killedRows(effort: Effort): Promise<readonly Row[]> {
  const { rounds, loadMs } = PLANS[effort];
  const dir = scratchFolder();
  const [ours, bare]: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round += 1) {
    await killed(dir, loadMs);
    ours.push(await started(dir));
    bare.push(await opened(dir));
  }
  return [
    {
      what: "start after a kill -9 at full load",
      unit: "ms",
      figure: median(ours),
      baseline: { name: "open the folder", figure: median(bare) },
      budget: { of: "figure", sense: "at most", limit: 1_000 },
      note: `the longest of ${rounds}: ${Math.max(...ours).toFixed(0)} ms`,
    },
  ];
}
