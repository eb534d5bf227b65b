// Sharing
// Engines on one journal in memory, each with a store of its own.
//
//   Owns:          starting them, waiting until all have read on, what was published and said.
//   Does not own:  what must come of it (the tests).

import { setImmediate as nextTick } from "node:timers/promises";
import { MemoryDisk, MemoryJournal } from "../../../adapters/memory/index.ts";
import type { Outlet } from "../../../runtime/ports.ts";
import { ManualClock } from "../engine/manual-clock.ts";
import { Rig, type RigOptions, rowsOf, START_MS } from "../engine/rig.ts";

/** A journal that several stores read. */
export function shared() {
  const manual = new ManualClock(START_MS);
  const journal = new MemoryDisk("journal");
  const published = new Map<string, string[]>();
  const disks = new Map<string, MemoryDisk>();
  const disk = (name: string): MemoryDisk => {
    const made = new MemoryDisk(name);
    disks.set(name, made);
    return made;
  };
  /** A further start with the same name goes on with its store. */
  const node = (name: string, follows: boolean, options: RigOptions = {}): Promise<Rig> => {
    const ids: string[] = [];
    published.set(name, [...(published.get(name) ?? []), ...ids]);
    const outlet: Outlet = {
      publish: ({ messageId }) => {
        published.get(name)?.push(messageId);
        return Promise.resolve();
      },
      lastVersion: () => Promise.resolve(0),
      close: () => Promise.resolve(),
    };
    return Rig.start({
      disk: disks.get(name) ?? disk(name),
      manual,
      outlet,
      wrapJournal: () => new MemoryJournal(journal, manual),
      cluster: { follows, start: `${name}-start`, node: () => `http://${name}` },
      ...options,
    });
  };
  const settled = async (...rigs: readonly Rig[]): Promise<void> => {
    for (let calm = 0; calm < 10;) {
      await nextTick();
      const isCalm = rigs.every(({ engine }) => engine.meta().position === journal.tail);
      calm = isCalm ? calm + 1 : 0;
    }
  };
  const entries = (type: string) =>
    journal.entries.flatMap(({ body }) => {
      const { term, said: what } = JSON.parse(body) as { term?: number; said?: { type: string } };
      return what?.type === type ? [{ term, ...what }] : [];
    });
  return { manual, journal, published, node, settled, entries };
}

/** All that a history decides: not what a process keeps for itself. */
export const rows = (rig: Rig) =>
  new Map(
    [...rowsOf(rig.disk)].filter(([key]) => !/^(published|posted|starts|build|epoch|differs)/.test(key)),
  );
