// Strip
// A whole session on one line of time: requests as bands, calls as marks, waiting beneath them, long pauses cut short.
//
//   Owns:          pointing at what is on it by mouse, finger or keys, reading that out, going there.
//   Does not own:  what is on it (stops.ts), drawing it (drawing.tsx).
//   Decided in:    docs/decisions/0050-one-line-for-a-session.md.

import { useMemo, useRef, useState } from "preact/hooks";
import type { StateChange } from "../../../../../runtime/rows/changes.ts";
import { visible } from "../../../../../runtime/text/visible.ts";
import { now } from "../../engine/engine.ts";
import { useValue } from "../../engine/value.ts";
import { Line } from "../../parts/text.tsx";
import { duration } from "../../parts/time.tsx";
import { useWidth } from "../../parts/width.ts";
import { go, type Route } from "../../route.ts";
import type { Timeline } from "../model.ts";
import { Drawing, LANES } from "./drawing.tsx";
import { happenedIn, lastTime } from "./happened.ts";
import { spreadOf } from "./spread.ts";
import { type Stop, stopsOf } from "./stops.ts";

interface Props {
  readonly place: Extract<Route, { view: "session" }>;
  readonly timeline: Timeline;
  /** The changes that it is made of. */
  readonly changes: readonly StateChange[];
  readonly isPast: boolean;
  /** Not all of it is read. */
  readonly isPart: boolean;
}

/** A mark this near is meant, px. */
const NEAR_PX = 6;
/** The line grows by no less than this part of itself. */
const STEPS = 300;

export function Strip({ place, timeline, changes, isPast, isPart }: Props) {
  const isLive = !isPast && timeline.session?.state !== "ended";
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box);
  const [at, point] = useState<number>();
  const end = useEnd(timeline, changes, isLive);
  const happened = useMemo(
    () => happenedIn(timeline, changes, { end, isPart }),
    [timeline, changes, end, isPart],
  );
  const stretches = useMemo(() => spreadOf(happened.gaps, width), [happened, width]);
  const stops = useMemo(() => stopsOf(happened, stretches), [happened, stretches]);
  const pointed = at === undefined ? undefined : stops[at];
  if (timeline.requests.length === 0) return null;
  const [first, last] = [happened.gaps[0]?.from ?? end, happened.gaps.at(-1)?.to ?? end];
  const told = pointed?.words() ?? `${duration(last - first)} ${isLive ? "up to now" : "in all"}`;
  return (
    <div class="whole-session">
      <p class="quiet read-out one-line">
        <Line text={told} />
      </p>
      <div
        ref={box}
        class="plot"
        tabIndex={0}
        role="slider"
        aria-label="The session by time; Enter goes there"
        aria-valuemin={0}
        aria-valuemax={Math.max(0, stops.length - 1)}
        aria-valuenow={at ?? Math.max(0, stops.length - 1)}
        aria-valuetext={visible(told)}
        onPointerMove={({ offsetX, offsetY }) => point(nearest(stops, offsetX, offsetY))}
        onPointerLeave={(event) => event.pointerType !== "touch" && point(undefined)}
        onBlur={() => point(undefined)}
        onClick={({ offsetX, offsetY }) => {
          const index = nearest(stops, offsetX, offsetY);
          const stop = index === undefined ? undefined : stops[index];
          if (stop) goTo(stop, place);
        }}
        onKeyDown={(event) => {
          const to = moved(event.key, at, stops);
          const isEntered = event.key === "Enter" && pointed !== undefined;
          if (to === undefined && !isEntered) return;
          event.preventDefault();
          event.stopPropagation();
          if (isEntered) goTo(pointed, place);
          else point(to);
        }}
      >
        {width > 0 && (
          <Drawing {...{ stops, stretches, width, isLive, pointed, chosen: chosenIn(stops, place) }} />
        )}
      </div>
    </div>
  );
}

/** Now, told only as often as the line would look different. */
function useEnd({ requests }: Timeline, changes: readonly StateChange[], isLive: boolean): number {
  const current = useValue(now);
  const last = lastTime(requests, changes);
  if (!isLive) return last;
  const first = requests.reduce((least, { from }) => Math.min(least, from), last);
  const step = Math.max(1_000, (current - first) / STEPS);
  const rounded = 1_000 * 2 ** Math.ceil(Math.log2(step / 1_000));
  return Math.max(last, Math.floor(current / rounded) * rounded);
}

/** By lane: bands above, calls in the middle, waiting beneath. */
function nearest(stops: readonly Stop[], x: number, y: number): number | undefined {
  const kind = y < LANES.calls ? "request" : y < LANES.waits ? "calls" : "wait";
  const found = closest(stops, x, (stop) => stop.kind === kind);
  return found ?? closest(stops, x, ({ kind: other }) => other === "request" || other === "pause");
}

function closest(stops: readonly Stop[], x: number, isMeant: (stop: Stop) => boolean): number | undefined {
  let best: number | undefined;
  let least = NEAR_PX;
  for (const [index, stop] of stops.entries()) {
    if (!isMeant(stop)) continue;
    const away = Math.max(stop.x - x, x - stop.x - stop.width, 0);
    if (away > least) continue;
    [best, least] = [index, away];
  }
  return best;
}

/** Where a key leads to; undefined for one that leads nowhere. */
function moved(key: string, at: number | undefined, stops: readonly Stop[]): number | undefined {
  if (stops.length === 0) return undefined;
  const last = stops.length - 1;
  const from = at ?? stops.length;
  const isRequest = ({ kind }: Stop): boolean => kind === "request";
  if (key === "PageUp") return Math.max(0, stops.slice(0, from).findLastIndex(isRequest));
  if (key === "PageDown") {
    const next = stops.findIndex((stop, index) => index > from && isRequest(stop));
    return next < 0 ? last : next;
  }
  const to = { ArrowLeft: from - 1, ArrowRight: from + 1, Home: 0, End: last }[key];
  return to === undefined ? undefined : Math.max(0, Math.min(last, to));
}

/** To its call; a request without one is shown, or its machine where it is not on the page. */
function goTo({ kind, call, request }: Stop, { workspace, session }: Props["place"]): void {
  if (kind === "pause") return;
  const article =
    request === undefined ? null : document.querySelector(`[data-request="${CSS.escape(request)}"]`);
  if (kind === "request" && article) {
    article.scrollIntoView({ block: "start" });
    article.querySelector<HTMLElement>("a")?.focus({ preventScroll: true });
  } else if (call !== undefined) go({ view: "session", workspace, session, call });
  else if (request !== undefined) go({ view: "machine", workspace, session, kind: "request", id: request });
}

/** Where the call stands that is open beside the line. */
const chosenIn = (stops: readonly Stop[], { call }: Props["place"]): number | undefined =>
  call === undefined ? undefined : stops.find(({ calls }) => calls?.has(call))?.x;
