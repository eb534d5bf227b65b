// Request rows
// Create, transition, look up, each durable before the next; then a thousand at once.
//
//   Baseline: for what is made durable, the same message appended to a file and synced; for the rest, a tenth of seed 001's
//   limits, at the 99th percentile.

import { openAppending } from "../append.ts";
import type { Effort } from "../effort.ts";
import { openLmdb } from "../../adapters/lmdb/index.ts";
import { systemClock } from "../../adapters/system/index.ts";
import type { Engine } from "../../runtime/engine/engine.ts";
import { Queries } from "../../runtime/reading/queries.ts";
import { median, quantile } from "../measure.ts";
import { recorded } from "../recorded.ts";
import type { Row } from "../report.ts";
import { lmdbEngine, scratchFolder } from "../scratch.ts";
import { created, processing, requestId } from "../workload.ts";

const SEED_MS = { create: 5, transition: 10, cached: 10, stored: 50 };

async function msOf(work: () => unknown): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

const told = async (engine: Engine, message: Parameters<Engine["submit"]>[0]): Promise<void> => {
  const { outcome } = await (await engine.submit(message)).settled;
  if (outcome !== "applied") throw new Error(`A message was ${outcome}.`);
};

function lookUp(queries: Queries, n: number): string {
  const view = queries.getRequest(requestId(n));
  if (!view) throw new Error(`Request ${n} is not there.`);
  return JSON.stringify(view);
}

export async function requestRows(effort: Effort): Promise<readonly Row[]> {
  const count = effort === "quick" ? 300 : 1_000;
  const { engine } = await lmdbEngine();
  const folder = openLmdb(scratchFolder(), systemClock());
  await folder.store.open();
  await folder.journal.open(undefined);
  const [turn] = await recorded([], [created(0)]);
  const file = await openAppending();
  const bare: number[] = [];
  const append: number[] = [];
  const create: number[] = [];
  const transition: number[] = [];
  const stored: number[] = [];
  const cached: number[] = [];
  const queries = new Queries(engine);
  for (let n = 0; n < count; n += 1) {
    create.push(await msOf(() => told(engine, created(n))));
    bare.push(
      await msOf(async () => {
        await folder.journal.append([turn?.body ?? ""]);
        await folder.store.commit(turn?.writes ?? []);
      }),
    );
    append.push(await file.append(turn?.body ?? ""));
    transition.push(await msOf(() => told(engine, processing(n))));
    stored.push(await msOf(() => lookUp(queries, n)));
    cached.push(await msOf(() => lookUp(queries, n)));
  }
  const atOnce = await msOf(() =>
    Promise.all(Array.from({ length: 1_000 }, (_, n) => told(engine, created(count + n)))),
  );
  await engine.stop();
  await folder.close();
  await file.close();
  const spread = (figures: readonly number[]): string =>
    `p50 ${median(figures).toFixed(2)} ms, p99 ${quantile(figures, 0.99).toFixed(2)} ms`;
  const note = `${spread(create)}; one append and one commit of the same rows, without an engine: ${spread(bare)}`;
  const row = (what: string, figure: number, seed: number): Row => ({
    what,
    unit: "ms",
    figure,
    baseline: { name: "seed 001", figure: seed },
    budget: { of: "ratio", sense: "at most", limit: 0.1 },
  });
  const durable = (what: string, figures: readonly number[], seed: number): Row => ({
    ...row(what, quantile(figures, 0.99), seed),
    baseline: { name: "append + fdatasync, p99", figure: quantile(append, 0.99) },
    budget: { of: "ratio", sense: "at most", limit: 2 },
    note: `seed 001 asks for ${seed} ms`,
  });
  return [
    { ...durable("create a request, p99", create, SEED_MS.create), note },
    durable("move a request on, p99", transition, SEED_MS.transition),
    row("look a request up in the store, p99", quantile(stored, 0.99), SEED_MS.stored),
    row("look it up again at once, p99", quantile(cached, 0.99), SEED_MS.cached),
    row("create a request, 1,000 at once, each", atOnce / 1_000, SEED_MS.create),
  ];
}
