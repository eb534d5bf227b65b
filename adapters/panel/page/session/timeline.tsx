// Timeline
// The timeline of a session: requests, newest first, with their batches and calls in order and the time that each call took.
//
//   Owns:          how requests and batches look, which clicks open a call.
//   Does not own:  which calls have rows (model.ts), how the row of a call looks (row/call.tsx).

import { useMemo } from "preact/hooks";
import { Line } from "../parts/text.tsx";
import { duration, Lasting } from "../parts/time.tsx";
import { labelOf } from "../parts/words.ts";
import { hrefOf } from "../route.ts";
import { weightOf } from "./folds.ts";
import type { BatchRow } from "./model.ts";
import { Call, type CallPlace } from "./row/call.tsx";
import { Figures } from "./talk/figures.tsx";
import { SaidAfter, SaidBefore, WholePrompt } from "./talk/said.tsx";
import type { Talk } from "./talk/talk.ts";
import type { Shown, ShownRow } from "./window.ts";
import { titleLine } from "../../../../runtime/text/title-line.ts";

interface Place extends CallPlace {
  /** The texts of the agent and of people around the calls; undefined if they are not known. */
  readonly talk: Talk | undefined;
}

interface Shared extends Place {
  /** True if the session is shown as it is now, not at a past moment. */
  readonly isLive: boolean;
  /** Shows more of what was read. */
  readonly onMore: () => void;
  /** Reads further back in the change log. */
  readonly onOlder: () => void;
}

interface RequestsProps extends Shared {
  readonly rows: Shown;
  /** True if the change log goes further back than what was read. */
  readonly isMore: boolean;
}

export function Requests({ rows: { requests, hidden }, isMore, ...shared }: RequestsProps) {
  const oldest = hidden === 0 && isMore ? requests.at(-1) : undefined;
  return (
    <ol class="requests" onClick={followTapped}>
      {requests.map((row) => (
        <li key={row.request.requestId}>
          <RequestPart row={row} isPart={row === oldest} {...shared} />
        </li>
      ))}
      {hidden > 0 && (
        <li>
          <button type="button" onClick={shared.onMore}>
            Show earlier requests: {hidden.toLocaleString()}
          </button>
        </li>
      )}
    </ol>
  );
}

interface RequestProps extends Shared {
  readonly row: ShownRow;
  /** True if some calls of the request may not have been read. */
  readonly isPart: boolean;
}

/** The states in which the time beside a request goes on counting. */
const OPEN_REQUEST: ReadonlySet<string> = new Set(["created", "queued", "processing"]);

function RequestPart({ row, isPart, onMore, onOlder, isLive, ...place }: RequestProps) {
  const { request, batches, hidden } = row;
  const state = request.waiting ? "waiting" : request.state;
  const { workspace, session, talk } = place;
  const prompt = talk?.prompts.get(request.requestId) ?? request.prompt ?? "";
  // At a past moment before the request's end, the words after the last call are left out: they may have been said later.
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
      {isPart && hidden === 0 && (
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
  readonly isOver: boolean;
}

/** A long session has hundreds of batches, so the page redraws a batch only if something in the batch has changed. */
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
        <caption title="The calls of one message of the agent, in the message's order. The denial of one call may deny the later ones, too.">
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
          {/* The rows are one flat list: rows in nested lists would be created anew whenever the oldest row is removed. */}
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

/** On a touch screen, a tap on a row opens its call. With a mouse only the link does: a click into text may select it. */
function followTapped({ target }: Event): void {
  if (!(target instanceof Element) || !matchMedia("(pointer: coarse)").matches) return;
  if (!target.closest("a, button")) target.closest(".call")?.querySelector<HTMLElement>("th a")?.click();
}
