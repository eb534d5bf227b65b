// Memory rows
// What 10,000 open calls of one session keep in memory once all of them are durable, without their inputs' text.
//
//   Baseline: the text of those calls' rows in the store.

import { toolInput } from "../../runtime/canonical.ts";
import { settledHeap } from "../measure.ts";
import type { Row } from "../report.ts";
import { lmdbEngine } from "../scratch.ts";
import { inputOf, pre, prompt, sessionId } from "../workload.ts";

const CALLS = 10_000;
const AT_ONCE = 1_000;
const session = sessionId(0);

export async function memoryRows(): Promise<readonly Row[]> {
  const { engine } = await lmdbEngine();
  const first = AT_ONCE;
  await send(engine, [prompt(session), ...numbers(0, first).map((n) => pre(session, n))]);
  const before = await settledHeap();
  for (let from = first; from < first + CALLS; from += AT_ONCE)
    await send(
      engine,
      numbers(from, AT_ONCE).map((n) => pre(session, n)),
    );
  const after = await settledHeap();
  let text = 0;
  for (const prefix of ["actor/", "book/"])
    for (const [key, value] of engine.store.range({ gte: prefix, lt: `${prefix}~` }))
      text += key.length + value.length;
  await engine.stop();
  return [
    {
      what: "memory per open call, without its input",
      unit: "kB",
      figure: ((after - before) / CALLS - toolInput(inputOf(0)).text.length) / 1_024,
      baseline: { name: "its rows as text", figure: text / (CALLS + first) / 1_024 },
      budget: { of: "figure", sense: "at most", limit: 2 },
    },
  ];
}

const numbers = (from: number, count: number): readonly number[] =>
  Array.from({ length: count }, (_, n) => from + n);

async function send(
  engine: Awaited<ReturnType<typeof lmdbEngine>>["engine"],
  messages: readonly ReturnType<typeof pre>[],
): Promise<void> {
  const receipts = await Promise.all(messages.map((message) => engine.submit(message)));
  for (const { settled } of receipts) await settled;
}
