// Drawing
// Draws a session's line of time as an SVG image: one path for all shapes that look the same, however many calls there are.
//
//   Owns:          the lanes of the line of time, the shapes in the lanes, the times below.
//   Does not own:  which stops the line of time has: the requests, calls and pauses at which a person can point (stops.ts).
//
// WHOLE-DRAWING-1. The number of SVG elements in a session's line of time does not grow with the number of calls.

import type { ComponentChildren } from "preact";
import { clockOf, duration } from "../../parts/time.tsx";
import { placeOf, type Stretch } from "./spread.ts";
import { COLUMN_PX, type Stop } from "./stops.ts";
import { dayMarks } from "../../parts/scale.ts";

/** Where each lane begins, px from the top; the bands of requests are at the very top. */
export const LANES = { calls: 15, waits: 41, labels: 48 } as const;
const HEIGHT = 64;
const BAND = 12;
const CALLS = LANES.waits - LANES.calls - 3;
const ONE_CALL = 9;
const WAIT = 5;
const CHARACTER_PX = 6.5;

interface Props {
  readonly stops: readonly Stop[];
  readonly stretches: readonly Stretch[];
  readonly width: number;
  readonly isLive: boolean;
  readonly pointed: Stop | undefined;
  /** Where the chosen call is on the line, px. */
  readonly chosen: number | undefined;
  /** Where the chosen moment is on the line, px. */
  readonly moment: number;
  /** SVG elements that are drawn on top of the line. */
  readonly children: ComponentChildren;
}

export function Drawing({ stops, stretches, width, isLive, pointed, chosen, moment, children }: Props) {
  const pauses = stretches.filter(({ isShort, kind }) => isShort && kind !== "run");
  const stills = stretches.filter(({ isShort, kind }) => isShort && kind === "run");
  return (
    <svg width={width} height={HEIGHT} aria-hidden="true">
      <line class="level" x1={0} x2={width} y1={LANES.waits - 2} y2={LANES.waits - 2} />
      <path class="pause" d={pauses.map((each) => boxOf(each.x, 0, each.width, LANES.labels)).join("")} />
      {pauses.map(({ x, width: own, from, to }) => {
        const text = duration(to - from).replace(" ", "\u202f");
        if (text.length * CHARACTER_PX > own) return null;
        return (
          <text key={from} x={x + own / 2} y={LANES.calls + 14} text-anchor="middle">
            {text}
          </text>
        );
      })}
      {pathsOf(stops).map(({ kind, look, d }) => (
        <path key={`${kind} ${look}`} class={`of-${kind} ${look}`} d={d} />
      ))}
      <path class="still" d={stills.map(breakIn).join("")} />
      {chosen !== undefined && <rect class="chosen" x={chosen - 1} width={4} y={0} height={LANES.labels} />}
      {pointed && (
        <rect class="pointed" x={pointed.x - 1} width={pointed.width + 2} y={0} height={LANES.labels} />
      )}
      <rect class="later" x={moment} width={Math.max(0, width - moment)} y={0} height={LANES.labels} />
      <path class="handle" d={`M${moment.toFixed(1)} 0v${LANES.labels}m-5 0h10l-5 -7z`} />
      {labelsOf(stretches, width, isLive).map(({ x, text, anchor }) => (
        <g key={x}>
          <line class="level" x1={x} x2={x} y1={LANES.waits - 2} y2={LANES.labels + 3} />
          <text x={x} y={HEIGHT - 3} text-anchor={anchor}>
            {text}
          </text>
        </g>
      ))}
      {children}
    </svg>
  );
}

function pathsOf(stops: readonly Stop[]) {
  const paths = new Map<string, { kind: string; look: string; d: string }>();
  const add = (kind: string, look: string, d: string): void => {
    const key = `${kind} ${look}`;
    paths.set(key, { kind, look, d: `${paths.get(key)?.d ?? ""}${d}` });
  };
  for (const stop of stops) {
    const { kind, look, x, until } = stop;
    if (kind === "pause") continue;
    if (until !== undefined) add("length", look, boxOf(x, LANES.waits - 4, until - x, 2));
    add(kind, look, shapeOf(stop));
  }
  return [...paths.values()];
}

function shapeOf({ kind, x, width, count }: Stop): string {
  if (kind === "request") return boxOf(x, 0, Math.max(COLUMN_PX - 1, width - 1), BAND);
  if (kind === "wait") return boxOf(x, LANES.waits, width, WAIT);
  const height = Math.min(CALLS, ONE_CALL + 3 * Math.log2(count));
  return boxOf(x, LANES.waits - 2 - height, width, height);
}

export const boxOf = (x: number, y: number, width: number, height: number): string =>
  `M${x.toFixed(1)} ${y.toFixed(1)}h${width.toFixed(1)}v${height.toFixed(1)}h${(-width).toFixed(1)}z`;

/** A zigzag across a request's band: nothing happened in this stretch, and it is drawn shorter than the line's scale demands. */
const breakIn = ({ x, width }: Stretch): string => `M${(x + width / 2).toFixed(1)} -1l-4 5l8 4l-4 5`;

interface Label {
  readonly x: number;
  readonly text: string;
  readonly anchor: "start" | "middle" | "end";
}

const BETWEEN_PX = 10;
const ROOM_PX = 84;
const EXACT_MS = 10 * 60_000;

/** The times to write below the line. @param isLive true if the line ends now. */
function labelsOf(stretches: readonly Stretch[], width: number, isLive: boolean): readonly Label[] {
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

/** Joins neighbouring stretches that are drawn to scale. Shortened stretches are left out; they separate the joined ones. */
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
