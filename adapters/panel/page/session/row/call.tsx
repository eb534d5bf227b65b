// Call
// The row of one call: its place in the batch, its tool, what it is about, its state, the time it took.
//
//   Owns:          how the row looks.
//   Does not own:  which rows there are (model.ts), the batch around it (timeline.tsx).

import { alarmWords } from "../../../../../runtime/text/state-words.ts";
import { gistOf } from "../../../../../runtime/text/gist.ts";
import { Left } from "../../inbox/card/deadline.tsx";
import { Line } from "../../parts/text.tsx";
import { causeOf, labelOf, meaningOf } from "../../parts/words.ts";
import { hrefOf } from "../../route.ts";
import type { CallRow, Fold } from "../model.ts";
import { Took } from "./took.tsx";

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
