// Size rows
// A call's two messages in a session that has 10,000 calls, open or finished, in memory.
//
//   Baseline: the same in a session that has 10.

import type { Effort } from "../effort.ts";
import { MemoryDisk, MemoryJournal, MemoryStore } from "../../adapters/memory/index.ts";
import { ManualClock } from "../../test/support/engine/manual-clock.ts";
import type { Engine } from "../../runtime/engine/engine.ts";
import { cpuUs, inTurns } from "../measure.ts";
import type { Row } from "../report.ts";
import { engineOn } from "../scratch.ts";
import { post, pre, prompt, sessionId } from "../workload.ts";

const session = sessionId(0);
const AT_ONCE = 1_000;

/** An engine whose one session has `calls` calls. */
async function engineWith(calls: number, open: boolean): Promise<Engine> {
  const disk = new MemoryDisk("bench");
  const engine = engineOn({
    store: new MemoryStore(disk),
    journal: new MemoryJournal(disk, new ManualClock(1_800_000_000_000)),
  });
  await engine.start();
  await send(engine, [prompt(session)]);
  for (let from = 0; from < calls; from += AT_ONCE) {
    const numbers = Array.from({ length: Math.min(AT_ONCE, calls - from) }, (_, n) => from + n);
    await send(
      engine,
      numbers.flatMap((n) => (open ? [pre(session, n)] : [pre(session, n), post(session, n)])),
    );
  }
  return engine;
}

async function send(engine: Engine, messages: readonly Parameters<Engine["submit"]>[0][]): Promise<void> {
  const receipts = await Promise.all(messages.map((message) => engine.submit(message)));
  for (const { settled } of receipts) await settled;
}

export async function sizeRows(effort: Effort): Promise<readonly Row[]> {
  const engines = {
    ten: await engineWith(10, true),
    open: await engineWith(10_000, true),
    finished: await engineWith(10_000, false),
  };
  const calls = effort === "quick" ? 200 : 500;
  let next = 1_000_000;
  const usPerEvent = (engine: Engine) => async (): Promise<number> => {
    next += calls;
    const messages = Array.from({ length: calls }, (_, n) => [
      pre(session, next + n),
      post(session, next + n),
    ]).flat();
    return (await cpuUs(() => send(engine, messages))) / messages.length;
  };
  const { ten, open, finished } = await inTurns(effort === "quick" ? 3 : 15, {
    ten: usPerEvent(engines.ten),
    open: usPerEvent(engines.open),
    finished: usPerEvent(engines.finished),
  });
  for (const engine of Object.values(engines)) await engine.stop();
  const row = (what: string, figure: number): Row => ({
    what,
    unit: "µs/event",
    figure,
    baseline: { name: "with 10", figure: ten },
    budget: { of: "ratio", sense: "at most", limit: 1.2 },
  });
  return [
    row("an event beside 10,000 open calls", open),
    row("an event beside 10,000 finished calls", finished),
  ];
}
