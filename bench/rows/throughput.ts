// Throughput row
// Fifty sessions at once, each waiting until its Pre is durable before it sends the Post: two messages and four state
// changes a call, in process, on LMDB.
//
//   Baseline: the same journal bodies appended and the same rows committed by fifty writers, with no engine between.

import type { Effort } from "../effort.ts";
import { openLmdb } from "../../adapters/lmdb/index.ts";
import { systemClock } from "../../adapters/system/index.ts";
import { writeMessage } from "../../runtime/message.ts";
import type { Journal, Store } from "../../runtime/ports.ts";
import { inTurns } from "../measure.ts";
import { recordedCalls, type WrittenTurn } from "../recorded.ts";
import type { Row } from "../report.ts";
import { type Bench, lmdbEngine, scratchFolder } from "../scratch.ts";
import { post, pre, prompt, sessionId } from "../workload.ts";

const SESSIONS = 50;
const sessions = Array.from({ length: SESSIONS }, (_, n) => n);

async function inParallel(work: (session: number) => Promise<void>): Promise<void> {
  await Promise.all(sessions.map(work));
}

const perSecond = async (calls: number, work: () => Promise<void>): Promise<number> => {
  const start = performance.now();
  await work();
  return (calls * 1000) / (performance.now() - start);
};

async function throughEngine({ engine }: Bench, session: number, from: number, calls: number): Promise<void> {
  const id = sessionId(session);
  for (let n = from; n < from + calls; n += 1) {
    for (const message of [pre(id, n), post(id, n)]) {
      const { outcome } = await (await engine.submit(message)).settled;
      if (outcome !== "applied") throw new Error(`A message was ${outcome}.`);
    }
  }
}

async function bare(
  { store, journal }: { readonly store: Store; readonly journal: Journal },
  session: number,
  turns: readonly WrittenTurn[],
): Promise<void> {
  const mine = (text: string): string => text.replaceAll(sessionId(0), sessionId(session));
  for (const { body, writes } of turns) {
    await journal.append([mine(body)]);
    await store.commit(
      writes.map((write) =>
        "put" in write ? { put: mine(write.put), value: mine(write.value) } : { del: mine(write.del) },
      ),
    );
  }
}

export async function throughputRows(effort: Effort): Promise<readonly Row[]> {
  const calls = effort === "quick" ? 20 : 40;
  const ours = await lmdbEngine();
  await inParallel(async (session) => {
    await (
      await ours.engine.submit(prompt(sessionId(session)))
    ).settled;
  });
  const turns = await recordedCalls(calls);
  const folder = openLmdb(scratchFolder(), systemClock());
  await folder.store.open();
  await folder.journal.open(undefined);
  let from = 0;
  const { engine, baseline } = await inTurns(effort === "quick" ? 3 : 7, {
    engine: () => {
      from += calls;
      return perSecond(SESSIONS * calls, () => inParallel((n) => throughEngine(ours, n, from, calls)));
    },
    baseline: () => perSecond(SESSIONS * calls, () => inParallel((n) => bare(folder, n, turns))),
  });
  await ours.engine.stop();
  await folder.close();
  return [
    {
      what: "tool calls per second, embedded, 50 sessions",
      unit: "calls/s",
      figure: engine,
      baseline: { name: "append + commit of the same bytes", figure: baseline },
      budget: { of: "figure", sense: "at least", limit: 4_500 },
      note: `${writeMessage(pre(sessionId(0), 0)).length} characters a message, ${turns.reduce((sum, { writes }) => sum + writes.length, 0) / calls} rows a call`,
    },
  ];
}
