// Start rows
// From nothing open to ready, on a folder with many open requests, each in a session of its own.
//
//   Baseline: opening the folder and reading the rows that list those requests, no engine.

import type { Effort } from "../effort.ts";
import { openLmdb } from "../../adapters/lmdb/index.ts";
import { systemClock } from "../../adapters/system/index.ts";
import { after, keys } from "../../runtime/rows/keys.ts";
import { inTurns } from "../measure.ts";
import type { Row } from "../report.ts";
import { engineOn, lmdbEngine, scratchFolder } from "../scratch.ts";
import { created } from "../workload.ts";

const AT_ONCE = 2_000;

async function folderWith(requests: number): Promise<string> {
  const dir = scratchFolder();
  const { engine } = await lmdbEngine(dir);
  for (let from = 0; from < requests; from += AT_ONCE) {
    const numbers = Array.from({ length: Math.min(AT_ONCE, requests - from) }, (_, n) => from + n);
    const receipts = await Promise.all(numbers.map((n) => engine.submit(created(n))));
    for (const { settled } of receipts) await settled;
  }
  await engine.stop();
  return dir;
}

async function started(dir: string, requests: number): Promise<number> {
  const start = performance.now();
  const engine = engineOn(openLmdb(dir, systemClock()));
  const { openRequests } = await engine.start();
  const ready = performance.now() - start;
  if (openRequests !== requests) throw new Error(`${openRequests} of ${requests} requests were found.`);
  await engine.stop();
  return ready;
}

async function listed(dir: string, requests: number): Promise<number> {
  const start = performance.now();
  const { store, close } = openLmdb(dir, systemClock());
  await store.open();
  const gte = keys.list(["request", "state", "created"]);
  let count = 0;
  for (const _ of store.range({ gte, lt: after(gte) })) count += 1;
  const read = performance.now() - start;
  if (count !== requests) throw new Error(`${count} of ${requests} rows were found.`);
  await close();
  return read;
}

async function rowFor(requests: number, limit: number, rounds: number): Promise<Row> {
  const dir = await folderWith(requests);
  const { ours, bare } = await inTurns(rounds, {
    ours: () => started(dir, requests),
    bare: () => listed(dir, requests),
  });
  return {
    what: `start with ${requests.toLocaleString("en")} open requests`,
    unit: "ms",
    figure: ours,
    baseline: { name: "open + read the list", figure: bare },
    budget: { of: "figure", sense: "at most", limit },
  };
}

export async function startRows(effort: Effort): Promise<readonly Row[]> {
  const few = await rowFor(1_000, 100, 7);
  return effort === "quick" ? [few] : [few, await rowFor(100_000, 300, 5)];
}
