// A day
// A busy day in intervals of 15 minutes, for pictures of the charts.
//
//   Owns:          its numbers: the same for the same day.
//   Does not own:  counting (runtime/reading/series).

import type { Interval, SeriesAnswer } from "../../../runtime/reading/figures/series.ts";

const STEP_MS = 15 * 60_000;
const INTERVALS = 96;

/** A number from 0 to 1 that looks like chance. */
const noise = (seed: number): number => Math.abs(Math.sin(seed * 12.9898) * 43_758.5453) % 1;

function interval(at: number, n: number): Interval {
  const hour = new Date(at).getHours() + new Date(at).getMinutes() / 60;
  const busy = Math.max(0, Math.sin(((hour - 7) / 12) * Math.PI)) + 0.04;
  const calls = Math.round(busy * (60 + 50 * noise(n)));
  const [failed, denied] = [Math.round(calls * 0.08 * noise(n + 1)), Math.round(calls * 0.09 * noise(n + 2))];
  const unreported = noise(n + 3) > 0.9 ? 2 : 0;
  const answered = Math.round(busy * 8 * noise(n + 4));
  const average = 4_000 + 30_000 * noise(n + 5);
  return {
    ...{ at, changes: calls * 4, ended: calls, completed: calls - failed - denied - unreported },
    ...{ failed, denied, unreported, asked: answered, answered },
    waitedMs: average * answered,
    waitedMaxMs: answered === 0 ? 0 : average * (1 + 2 * noise(n + 6)),
    waiting: Math.round(busy * 5 * noise(n + 7)),
  };
}

/** @param now ms. */
export function aDay(now: number): SeriesAnswer {
  const last = now - (now % STEP_MS);
  const items = Array.from({ length: INTERVALS }, (_, n) =>
    interval(last - (INTERVALS - 1 - n) * STEP_MS, n),
  );
  return { stepMs: STEP_MS, items };
}
