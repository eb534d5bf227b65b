// Burst
// Many changes for a while, from many sessions, at a steady pace.
//
//   Owns:          what is said, when.
//   Does not own:  who looks on.

import { setTimeout as sleep } from "node:timers/promises";
import type { SignalboxEngine } from "../../adapters/index.ts";
import { callOf, event, LONG, numbers } from "./crowd.ts";

const TICK_MS = 50;
/** Calls that start and end in a tick: five changes each tick for two of them, and an approval now and then. */
const SESSIONS_A_TICK = 3;
const ASK_EVERY = 5;

let ticks = 0;

/** One tick's events: calls of running sessions and of the long one, and an approval that is taken back in the next. */
function tickOf(sessions: number): readonly object[] {
  const n = (ticks += 1);
  const running = numbers(SESSIONS_A_TICK).map((each) => ((n * SESSIONS_A_TICK + each) * 10) % sessions);
  const places = [...running.map((at) => [`s${at}`, `r${at}`] as const), [LONG, LONG] as const];
  const calls = places.flatMap(([session, requestId], at) => {
    const call = callOf(requestId, `burst${n}-${at}`);
    return [
      event(session, ["tool.started", call]),
      event(session, ["tool.finished", { ...call, output: "ok" }]),
    ];
  });
  const asked = { ...callOf("r0", `burst${n}`), approvalId: `burst${n}` };
  const approval =
    n % ASK_EVERY === 0
      ? [event("s0", ["approval.requested", asked])]
      : n % ASK_EVERY === 1 && n > ASK_EVERY
        ? [event("s0", ["approval.withdrawn", { approvalId: `burst${n - 1}` }])]
        : [];
  return [...calls, ...approval];
}

/** @returns how many changes it led to, and how long it took, ms. */
export async function burst(engine: SignalboxEngine, sessions: number, ms: number) {
  const before = engine.engine.meta().changes;
  const from = performance.now();
  const sending: Promise<unknown>[] = [];
  for (let at = 0; at < ms; at += TICK_MS) {
    sending.push(engine.send(tickOf(sessions)));
    await sleep(Math.max(0, from + at + TICK_MS - performance.now()));
  }
  await Promise.all(sending);
  return { changes: engine.engine.meta().changes - before, tookMs: performance.now() - from };
}
