// Spread
// Places each moment of a session on the line of time: time with events gets most of the width, long pauses are shortened.
//
//   Owns:          where each moment is on the line of time, how wide each stretch of time is.
//   Does not own:  what happened at a moment (stops.ts), drawing the line of time (strip.tsx).
//
// SPREAD-1. On the line of time, a later moment is never to the left of an earlier one, and the line has exactly the given
//     width.

/** A request runs; no request runs; or the page has not read what happened. */
export type Kind = "run" | "pause" | "unread";

export interface Gap {
  readonly from: number;
  readonly to: number;
  readonly kind: Kind;
}

export interface Stretch extends Gap {
  readonly x: number;
  readonly width: number;
  /** True if the stretch is drawn shorter than the scale of the line demands. */
  readonly isShort: boolean;
}

const PAUSE_PX = 30;
/** All pauses together take at most this share of the line's width. */
const PAUSES_PART = 0.3;
/** A still is a gap of at least this length, ms, in which a request runs and no event comes. */
const STILL_MS = 60_000;
const STILLS = 3;
const STILL_PART = 1 / 6;

/** @param gaps one after another. @param width the width of the line, px. */
export function spreadOf(gaps: readonly Gap[], width: number): readonly Stretch[] {
  const caps = capsOf(gaps, width);
  const scale = scaleOf(gaps, caps, width);
  let x = 0;
  return gaps.map((gap): Stretch => {
    const cap = caps.get(gap);
    const own = cap ?? lengthOf(gap) * scale;
    const stretch = { ...gap, x, width: own, isShort: cap !== undefined };
    x += own;
    return stretch;
  });
}

/** Where a time is on the line, px from the left. */
export function placeOf(stretches: readonly Stretch[], time: number): number {
  let [low, high] = [0, stretches.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((stretches[middle]?.to ?? 0) < time) low = middle + 1;
    else high = middle;
  }
  const found = stretches[low];
  if (!found) return 0;
  const part = (time - found.from) / Math.max(1, lengthOf(found));
  return found.x + found.width * Math.max(0, Math.min(1, part));
}

const lengthOf = ({ from, to }: Gap): number => Math.max(0, to - from);

/** For each gap whose width is limited, its greatest width, px. */
function capsOf(gaps: readonly Gap[], width: number): Map<Gap, number> {
  const pauses = gaps.filter(({ kind }) => kind !== "run");
  const cap = Math.min(PAUSE_PX, (PAUSES_PART * width) / Math.max(1, pauses.length));
  return new Map([...pauses.map((gap) => [gap, cap] as const), ...stillsOf(gaps, width)]);
}

/**
 * The stills (long gaps without an event) to draw short: each is at least as long as all shorter gaps of running requests
 * together.
 */
function stillsOf(gaps: readonly Gap[], width: number): readonly (readonly [Gap, number])[] {
  const runs = gaps.filter(({ kind }) => kind === "run");
  const longest = runs.toSorted((a, b) => lengthOf(b) - lengthOf(a)).slice(0, STILLS);
  let rest = runs.reduce((sum, gap) => sum + lengthOf(gap), 0);
  const stills: (readonly [Gap, number])[] = [];
  for (const gap of longest) {
    const length = lengthOf(gap);
    rest -= length;
    if (length < STILL_MS || rest <= 0 || length < rest) break;
    stills.push([gap, width * STILL_PART]);
  }
  return stills;
}

/** The line's scale, px for each ms. Removes from `caps` each gap that at this scale is no wider than its greatest width. */
function scaleOf(gaps: readonly Gap[], caps: Map<Gap, number>, width: number): number {
  for (;;) {
    const taken = [...caps.values()].reduce((sum, cap) => sum + cap, 0);
    const rest = gaps.reduce((sum, gap) => (caps.has(gap) ? sum : sum + lengthOf(gap)), 0);
    const scale = (width - taken) / Math.max(1, rest);
    const idle = [...caps].filter(([gap, cap]) => lengthOf(gap) * scale <= cap);
    if (idle.length === 0) return scale;
    for (const [gap] of idle) caps.delete(gap);
  }
}
