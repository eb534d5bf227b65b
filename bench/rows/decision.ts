// Decision row
// From a person's answer to the caller told, on an engine with nothing else to do.
//
//   Baseline: one append to a journal, then one commit of the same rows, nothing between.

import type { Effort } from "../effort.ts";
import { openLmdb } from "../../adapters/lmdb/index.ts";
import { systemClock } from "../../adapters/system/index.ts";
import { median } from "../measure.ts";
import { recorded } from "../recorded.ts";
import type { Row } from "../report.ts";
import { lmdbEngine, scratchFolder } from "../scratch.ts";
import { asked, decided, pre, prompt, sessionId } from "../workload.ts";

const session = sessionId(0);

export async function decisionRows(effort: Effort): Promise<readonly Row[]> {
  const count = effort === "quick" ? 100 : 400;
  const { engine } = await lmdbEngine();
  const folder = openLmdb(scratchFolder(), systemClock());
  await folder.store.open();
  await folder.journal.open(undefined);
  const [turn] = await recorded([prompt(session), pre(session, 0), asked(session, 0)], [decided(session, 0)]);
  if (!turn) throw new Error("Nothing was recorded.");
  await (
    await engine.submit(prompt(session))
  ).settled;
  const ours: number[] = [];
  const bare: number[] = [];
  for (let n = -10; n < count; n += 1) {
    const call = n + 10;
    await (
      await engine.submit(pre(session, call))
    ).settled;
    await (
      await engine.submit(asked(session, call))
    ).settled;
    const start = performance.now();
    const { answers } = await (await engine.submit(decided(session, call))).settled;
    const told = performance.now();
    if (answers[0]?.result !== "accepted") throw new Error("The decision was not taken.");
    await folder.journal.append([turn.body]);
    await folder.store.commit(turn.writes);
    const flushed = performance.now();
    if (n < 0) continue;
    ours.push(told - start);
    bare.push(flushed - told);
  }
  await engine.stop();
  await folder.close();
  return [
    {
      what: "decision to caller answered, p50",
      unit: "ms",
      figure: median(ours),
      baseline: { name: "journal flush + commit flush", figure: median(bare) },
      budget: { of: "ratio", sense: "at most", limit: 1.3 },
    },
  ];
}
