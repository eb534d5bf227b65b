// Costs
// Shows what the sessions of the chosen days have cost, as their clients report it. A person must ask for the costs first.
//
//   Owns:          which sessions' costs are read, the sum of the costs, the bars.
//   Does not own:  the amounts (the clients report them), the words of a cost (session/cost.tsx).
//
// ANSWERS-COSTS-1. The page reads costs only when a person asks for them: the costs of the newest 50 sessions, one session at a
//     time, until the person stops the reading or leaves the view.
// ANSWERS-COSTS-2. The page says how many sessions have clients that report no cost. These sessions add nothing to the sum.
// ANSWERS-COSTS-3. If no session began in the chosen days, nothing about costs is shown.

import { useEffect, useRef, useState } from "preact/hooks";
import type { Conversation, ToldCost } from "../../../../runtime/reading/conversation.ts";
import type { SessionView } from "../../../../runtime/rows/views.ts";
import { ask, refusal } from "../engine/api.ts";
import { useAsked } from "../engine/asked.ts";
import { Failure } from "../parts/failure.tsx";
import { Heads } from "../parts/heads.tsx";
import { Line } from "../parts/text.tsx";
import { hrefOf } from "../route.ts";
import { usdText } from "../session/cost.tsx";
import type { Times } from "./address.ts";

const SESSIONS_MAX = 50;

interface Costing {
  readonly session: SessionView;
  readonly cost: ToldCost;
}

interface Sum {
  readonly isAsking: boolean;
  readonly of: number;
  readonly looked: number;
  readonly told: readonly Costing[];
  readonly isMore: boolean;
  readonly failure?: string;
}

const BEGUN: Sum = { isAsking: true, of: 0, looked: 0, told: [], isMore: false };

export function Costs({ times }: { readonly times: Times }) {
  const [sum, show] = useState<Sum>();
  const leaving = useRef<AbortController | undefined>(undefined);
  useEffect(() => () => leaving.current?.abort(), []);
  const newest = useAsked([], (signal) => sessionsOf(times, 1, signal));
  if (!newest || newest.items.length === 0) return null;
  const begin = async (): Promise<void> => {
    const own = new AbortController();
    leaving.current = own;
    show(BEGUN);
    try {
      await addUp(times, own.signal, (next) => show((known) => next(known ?? BEGUN)));
    } catch (error) {
      if (!own.signal.aborted) show((known) => ({ ...(known ?? BEGUN), failure: refusal(error).words }));
    }
    show((known) => known && { ...known, isAsking: false });
  };
  return (
    <section class="costs" aria-labelledby="costs-title">
      <header class="title-row">
        <h2 id="costs-title">What it cost</h2>
        {sum?.isAsking === true ? (
          <button type="button" onClick={() => leaving.current?.abort()}>
            Stop
          </button>
        ) : (
          <button type="button" onClick={() => void begin()}>
            Add up the costs
          </button>
        )}
      </header>
      <p role="status">{sum ? sumText(sum) : ""}</p>
      {!sum && (
        <p class="quiet">
          As their clients report it, of the newest {SESSIONS_MAX} sessions that began in these days.
        </p>
      )}
      {sum?.failure !== undefined && <Failure>{sum.failure}</Failure>}
      {sum && sum.told.length > 0 && <Table told={sum.told} />}
    </section>
  );
}

const sessionsOf = (times: Times, limit: number, signal: AbortSignal) =>
  ask<{ items: readonly SessionView[]; nextCursor?: string }>("/v1/sessions", { ...times, limit }, signal);

/**
 * Adds up what the sessions cost, one session after another.
 * @param tell gets a function that makes the new sum of the old one: once the sessions are listed, and after each session.
 */
async function addUp(
  times: Times,
  signal: AbortSignal,
  tell: (next: (known: Sum) => Sum) => void,
): Promise<void> {
  const page = await sessionsOf(times, SESSIONS_MAX, signal);
  tell((known) => ({ ...known, of: page.items.length, isMore: page.nextCursor !== undefined }));
  for (const session of page.items) {
    const { id, workspace } = session;
    const { cost } = await ask<Conversation>(`/v1/sessions/${id}/conversation`, { workspace }, signal);
    tell((known) => ({
      ...known,
      looked: known.looked + 1,
      told: cost ? [...known.told, { session, cost }] : known.told,
    }));
  }
}

function sumText({ isAsking, of, looked, told, isMore }: Sum): string {
  if (isAsking) return `Asking: ${looked} of ${of} sessions…`;
  const usd = told.reduce((all, { cost }) => all + cost.usd, 0);
  const silent = looked - told.length;
  const least = told.some(({ cost }) => cost.isPart) ? "at least " : "";
  const rest = `${silent.toLocaleString()} of ${looked.toLocaleString()} sessions have no known cost${isMore ? "; there are older sessions" : ""}.`;
  return told.length === 0 ? `No cost is known: ${rest}` : `${least}${usdText(usd)} in all; ${rest}`;
}

function Table({ told }: { readonly told: readonly Costing[] }) {
  const rows = told.toSorted((one, other) => other.cost.usd - one.cost.usd);
  const most = Math.max(Number.MIN_VALUE, ...rows.map(({ cost }) => cost.usd));
  return (
    <table class="tile">
      <Heads
        names={["Session", <span class="unseen">Share</span>, "Cost", "Tokens"]}
        numbers={["Cost", "Tokens"]}
      />
      <tbody>
        {rows.map(({ session: { id, workspace, title = id }, cost: { usd, tokens, isPart } }) => (
          <tr key={`${workspace}/${id}`}>
            <th scope="row">
              <a href={hrefOf({ view: "session", workspace, session: id })}>
                <Line text={title} />
              </a>
            </th>
            <td class="bar-cell">
              <div class="share" aria-hidden="true" style={{ width: `${(usd / most) * 100}%` }}>
                <span class="person" style={{ flexGrow: 1 }} />
              </div>
            </td>
            <td class="number" data-head="cost">
              {isPart && "at least "}
              {usdText(usd)}
            </td>
            <td class="number" data-head="tokens">
              {tokens.toLocaleString()}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
