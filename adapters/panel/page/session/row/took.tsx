// Took
// How long a call ran, and how long it took until its result came.
//
//   Owns:          the words, a running clock for a call that has not ended.
//   Does not own:  the row around it (call.tsx), when the call was (whole).

import { duration, Lasting } from "../../parts/time.tsx";
import type { CallRow } from "../model.ts";

/** The states in which a call runs or has run. A call in any other state never began, and shows no time. */
const RAN: ReadonlySet<string> = new Set(["processing", "completed", "failed"]);
/** A call's own time and the time up to its result are both shown only if they differ by this: less is the messages' delay. */
const APART_MIN_MS = 1_000;

interface Props {
  readonly call: CallRow["call"];
  /** True if the call's request has ended: none of its calls runs on. */
  readonly isOver: boolean;
}

export function Took({ call, isOver }: Props) {
  const { tool, execution, closedAt, durationMs, createdAt, startedAt = createdAt, updatedAt } = call;
  if (!RAN.has(execution)) return <td class="took" />;
  const whole = (closedAt ?? updatedAt) - startedAt;
  const isLive = closedAt === undefined && !isOver;
  // The client's own figure leaves out the wait for an approval.
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
