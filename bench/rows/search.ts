// Search row
// Words looked for over 100,000 calls in 1,000 sessions: common, rare and nowhere, with the index as it stands between
// two searches; and the searches that fill it first.
//
//   Baseline: reading every call's row once, which a search without an index would do.

import { setImmediate as nextTick } from "node:timers/promises";
import type { Effort } from "../effort.ts";
import { createEngine, type SignalboxEngine } from "../../adapters/index.ts";
import { median } from "../measure.ts";
import { fill } from "../panel/crowd.ts";
import type { Row } from "../report.ts";
import { Reader } from "../../runtime/reading/reader.ts";
import { Search } from "../../runtime/reading/search/search.ts";
import { everything } from "../../runtime/reading/search/search-rows.ts";

const PLANS = {
  quick: { sessions: 100, calls: 10, longCalls: 0, waiting: 0 },
  whole: { sessions: 1_000, calls: 100, longCalls: 0, waiting: 0 },
} as const;
const ROUNDS = 20;
const TEXTS = ["echo", "r7", "echo r77 5", "nowhere at all", "session 99"];

async function ms(work: () => unknown): Promise<number> {
  const from = performance.now();
  await work();
  return performance.now() - from;
}

/** Every row once. */
async function readAll({ engine }: SignalboxEngine): Promise<void> {
  let read = 0;
  for (const thing of everything(engine.store, () => undefined)) {
    read += thing ? 1 : 0;
    if (read % 100 === 0) await nextTick();
  }
}

export async function searchRows(effort: Effort): Promise<readonly Row[]> {
  const plan = PLANS[effort];
  const engine = await createEngine({ quota: "off" });
  try {
    await fill(engine, plan);
    const search = new Search(engine.engine, new Reader(engine.engine.store));
    const filling: number[] = [];
    const isLeft = async (): Promise<boolean> => {
      const from = performance.now();
      const { isWhole } = await search.find({ text: "nowhere" });
      filling.push(performance.now() - from);
      return !isWhole;
    };
    while (await isLeft());
    const reading = await ms(() => readAll(engine));
    const took: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1)
      for (const text of TEXTS) took.push(await ms(() => search.find({ text })));
    const calls = (plan.sessions * plan.calls).toLocaleString("en");
    const baseline = { name: "reading every row", figure: reading };
    return [
      {
        what: `a search over ${calls} calls, the slowest of ${took.length}`,
        unit: "ms",
        figure: Math.max(...took),
        baseline,
        budget: { of: "figure", sense: "at most", limit: 100 },
        note: `median ${median(took).toFixed(1)} ms; ${search.kept.toLocaleString("en")} things in memory`,
      },
      {
        what: `filling its index, in ${filling.length} searches`,
        unit: "ms",
        figure: filling.reduce((sum, each) => sum + each, 0),
        baseline,
        note: `the slowest of them ${Math.max(...filling).toFixed(0)} ms`,
      },
    ];
  } finally {
    await engine.stop();
  }
}
