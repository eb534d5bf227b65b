// Labels
// The times below a session's line: the beginning of each part, full minutes and hours between, the end.
//
//   Owns:          choosing the times for which the line has room.
//   Does not own:  where a time is on the line (spread.ts), round times (parts/scale.ts).

import { dayMarks } from "../../parts/scale.ts";
import { clockOf } from "../../parts/time.tsx";
import { placeOf, type Stretch } from "./spread.ts";

export interface Label {
  readonly x: number;
  readonly text: string;
  readonly anchor: "start" | "middle" | "end";
}

const CHARACTER_PX = 6.5;
const BETWEEN_PX = 10;
const ROOM_PX = 84;
const EXACT_MS = 10 * 60_000;

/** Chooses the times to write below the line. @param isLive true if the line ends now. */
export function labelsOf(stretches: readonly Stretch[], width: number, isLive: boolean): readonly Label[] {
  const parts = partsOf(stretches);
  const end = parts.at(-1)?.to ?? 0;
  const shownDay = dayOf(end);
  const whole = parts.reduce((sum, { from, to }) => sum + to - from, 0);
  const clock = whole < EXACT_MS ? (at: number) => new Date(at).toLocaleTimeString() : clockOf;
  const begun = (at: number): string => (dayOf(at) === shownDay ? clock(at) : `${dayOf(at)} ${clock(at)}`);
  const wanted: readonly Label[] = [
    { x: width, text: isLive ? "now" : clock(end), anchor: "end" },
    ...parts.map(({ from, x }) => ({ x, text: begun(from), anchor: "start" }) as const),
    ...parts.flatMap(({ from, to, width: own }) =>
      dayMarks(from, to, Math.max(1, Math.floor(own / ROOM_PX))).map(
        (at) => ({ x: placeOf(stretches, at), text: clock(at), anchor: "middle" }) as const,
      ),
    ),
  ];
  const taken: (readonly [number, number])[] = [];
  return wanted.filter((label) => {
    const [from, to] = reachOf(label);
    const isFree =
      from >= 0 && to <= width && taken.every(([a, b]) => to + BETWEEN_PX <= a || b + BETWEEN_PX <= from);
    if (isFree) taken.push([from, to]);
    return isFree;
  });
}

/** Joins neighbouring stretches drawn at the same scale; the shortened stretches between them are left out. */
function partsOf(stretches: readonly Stretch[]): readonly Stretch[] {
  const parts: Stretch[] = [];
  let isNew = true;
  for (const each of stretches) {
    const last = parts.at(-1);
    if (each.isShort) isNew = true;
    else if (isNew || !last) {
      parts.push(each);
      isNew = false;
    } else parts[parts.length - 1] = { ...last, to: each.to, width: last.width + each.width };
  }
  return parts;
}

function reachOf({ x, text, anchor }: Label): readonly [number, number] {
  const own = text.length * CHARACTER_PX;
  if (anchor === "start") return [x, x + own];
  return anchor === "end" ? [x - own, x] : [x - own / 2, x + own / 2];
}

const dayOf = (at: number): string => new Date(at).toLocaleDateString([], { month: "short", day: "numeric" });
