// Tracker rows
// Seed 001's figures where they were meant: requests in files, each durable before the next; a thousand at once; a start.
//
//   Baseline: the same files by nobody in particular: one written, synced, renamed, its folder synced; one read and
//             parsed; a thousand of either at once. The seed's own limits stand in the notes.

import { open, readFile, rename, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Effort } from "../effort.ts";
import { RequestTracker } from "../../adapters/request-files/tracker.ts";
import { median, quantile } from "../measure.ts";
import type { Row } from "../report.ts";
import { scratchFolder } from "../scratch.ts";

const CROWD = 1_000;
const AT_ONCE = 32;

async function msOf(work: () => unknown): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

const TEXT = JSON.stringify({ requestId: "r", prompt: "x".repeat(500) });
const bareAt = (dir: string, n: number): string => join(dir, `${n}.json`);

async function bareWrite(dir: string, n: number): Promise<void> {
  const draft = join(dir, `${n}.draft`);
  const file = await open(draft, "wx");
  await file.writeFile(TEXT);
  await file.sync();
  await file.close();
  await rename(draft, bareAt(dir, n));
  const folder = await open(dir, "r");
  await folder.sync();
  await folder.close();
}

const bareRead = async (dir: string, n: number): Promise<unknown> =>
  JSON.parse(await readFile(bareAt(dir, n), "utf8"));

async function bareReadAll(dir: string, count: number): Promise<void> {
  const left = Array.from({ length: count }, (_, n) => n).values();
  const work = async (): Promise<void> => {
    for (const n of left) await bareRead(dir, n);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}

interface Pair {
  readonly what: string;
  readonly ours: number[];
  readonly bare: number[];
  readonly baseline: string;
  /** Times the baseline. */
  readonly limit: number;
  readonly seedMs: number;
}

function rowOf({ what, ours, bare, baseline, limit, seedMs }: Pair): Row {
  const spread = (figures: readonly number[]): string =>
    figures.length === 1 ? "" : `; p99 ${quantile(figures, 0.99).toFixed(2)} ms`;
  return {
    what: `tracker: ${what}`,
    unit: "ms",
    figure: median(ours),
    baseline: { name: baseline, figure: median(bare) },
    budget: { of: "ratio", sense: "at most", limit },
    note: `seed 001 allows ${seedMs} ms${spread(ours)}${spread(bare) && `, of the baseline ${quantile(bare, 0.99).toFixed(2)} ms`}`,
  };
}

export async function trackerRows(effort: Effort): Promise<readonly Row[]> {
  const count = effort === "quick" ? 300 : 1_000;
  const [dir, bareDir] = [scratchFolder(), scratchFolder()];
  const options = { stateBaseDir: dir, sweepMs: 0, env: {} };
  const tracker = new RequestTracker(options);
  await tracker.start();
  const pair = (what: string, baseline: string, limit: number, seedMs: number): Pair => ({
    ...{ what, baseline, limit, seedMs },
    ...{ ours: [], bare: [] },
  });
  const create = pair("create a request, p50", "a bare durable write", 1.5, 5);
  const move: Pair = {
    ...pair("move a request on, p50", "a bare durable write", 1.5, 10),
    bare: create.bare,
  };
  const stored = pair("look a request up on disk, p50", "read and parse", 2, 50);
  const cached = pair("look it up again, p50", "fs.stat", 1, 10);
  // A request changes five names (its claim's twice, its draft's, its index's, its own), a bare write two.
  const atOnce = pair("create a request, 1,000 at once, each", "bare, 1,000 at once", 2.5, 5);
  const total = count + CROWD;
  const start = pair(
    `recover ${total.toLocaleString("en")} requests`,
    "read and parse as many",
    3,
    (1_000 * total) / CROWD,
  );
  const made = (id: string): Promise<unknown> =>
    tracker.createRequest({ requestId: id, chatId: 1, workspace: "bench", prompt: "do it" });
  for (let n = 0; n < count; n += 1) {
    const id = `r${n}`;
    create.ours.push(await msOf(() => made(id)));
    create.bare.push(await msOf(() => bareWrite(bareDir, n)));
    move.ours.push(await msOf(() => tracker.updateState(id, { state: "processing" })));
    create.bare.push(await msOf(() => bareWrite(bareDir, n)));
    tracker.cache.clear();
    stored.ours.push(await msOf(() => tracker.getRequest(id)));
    stored.bare.push(await msOf(() => bareRead(bareDir, n)));
    cached.ours.push(await msOf(() => tracker.getRequest(id)));
    cached.bare.push(await msOf(() => stat(bareAt(bareDir, n))));
  }
  const crowd = Array.from({ length: CROWD }, (_, n) => count + n);
  const each = async (work: (n: number) => Promise<unknown>): Promise<number> =>
    (await msOf(() => Promise.all(crowd.map(work)))) / CROWD;
  atOnce.ours.push(await each((n) => made(`r${n}`)));
  atOnce.bare.push(await each((n) => bareWrite(bareDir, n)));
  await tracker.stop();
  const again = new RequestTracker(options);
  start.ours.push(await msOf(() => again.start()));
  start.bare.push(await msOf(() => bareReadAll(bareDir, total)));
  await again.stop();
  return [create, move, stored, cached, atOnce, start].map(rowOf);
}
