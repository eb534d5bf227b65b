// Standing
// The engine's figures in the header of every view: how far the engine has read the journal, when it last got a message.
//
//   Owns:          reading the figures from time to time, and updating them after each change.
//   Does not own:  the numbers of actors by state (overview/standing), the words in the header (link.tsx).

import type { Stats, StatsWithin } from "../../../../runtime/reading/figures/stats.ts";
import { ask, refusalOf } from "./api.ts";
import { follow } from "./engine.ts";
import { Value } from "./value.ts";

const AGAIN_MS = 15_000;

export const standing = new Value<Stats | StatsWithin | undefined>(undefined);

export function watchStanding(): void {
  // If this fails, the page goes on showing the figures that it has; other parts of the page report a lost connection.
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
