// Suggestions row
// Rules suggested from 100,000 approvals on LMDB, in processor time, and how long the event loop waits meanwhile.
//
//   Baseline: reading those approvals once.

import type { Effort } from "../effort.ts";
import { openLmdb } from "../../adapters/lmdb/index.ts";
import { systemClock } from "../../adapters/system/index.ts";
import { fillAsked, WORKSPACE } from "../asked.ts";
import { cpuUs, rounds } from "../measure.ts";
import type { Row } from "../report.ts";
import { NOTHING_GUARDED } from "../../machines/index.ts";
import { askedBefore } from "../../runtime/reading/asked-before.ts";
import { Reader } from "../../runtime/reading/reader.ts";
import { suggestions } from "../../runtime/reading/suggesting/suggestions.ts";
import { scratchFolder } from "../scratch.ts";

const COUNTS = { quick: 5_000, whole: 100_000 } as const;
const LIMIT = 50;

export async function suggestionRows(effort: Effort): Promise<readonly Row[]> {
  const count = COUNTS[effort];
  const { store } = openLmdb(scratchFolder(), systemClock());
  await store.open();
  try {
    const { inputs, commands, singles } = await fillAsked(store, count);
    const reader = new Reader(store);
    let read = 0;
    const reading = await cpuUs(async () => {
      for await (const { at } of askedBefore(reader, { workspace: WORKSPACE, since: 0 }))
        read += at > 0 ? 1 : 0;
    });
    let told = 0;
    const suggest = async (): Promise<void> => {
      const wish = { workspace: WORKSPACE, since: 0, limit: LIMIT, guarded: NOTHING_GUARDED, rules: [] };
      told = (await suggestions(reader, { ...wish, at: Date.now() })).items.length;
    };
    const busy = await cpuUs(suggest);
    const { longest } = await rounds(suggest);
    return [
      {
        what: `suggestions from ${read.toLocaleString("en")} approvals`,
        unit: "ms",
        figure: busy / 1000,
        baseline: { name: "reading them once", figure: reading / 1000 },
        budget: { of: "figure", sense: "at most", limit: 5_000 },
        note: `${told} told; ${inputs.toLocaleString("en")} different inputs, ${commands.toLocaleString("en")} different of ${singles.toLocaleString("en")} commands; the longest round of the event loop ${longest.toFixed(0)} ms`,
      },
    ];
  } finally {
    await store.close();
  }
}
