// Change log
// A log of changes without an engine, on its way to an outlet.
//
//   Owns:          writing it, waiting until it has left, what should have arrived.
//   Does not own:  the outlet (flaky-outlet).

import { setImmediate as nextTick } from "node:timers/promises";
import { MemoryDisk, MemoryStore } from "../../../adapters/memory/index.ts";
import type { ManualClock } from "../engine/manual-clock.ts";
import type { StateChange } from "../../../runtime/rows/changes.ts";
import { keys } from "../../../runtime/rows/keys.ts";
import type { Outbox } from "../../../runtime/outbound/outbox.ts";
import type { Arrival } from "./flaky-outlet.ts";

/** A log of changes: `sessions[n]` says whose change number n + 1 is. */
export async function logOf(sessions: readonly number[]): Promise<MemoryStore> {
  const store = new MemoryStore(new MemoryDisk("outbox"));
  await store.open();
  const versions = new Map<number, number>();
  const rows = sessions.map((session, index) => {
    const version = (versions.get(session) ?? 0) + 1;
    versions.set(session, version);
    const change = {
      n: index + 1,
      workspace: "w",
      sessionId: `s${session}`,
      version,
      entity: "session" as const,
    };
    const value = JSON.stringify({ ...change, id: `s${session}`, to: "idle" } satisfies Partial<StateChange>);
    return { put: keys.change(index + 1), value };
  });
  await store.commit(rows);
  return store;
}

/** Advances the clock until everything is taken, and stops. */
export async function drained(outbox: Outbox<StateChange>, clock: ManualClock): Promise<void> {
  for (let round = 0; outbox.waiting > 0; round += 1) {
    if (round > 5_000) throw new Error(`Stuck at ${outbox.published}`);
    await nextTick();
    clock.advance(1_000);
  }
  await outbox.stop();
}

/** What arrives of such a log if everything does. */
export const inOrder = (sessions: readonly number[]): readonly Arrival[] => {
  const versions = new Map<number, number>();
  return sessions.map((session, index) => {
    versions.set(session, (versions.get(session) ?? 0) + 1);
    return { session: `w/s${session}`, version: versions.get(session) ?? 0, n: index + 1 };
  });
};
export const bySession = (arrivals: readonly Arrival[]): readonly Arrival[] =>
  [...arrivals].sort((a, b) => (a.session < b.session ? -1 : a.session > b.session ? 1 : 0));
