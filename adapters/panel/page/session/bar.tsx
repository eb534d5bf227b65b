// Bar
// From when a call was announced to its result, and how long of that it ran, on the time of its request.
//
//   Owns:          the bar, its words.
//   Does not own:  the row around it (timeline.tsx), the line of the whole session (whole).

import { now } from "../engine/engine.ts";
import { useValue } from "../engine/value.ts";
import { duration } from "../parts/time.tsx";
import type { CallRow, RequestRow } from "./model.ts";

/** The states in which a call has run: a call that never began took no time. */
const RAN: ReadonlySet<string> = new Set(["processing", "completed", "failed"]);
/** Below that it is what messages take. */
const APART_MIN_MS = 1_000;

interface BarProps {
  readonly row: CallRow;
  readonly request: RequestRow;
}

/** From when the call was taken up to its end; one that is over does not follow the clock. */
export function Bar({ row, request }: BarProps) {
  const isLive = row.call.closedAt === undefined && request.request.completedAt === undefined;
  return isLive ? (
    <LiveBar row={row} request={request} />
  ) : (
    <Span row={row} request={request} end={request.to} />
  );
}

function LiveBar({ row, request }: BarProps) {
  const current = useValue(now);
  const end = Math.max(request.to, Math.min(current, request.to + 3_600_000));
  return <Span row={row} request={request} end={end} />;
}

function Span({ row: { call }, request, end }: BarProps & { readonly end: number }) {
  const whole = end - request.from;
  const from = call.startedAt ?? call.createdAt;
  const to = call.closedAt ?? end;
  const percent = (ms: number): string => `${Math.min(100, Math.max(0, (ms / whole) * 100)).toFixed(2)}%`;
  const placed = (since: number, until: number) => ({
    insetInlineStart: percent(since - request.from),
    width: `max(3px, ${percent(until - since)})`,
  });
  const lasted = call.durationMs ?? to - from;
  // The client's own figure contains no waiting, and ends with the result.
  const began = Math.max(from, to - lasted);
  const isApart = began - from >= APART_MIN_MS;
  const words = [
    call.tool,
    new Date(from).toLocaleTimeString(),
    isApart ? `${duration(lasted)} of ${duration(to - from)} up to its result` : duration(lasted),
  ];
  return (
    <>
      <span class="track" title={words.join(" · ")}>
        {isApart && <span class={`span ${call.execution} unbegun`} style={placed(from, began)} />}
        <span
          class={`span ${call.execution}${call.startedAt === undefined ? " unbegun" : ""}`}
          style={placed(isApart ? began : from, to)}
        />
      </span>
      <span class="took">{RAN.has(call.execution) && duration(lasted)}</span>
    </>
  );
}
