// Tracker rows
// Seed 001's figures where they were meant: requests in files, each durable before the next; a thousand at once; a start.
//
//   Baseline: the seed's limits; beside create, a file written, synced and renamed, and its folder synced, by nobody in particular.

import { open, rename } from "node:fs/promises";
import { join } from "node:path";
import type { Effort } from "../effort.ts";
import { RequestTracker } from "../../adapters/request-files/index.ts";
import { median, quantile } from "../measure.ts";
import type { Row } from "../report.ts";
import { scratchFolder } from "../scratch.ts";

const SEED_MS = { create: 5, transition: 10, cached: 10, stored: 50, start: 1_000 };
const CROWD = 1_000;

async function msOf(work: () => unknown): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

async function bareWrite(dir: string, n: number): Promise<void> {
  const file = await open(join(dir, `${n}.draft`), "wx");
  await file.writeFile("x".repeat(500));
  await file.sync();
  await file.close();
  await rename(join(dir, `${n}.draft`), join(dir, `${n}.json`));
  const folder = await open(dir, "r");
  await folder.sync();
  await folder.close();
}

export async function trackerRows(effort: Effort): Promise<readonly Row[]> {
  const count = effort === "quick" ? 300 : 1_000;
  const dir = scratchFolder();
  const bareDir = scratchFolder();
  const options = { stateBaseDir: dir, sweepMs: 0, env: {} };
  const tracker = new RequestTracker(options);
  await tracker.start();
  const create: number[] = [];
  const bare: number[] = [];
  const transition: number[] = [];
  const stored: number[] = [];
  const cached: number[] = [];
  const made = (id: string): Promise<unknown> =>
    tracker.createRequest({ requestId: id, chatId: 1, workspace: "bench", prompt: "do it" });
  for (let n = 0; n < count; n += 1) {
    create.push(await msOf(() => made(`r${n}`)));
    bare.push(await msOf(() => bareWrite(bareDir, n)));
    transition.push(await msOf(() => tracker.updateState(`r${n}`, { state: "processing" })));
    tracker.cache.clear();
    stored.push(await msOf(() => tracker.getRequest(`r${n}`)));
    cached.push(await msOf(() => tracker.getRequest(`r${n}`)));
  }
  const crowd = Array.from({ length: CROWD }, (_, n) => `c${n}`);
  const atOnce = await msOf(() => Promise.all(crowd.map(made)));
  await tracker.stop();
  const again = new RequestTracker(options);
  const start = await msOf(() => again.start());
  await again.stop();
  const spread = (figures: readonly number[]): string =>
    `p50 ${median(figures).toFixed(2)} ms, p99 ${quantile(figures, 0.99).toFixed(2)} ms`;
  const row = (what: string, figure: number, seed: number): Row => ({
    what,
    unit: "ms",
    figure,
    baseline: { name: "seed 001", figure: seed },
    budget: { of: "ratio", sense: "at most", limit: 1 },
  });
  return [
    {
      ...row("tracker: create a request, p99", quantile(create, 0.99), SEED_MS.create),
      note: `${spread(create)}; one file written, synced, renamed, its folder synced: ${spread(bare)}`,
    },
    row("tracker: move a request on, p99", quantile(transition, 0.99), SEED_MS.transition),
    row("tracker: look a request up on disk, p99", quantile(stored, 0.99), SEED_MS.stored),
    row("tracker: look it up again, p99", quantile(cached, 0.99), SEED_MS.cached),
    row("tracker: create a request, 1,000 at once, each", atOnce / CROWD, SEED_MS.create),
    row(
      `tracker: recover ${(count + CROWD).toLocaleString("en")} requests`,
      start,
      (SEED_MS.start * (count + CROWD)) / CROWD,
    ),
  ];
}
