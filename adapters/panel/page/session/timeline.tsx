// Timeline
// The timeline: requests, newest first, each with its batches and calls in order and the time that each took.
//
//   Owns:          how the rows look.
//   Does not own:  which rows there are (model.ts).

import { useMemo } from "preact/hooks";
import { alarmWords } from "../../../../runtime/text/state-words.ts";
import { gistOf } from "../../../../runtime/text/gist.ts";
import { Line } from "../parts/text.tsx";
import { duration, Lasting } from "../parts/time.tsx";
import { causeOf, labelOf, meaningOf } from "../parts/words.ts";
import { Left } from "../inbox/card/deadline.tsx";
import { hrefOf } from "../route.ts";
import { weightOf } from "./folds.ts";
import type { BatchRow, CallRow, Fold } from "./model.ts";
import { Took } from "./took.tsx";
import { Figures } from "./talk/figures.tsx";
import { SaidAfter, SaidBefore, WholePrompt } from "./talk/said.tsx";
import type { Talk } from "./talk/talk.ts";
import type { Shown, ShownRow } from "./window.ts";
import { titleLine } from "../../../../runtime/text/title-line.ts";

interface Place {
  readonly workspace: string;
  readonly session: string;
  readonly chosen: string | undefined;
  /** The conversation around the calls, if it is known. */
  readonly talk: Talk | undefined;
  /** Folds or unfolds the calls below a call. */
  readonly onFold: (id: string) => void;
}

interface RequestsProps extends Place {
  readonly rows: Shown;
  /** True if the session is shown as it is now, not at a past moment. */
  readonly isLive: boolean;
  /** True if the change log goes further back than what was read. */
  readonly isMore: boolean;
  /** Shows more of what was read. */
  readonly onMore: () => void;
  /** Reads further back in the change log. */
  readonly onOlder: () => void;
}

export function Requests({ rows: { requests, hidden }, isMore, onMore, onOlder, ...place }: RequestsProps) {
  const oldest = hidden === 0 && isMore ? requests.at(-1) : undefined;
  return (
    <ol class="requests">
      {requests.map((row) => (
        <li key={row.request.requestId}>
          <RequestPart
            {...{ row, onMore }}
            isPart={row === oldest}
            {...(row === oldest && row.hidden === 0 && { onOlder })}
            {...place}
          />
        </li>
      ))}
      {hidden > 0 && (
        <li>
          <button type="button" onClick={onMore}>
            Show earlier requests: {hidden.toLocaleString()}
          </button>
        </li>
      )}
    </ol>
  );
}

interface RequestProps extends Place {
  readonly row: ShownRow;
  /** True if some calls of the request may not have been read. */
  readonly isPart: boolean;
  readonly isLive: boolean;
  readonly onMore: () => void;
  /** Reads further back. Offered at the oldest request on the page. */
  readonly onOlder?: () => void;
}

/** The states of a request that has not ended: the time beside it goes on counting. */
const OPEN_REQUEST: ReadonlySet<string> = new Set(["created", "queued", "processing"]);

function RequestPart({ row, isPart, onMore, onOlder, isLive, ...place }: RequestProps) {
  const { request, batches, hidden } = row;
  const state = request.waiting ? "waiting" : request.state;
  const { workspace, session, talk } = place;
  const prompt = talk?.prompts.get(request.requestId) ?? request.prompt ?? "";
  // The words after the last call may come from after the chosen past moment, unless the request had ended by then.
  const isTold = isLive || request.completedAt !== undefined;
  const after = isTold && talk?.after.get(request.requestId);
  return (
    <article class="request" data-request={request.requestId}>
      <header>
        <a
          class={`chip ${state}`}
          title={`${request.state}: its machine`}
          href={hrefOf({ view: "machine", workspace, session, kind: "request", id: request.requestId })}
        >
          {labelOf(state)}
        </a>
        <h2>
          <Line text={titleLine(request.prompt ?? request.requestId)} />
        </h2>
        <span class="quiet">
          {new Date(request.createdAt).toLocaleTimeString()} ·{" "}
          {isLive && OPEN_REQUEST.has(request.state) ? (
            <Lasting from={row.from} />
          ) : (
            duration(row.to - row.from)
          )}
        </span>
        {request.error !== undefined && (
          <span class="failure">
            <Line text={request.error} />
          </span>
        )}
      </header>
      <Figures {...{ row, isPart }} turn={isTold ? talk?.turns.get(request.requestId) : undefined} />
      <WholePrompt text={prompt} />
      {hidden > 0 && (
        <button type="button" onClick={onMore}>
          Show earlier calls: {hidden.toLocaleString()}
        </button>
      )}
      {onOlder && (
        <button type="button" onClick={onOlder}>
          Read earlier calls
        </button>
      )}
      {batches.map((batch) => (
        <Batch key={batch.id} batch={batch} isOver={request.completedAt !== undefined} {...place} />
      ))}
      {after && <SaidAfter texts={after} />}
    </article>
  );
}

interface BatchProps extends Place {
  readonly batch: BatchRow;
  /** True if the request has ended. */
  readonly isOver: boolean;
}

/** Drawn anew only if something in it changed: a long session has hundreds of batches. */
function Batch({ batch, isOver, workspace, session, chosen, talk, onFold }: BatchProps) {
  const isChosenIn = chosen !== undefined && batch.rows.some(({ call }) => call.id === chosen);
  const place = { workspace, session, onFold, chosen: isChosenIn ? chosen : undefined };
  const before = talk?.before;
  return useMemo(
    () => <Rows {...{ batch, isOver, before, ...place }} />,
    [batch, isOver, before, workspace, session, onFold, place.chosen],
  );
}

interface RowsProps extends Omit<BatchProps, "talk"> {
  readonly before: Talk["before"] | undefined;
}

function Rows({ batch, isOver, before, ...place }: RowsProps) {
  const { rows } = batch;
  const counted = rows.filter(({ isAround }) => !isAround);
  const own = counted.filter(({ depth }) => depth === 0).length;
  const nested = counted.reduce((all, row) => all + weightOf(row), 0) - own;
  return (
    <div class="batch" style={{ "--rows": rows.length }}>
      <table class="calls">
        <caption title="The calls of one message of the agent, in its order. A denial may deny the later ones, too.">
          {batch.id.replace(/^b(?=\d)/, "batch ")} · {own} {own === 1 ? "call" : "calls"}
          {nested > 0 && ` · ${nested} of subagents`}
        </caption>
        {/* All batches have the same column widths, whatever their first rows contain. */}
        <colgroup>
          {["index", "tool", "about", "state-cell", "took"].map((name) => (
            <col key={name} class={name} />
          ))}
        </colgroup>
        <tbody>
          {/* One flat list: nested lists of rows would be created anew whenever the oldest row is removed. */}
          {rows.flatMap((each) => {
            const { id } = each.call;
            const said = before?.get(id);
            const call = <Call key={id} row={each} isOver={isOver} isTold={said !== undefined} {...place} />;
            return said ? [<SaidBefore key={`before ${id}`} texts={said} />, call] : [call];
          })}
        </tbody>
      </table>
    </div>
  );
}

interface CallProps extends Omit<Place, "talk"> {
  readonly row: CallRow;
  readonly isOver: boolean;
  /** True if the agent's words before the call are shown above it. */
  readonly isTold: boolean;
}

function Call({ row, isOver, isTold, ...place }: CallProps) {
  const { call, waiting, depth, isAround, reach } = row;
  const { workspace, session, chosen } = place;
  const marks = [reach, waiting && "asking", isAround && "around"];
  return (
    <tr class={["call", ...marks].filter(Boolean).join(" ")} aria-current={chosen === call.id}>
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
