// Call
// The row of one call: its number in the batch, its tool, what it is about, its state, the time that it took.
//
//   Owns:          how a call's row looks, the running clock of a call that has not ended.
//   Does not own:  which rows a session has (model.ts), how the batch around a call looks (timeline.tsx).

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
  readonly onFold: (id: string) => void;
}

interface Props extends CallPlace {
  readonly row: CallRow;
  /** True if the call's request has ended: then none of its calls still runs. */
  readonly isOver: boolean;
  /** True if the agent's words before the call are shown above it. */
  readonly isTold: boolean;
}

export function Call({ row, isOver, isTold, ...place }: Props) {
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
        <About row={row} isTold={isTold} />
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
      <Took row={row} isOver={isOver} />
    </tr>
  );
}

/** The sources of an intent whose words are also texts of the conversation, which the page may already show above the call. */
const SAID: ReadonlySet<string> = new Set(["message", "parent"]);

/** The intent of a call, and the gist of its input. If the prompt is the intent, it is left out: the prompt is shown above. */
function About({ row: { call }, isTold }: Pick<Props, "row" | "isTold">) {
  const { intent } = call;
  const input = gistOf(call.input, call.tool);
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

function Below({ fold, onFold }: { readonly fold: Fold; readonly onFold: () => void }) {
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

/** The states in which a call runs or has run. A call in any other state shows no time. */
const RAN: ReadonlySet<string> = new Set(["processing", "completed", "failed"]);
/** The time up to a call's result is shown beside the client's own figure only if it is this much longer: messages take time. */
const APART_MIN_MS = 1_000;

function Took({ row: { call }, isOver }: Pick<Props, "row" | "isOver">) {
  const { tool, execution, closedAt, durationMs, createdAt, startedAt = createdAt, updatedAt } = call;
  if (!RAN.has(execution)) return <td class="took" />;
  const whole = (closedAt ?? updatedAt) - startedAt;
  const isLive = closedAt === undefined && !isOver;
  // The duration that the client reports leaves out the wait for an approval.
  const lasted = durationMs ?? whole;
  const more = whole - lasted >= APART_MIN_MS ? ` of ${duration(whole)}` : "";
  const begun = `${tool} · ${new Date(startedAt).toLocaleTimeString()}`;
  return (
    <td class="took" title={`${begun} · ${duration(lasted)}${more}${more === "" ? "" : " up to its result"}`}>
      {isLive ? <Lasting from={startedAt} /> : `${duration(lasted)}${more}`}
    </td>
  );
}
