// Standing
// The engine's state for the header of every view: how far it has read the journal, and when it last received a message.
//
//   Owns:          reading the figures now and then, moving them on with each change in between.
//   Does not own:  the figures by state (overview/standing), the words (link.tsx).

import type { Stats, StatsWithin } from "../../../../runtime/reading/figures/stats.ts";
import { ask, refusalOf } from "./api.ts";
import { follow } from "./engine.ts";
import { Value } from "./value.ts";

const AGAIN_MS = 15_000;

export const standing = new Value<Stats | StatsWithin | undefined>(undefined);

export function watchStanding(): void {
  // If the engine refuses, the page keeps what it shows; a lost connection is reported elsewhere.
  const look = (): Promise<unknown> =>
    refusalOf(ask<Stats | StatsWithin>("/v1/stats").then((stats) => standing.set(stats)));
  const go = async (): Promise<void> => {
    await look();
    setTimeout(() => void go(), AGAIN_MS);
  };
  follow.onResync(() => void look());
  follow.onChanges((changes) => {
    const [known, last] = [standing.get(), changes.at(-1)];
    if (!known || !last) return;
    const { n, turn, at } = last;
    if (!("changes" in known)) return standing.set({ ...known, at: Math.max(known.at, at) });
    if (n <= known.changes) return;
    standing.set({
      ...known,
      changes: n,
      position: Math.max(known.position, turn),
      at: Math.max(known.at, at),
    });
  });
  void go();
}
