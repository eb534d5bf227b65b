// Sight
// Finds which parts of a session's line of time belong to the calls whose rows are on the screen.
//
//   Owns:          when the calls on the screen began and ended, and the words for that time.
//   Does not own:  noticing which rows are on the screen (in-sight.tsx), where a time is on the line of time (spread.ts).
//
// WHOLE-SIGHT-1. For each request with calls on the screen, one part of the line of time is marked: from the beginning of the
//     first of these calls to the end of the last. So the time between two requests is never marked.

import { counted } from "../../parts/counted.ts";
import type { Band, Mark } from "./happened.ts";

export interface Sight {
  readonly from: number;
  readonly to: number;
  /** How many calls of the part are on the screen. */
  readonly calls: number;
}

/** The parts, the earliest first. @param shown the ids of the calls on the screen. */
export function sightsOf(marks: readonly Mark[], shown: ReadonlySet<string>): readonly Sight[] {
  const parts = new Map<Band, Sight>();
  for (const { call, band, from, to } of marks) {
    if (!shown.has(call.id)) continue;
    const part = parts.get(band) ?? { from, to, calls: 0 };
    parts.set(band, {
      from: Math.min(part.from, from),
      to: Math.max(part.to, to),
      calls: part.calls + 1,
    });
  }
  return [...parts.values()].sort((a, b) => a.from - b.from);
}

export function wordsOfSights(parts: readonly Sight[]): string {
  if (parts.length === 0) return "No call is on the screen.";
  const words = parts.map(
    ({ from, to, calls }) => `${counted(calls, "call")} from ${timeOf(from)} to ${timeOf(to)}`,
  );
  return `On the screen: ${words.join("; ")}.`;
}

const timeOf = (at: number): string => new Date(at).toLocaleTimeString();
