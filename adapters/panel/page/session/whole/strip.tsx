// Strip
// Shows a whole session on one line of time: requests as bands, calls as marks, waits below them, long pauses shortened.
//
//   Owns:          choosing a moment by mouse, finger or keys; naming and opening the stop at which a person points.
//   Does not own:  the stops (stops.ts), drawing the line of time (drawing.tsx), marking what is on the screen (in-sight.tsx).
//   Decided in:    docs/decisions/0050-one-line-for-a-session.md.

import { useMemo, useRef, useState } from "preact/hooks";
import { defined } from "../../../../../machines/defined.ts";
import type { StateChange } from "../../../../../runtime/rows/changes.ts";
import { visible } from "../../../../../runtime/text/visible.ts";
import { now } from "../../engine/engine.ts";
import { useValue } from "../../engine/value.ts";
import { Moment, type Moments, momentText, useMoments } from "../../history/scrubber.tsx";
import { Line } from "../../parts/text.tsx";
import { duration } from "../../parts/time.tsx";
import { useWidth } from "../../parts/size.ts";
import { go as goTo, type Route } from "../../route.ts";
import type { Timeline } from "../model.ts";
import { Drawing, LANES } from "./drawing.tsx";
import { happenedIn, lastTime } from "./happened.ts";
import { InSight, SIGHT_WORDS } from "./in-sight.tsx";
import { placeOf, spreadOf } from "./spread.ts";
import { type Stop, stopsOf } from "./stops.ts";

interface Props extends Moments {
  readonly place: Extract<Route, { view: "session" }>;
  /** The timeline as it is now, whichever moment is chosen. */
  readonly timeline: Timeline;
  /** True if the session's history is not read to its beginning. */
  readonly isPart: boolean;
}

/** A press at most this far from a mark means the mark, px. A pointer that moves further with its button down chooses moments. */
const NEAR_PX = 6;
/** While a session goes on, the line is not redrawn each second: its end moves on at most this many times over the whole line. */
const STEPS = 300;

export function Strip({ place, timeline, isPart, ...moments }: Props) {
  const { changes, moment } = moments;
  const { at, newest, go } = useMoments(moments);
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box);
  const [pointed, point] = useState<Stop>();
  /** Where on the line the mouse button went down, px; -Infinity once the pointer, still pressed, chooses moments. */
  const pressed = useRef(-Infinity);
  const { stops, stretches, marks, isLive, whole } = useLine(timeline, changes, isPart, width);
  const shown = changes[at];
  if (!shown) return null;
  const momentAt = (x: number): void =>
    go(x >= width ? newest : changes.findLastIndex((each) => placeOf(stretches, each.at) <= x));
  return (
    <div class="scrubber whole-session">
      {pointed ? <PointedAt stop={pointed} /> : <Moment shown={shown} whole={whole} {...moments} />}
      <div
        ref={box}
        class="plot"
        tabIndex={0}
        role="slider"
        aria-label="The session by time; Enter goes there"
        aria-valuemin={0}
        aria-valuemax={newest}
        aria-valuenow={at}
        aria-valuetext={visible(momentText(shown))}
        aria-describedby={SIGHT_WORDS}
        onPointerDown={({ offsetX, pointerId, currentTarget }) => {
          pressed.current = offsetX;
          currentTarget.setPointerCapture(pointerId);
        }}
        onPointerMove={({ offsetX, offsetY, buttons }) => {
          if (buttons !== 1 || Math.abs(offsetX - pressed.current) < NEAR_PX)
            return point(nearest(stops, offsetX, offsetY));
          pressed.current = -Infinity;
          point(undefined);
          momentAt(offsetX);
        }}
        onPointerLeave={() => point(undefined)}
        onClick={({ offsetX, offsetY }) => {
          if (pressed.current === -Infinity) return;
          const stop = nearest(stops, offsetX, offsetY);
          if (stop && stop.kind !== "pause") follow(stop, place);
          else momentAt(offsetX);
        }}
        onKeyDown={(event) => {
          const to = moved(event.key, at, changes);
          if (to === undefined && event.key !== "Enter") return;
          event.preventDefault();
          event.stopPropagation();
          if (to !== undefined) go(to);
          else follow(thingOf(shown), place);
        }}
      >
        {width > 0 && (
          <Drawing
            {...{ stops, stretches, width, isLive, pointed, chosen: chosenIn(stops, place) }}
            moment={moment === undefined ? width : placeOf(stretches, shown.at)}
          >
            <InSight {...{ marks, stretches, width }} />
          </Drawing>
        )}
      </div>
    </div>
  );
}

const PointedAt = ({ stop }: { readonly stop: Stop }) => (
  <p class="moment">
    <Line text={stop.words()} />
  </p>
);

/** The stops and stretches of a line of time of this width, px; and the duration of the whole session, in words. */
function useLine(timeline: Timeline, changes: readonly StateChange[], isPart: boolean, width: number) {
  const isLive = timeline.session?.state !== "ended";
  const end = useEnd(timeline, changes, isLive);
  const happened = useMemo(
    () => happenedIn(timeline, changes, end, isPart),
    [timeline, changes, end, isPart],
  );
  const stretches = useMemo(() => spreadOf(happened.gaps, width), [happened, width]);
  const stops = useMemo(() => stopsOf(happened, stretches), [happened, stretches]);
  const [first, last] = [happened.gaps[0]?.from ?? end, happened.gaps.at(-1)?.to ?? end];
  const whole = `${duration(last - first)} ${isLive ? "up to now" : "in all"}`;
  return { stops, stretches, marks: happened.marks, isLive, whole };
}

/** The end of the line: now, updated only as often as the drawing would change. */
function useEnd({ requests }: Timeline, changes: readonly StateChange[], isLive: boolean): number {
  const current = useValue(now);
  const last = lastTime(requests, changes);
  if (!isLive) return last;
  const first = requests.reduce((least, { from }) => Math.min(least, from), last);
  const step = Math.max(1_000, (current - first) / STEPS);
  const rounded = 1_000 * 2 ** Math.ceil(Math.log2(step / 1_000));
  return Math.max(last, Math.floor(current / rounded) * rounded);
}

/** The nearest stop in the point's lane; else the nearest request or pause. */
function nearest(stops: readonly Stop[], x: number, y: number): Stop | undefined {
  const kind = y < LANES.calls ? "request" : y < LANES.waits ? "calls" : "wait";
  const found = closest(stops, x, (stop) => stop.kind === kind);
  return found ?? closest(stops, x, ({ kind: other }) => other === "request" || other === "pause");
}

function closest(stops: readonly Stop[], x: number, isMeant: (stop: Stop) => boolean): Stop | undefined {
  let best: Stop | undefined;
  let least = NEAR_PX;
  for (const stop of stops) {
    if (!isMeant(stop)) continue;
    const away = Math.max(stop.x - x, x - stop.x - stop.width, 0);
    if (away <= least) [best, least] = [stop, away];
  }
  return best;
}

/** The moment that a key leads to; Page Up and Page Down move by whole requests. @returns undefined for any other key. */
function moved(key: string, at: number, changes: readonly StateChange[]): number | undefined {
  const begins = ({ entity, from }: StateChange): boolean => entity === "request" && from === null;
  if (key === "PageUp") return changes.slice(0, at).findLastIndex(begins);
  if (key === "PageDown") {
    const next = changes.findIndex((each, index) => index > at && begins(each));
    return next < 0 ? changes.length - 1 : next;
  }
  return { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: changes.length - 1 }[key];
}

type Thing = Pick<Stop, "kind" | "call" | "request">;

/**
 * What a change is about: a call, else a request. The cast is safe: the view is of the change's entity (runtime/rows/changes).
 */
function thingOf({ entity, id, view }: StateChange): Thing {
  const { callId, requestId } = view as { readonly callId?: string; readonly requestId?: string };
  const call = entity === "toolcall" ? id : callId;
  return { kind: "request", ...defined({ call, request: call === undefined ? requestId : undefined }) };
}

/**
 * Scrolls to the request that a person chose, if it is on the page; else opens the call, or without a call the request's machine.
 */
function follow({ kind, call, request }: Thing, { workspace, session }: Props["place"]): void {
  const article =
    request === undefined ? null : document.querySelector(`[data-request="${CSS.escape(request)}"]`);
  if (kind === "request" && article) {
    article.scrollIntoView({ block: "start" });
    article.querySelector<HTMLElement>("a")?.focus({ preventScroll: true });
  } else if (call !== undefined) goTo({ view: "session", workspace, session, call });
  else if (request !== undefined) goTo({ view: "machine", workspace, session, kind: "request", id: request });
}

const chosenIn = (stops: readonly Stop[], { call }: Props["place"]): number | undefined =>
  call === undefined ? undefined : stops.find(({ calls }) => calls?.has(call))?.x;
