// Call
// The row of one call: its place in the batch, its tool, what it is about, its state, the time it took.
//
//   Owns:          how the row looks, the running clock of a call that has not ended.
//   Does not own:  which rows there are (model.ts), the batch around it (timeline.tsx).

import { alarmWords } from "../../../../../runtime/text/state-words.ts";
import { gistOf } from "../../../../../runtime/text/gist.ts";
import { Left } from "../../inbox/card/deadline.tsx";
import { Line } from "../../parts/text.tsx";
import { causeOf, labelOf, meaningOf } from "../../parts/words.ts";
import { hrefOf } from "../../route.ts";
import type { CallRow, Fold } from "../model.ts";
import { duration, Lasting } from "../../parts/time.tsx";

export interface CallPlace {
  readonly workspace: string;
  readonly session: string;
  readonly chosen: string | undefined;
  /** Folds or unfolds the calls below a call. */
  readonly onFold: (id: string) => void;
}

interface CallProps extends CallPlace {
  readonly row: CallRow;
  readonly isOver: boolean;
  /** True if the agent's words before the call are shown above it. */
  readonly isTold: boolean;
}

export function Call({ row, isOver, isTold, ...place }: CallProps) {
  const { call, waiting, depth, isAround, reach } = row;
  const { workspace, session, chosen } = place;
  const marks = [reach, waiting && "asking", isAround && "around"];
  return (
    <tr
      class={["call", ...marks].filter(Boolean).join(" ")}
      aria-current={chosen === call.id}
      data-call={call.id}
    >
      <td class="index">{depth === 0 && call.index + 1}</td>
      <th scope="row" {...(depth > 0 && { style: { "--depth": depth } })}>
        {depth > 0 && (
          <>
            <span class="unseen">Of the subagent above, level {depth}: </span>
            <span class="quiet">{call.index + 1}</span>{" "}
          </>
        )}
        <a href={hrefOf({ view: "session", workspace, session, call: call.id })}>
          <Line text={call.tool} />
        </a>
      </th>
      <td class="gist">
        <About call={call} isTold={isTold} />
        {row.fold && <Below fold={row.fold} onFold={() => place.onFold(call.id)} />}
      </td>
      <td class="state-cell">
        {waiting ? (
          <a class="chip waiting" href={hrefOf({ view: "session", workspace, session, call: call.id })}>
            asks you
            <Left approval={waiting} />
          </a>
        ) : (
          <StateChip row={row} />
        )}
      </td>
      <Took call={call} isOver={isOver} />
    </tr>
  );
}

/** Sources of an intent that are words of the conversation. */
const SAID: ReadonlySet<string> = new Set(["message", "parent"]);

/**
 * The intent of a call, and its gist. A prompt is no intent here: it is shown above already, and tells nothing of a
 * single call.
 */
function About({ call, isTold }: { readonly call: CallRow["call"]; readonly isTold: boolean }) {
  const { intent, tool } = call;
  const input = gistOf((call as { input?: unknown }).input, tool);
  const isSaid = intent === undefined || intent.source === "prompt" || (isTold && SAID.has(intent.source));
  const why = isSaid ? "" : intent.text;
  return (
    <>
      {why !== "" && (
        <span class="why">
          <Line text={why} />
        </span>
      )}
      {input !== why && (
        <span class="input">
          <Line text={input} />
        </span>
      )}
    </>
  );
}

interface BelowProps {
  readonly fold: Fold;
  readonly onFold: () => void;
}

/** The calls of a call's subagent, in figures; the button shows or folds them. */
function Below({ fold, onFold }: BelowProps) {
  const { calls, waiting, running, failed, denied, isOpen } = fold;
  const parts = [
    [waiting, "waiting for you"],
    [running, "running"],
    [failed, "failed"],
    [denied, "denied"],
  ] as const;
  return (
    <button type="button" class="below" aria-expanded={isOpen} onClick={onFold}>
      {calls.toLocaleString()} {calls === 1 ? "call" : "calls"} of its subagent
      {parts.map(([count, what]) => count > 0 && ` · ${count.toLocaleString()} ${what}`)}
    </button>
  );
}

function StateChip({ row: { call } }: { readonly row: CallRow }) {
  const cause = causeOf(call);
  return (
    <span class={`chip ${call.execution}`} title={meaningOf(call)}>
      {labelOf(call.execution)}
      {cause !== undefined && ` · ${cause}`}
      {call.alarm ? (
        <strong class="failure"> · {alarmWords(call.alarm.because)}</strong>
      ) : (
        call.executedAfterDenial && " · ran anyway"
      )}
    </span>
  );
}

/** The states in which a call runs or has run. A call in any other state never began, and shows no time. */
const RAN: ReadonlySet<string> = new Set(["processing", "completed", "failed"]);
/** A call's own time and the time up to its result are both shown only if they differ by this much. Messages take some time. */
const APART_MIN_MS = 1_000;

interface Props {
  readonly call: CallRow["call"];
  /** True if the call's request has ended: then none of its calls still runs. */
  readonly isOver: boolean;
}

function Took({ call, isOver }: Props) {
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
