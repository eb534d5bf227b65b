// Took
// How long a call ran, and how long it was up to its result.
//
//   Owns:          the words, a clock for one that goes on.
//   Does not own:  the row around it (timeline.tsx), when it was (whole).

import { duration, Lasting } from "../parts/time.tsx";
import type { CallRow } from "./model.ts";

/** Of a call that was never begun there is no time it took. */
const RAN: ReadonlySet<string> = new Set(["processing", "completed", "failed"]);
/** Below that it is what messages take. */
const APART_MIN_MS = 1_000;

interface Props {
  readonly call: CallRow["call"];
  /** Its request has ended: nothing of it goes on. */
  readonly isOver: boolean;
}

export function Took({ call, isOver }: Props) {
  const { tool, execution, closedAt, durationMs, createdAt, startedAt = createdAt, updatedAt } = call;
  if (!RAN.has(execution)) return <td class="took" />;
  const whole = (closedAt ?? updatedAt) - startedAt;
  const isLive = closedAt === undefined && !isOver;
  // The client's own figure has no waiting in it.
  const lasted = durationMs ?? whole;
  const more = whole - lasted >= APART_MIN_MS ? ` of ${duration(whole)} up to its result` : "";
  return (
    <td
      class="took"
      title={`${tool} · ${new Date(startedAt).toLocaleTimeString()} · ${duration(lasted)}${more}`}
    >
      {isLive ? (
        <Lasting from={startedAt} />
      ) : (
        `${duration(lasted)}${more === "" ? "" : ` of ${duration(whole)}`}`
      )}
    </td>
  );
}
