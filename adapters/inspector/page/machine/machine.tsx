// Machine
// One actor as its statechart: where it is, how it came there, what it would accept, and where it has been.
//
//   Owns:          the page of a machine.
//   Does not own:  the drawing (chart.tsx), the moments (history).

import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { History } from "../history/history.ts";
import { Scrubber } from "../history/scrubber.tsx";
import { useValue } from "../engine/value.ts";
import { Json } from "../parts/json.tsx";
import { hrefOf, type Route } from "../route.ts";
import { Chart } from "./chart.tsx";
import { isOf, litOf, stepOf } from "./configuration.ts";
import { acceptedIn, definitionOf, type MachineDefinition, type MachineKind } from "./definition.ts";
import { Export } from "./export.tsx";

type Props = Extract<Route, { view: "machine" }>;

/** The actor's own changes, and the one looked at with the one before it. */
function useMoment(history: History, kind: MachineKind, id: string) {
  const { changes: all } = useValue(history.told);
  const moment = useValue(history.moment);
  const changes = useMemo(() => all.filter(isOf(kind, id)), [all, kind, id]);
  const at =
    moment === undefined ? changes.length - 1 : changes.findLastIndex(({ version }) => version <= moment);
  const [current, before] = [changes[at], changes[at - 1]];
  const lit = current ? litOf(kind, current.view) : new Set<string>();
  const step = current && before ? stepOf(kind, litOf(kind, before.view), lit) : undefined;
  return { changes, moment, current, lit, step };
}

export function MachineView({ workspace, session, kind, id }: Props) {
  const history = useMemo(() => new History(workspace, session, id), [workspace, session, id]);
  useEffect(() => () => history.end(), [history]);
  const { isLoading, failure } = useValue(history.told);
  const { changes, moment, current, lit, step } = useMoment(history, kind, id);
  const [machine, show] = useState<MachineDefinition>();
  const [wrong, setWrong] = useState<string>();
  const drawing = useRef<HTMLDivElement>(null);
  useEffect(() => {
    definitionOf(kind).then(show, (error: unknown) => setWrong(String(error)));
  }, [kind]);

  if (failure ?? wrong)
    return (
      <p class="failure" role="alert">
        {failure?.message ?? wrong} {failure?.next}
      </p>
    );
  if (!machine || (isLoading && changes.length === 0)) return <p class="quiet loading">Asking the engine…</p>;
  return (
    <section aria-labelledby="machine-title" class="machine">
      <header class="title-row">
        <h1 id="machine-title">
          {kind} <code>{id}</code>
        </h1>
        <a href={hrefOf({ view: "session", workspace, session, ...(kind === "call" && { call: id }) })}>
          the session
        </a>
        <Export kind={kind} id={id} machine={machine} view={current?.view} drawing={drawing} />
      </header>
      {changes.length === 0 ? (
        <NotTold history={history} />
      ) : (
        <Scrubber changes={changes} moment={moment} onMoment={(to) => history.moment.set(to)} />
      )}
      <div class="machine-parts">
        <div ref={drawing} class="chart-box" tabIndex={0} role="group" aria-label="Statechart">
          <Chart
            definition={machine.definition}
            lit={lit}
            title={`The states of ${kind} ${id}; it is in ${[...lit].join(", ")}`}
            {...(step && { step })}
          />
        </div>
        <Facts
          events={acceptedIn(machine.definition, lit)}
          isNow={moment === undefined}
          view={current?.view}
        />
      </div>
    </section>
  );
}

function NotTold({ history }: { readonly history: History }) {
  const { olderCursor } = useValue(history.told);
  if (olderCursor === undefined)
    return <p class="quiet">The log has nothing of this one any more: changes are kept for seven days.</p>;
  return (
    <p class="quiet">
      Not among the newest changes of its session.{" "}
      <button type="button" onClick={() => void history.older()}>
        Read further back
      </button>
    </p>
  );
}

interface FactsProps {
  readonly events: readonly string[];
  readonly isNow: boolean;
  readonly view: unknown;
}

function Facts({ events, isNow, view }: FactsProps) {
  return (
    <aside>
      <h2>{isNow ? "Would accept now" : "Would have accepted then"}</h2>
      {events.length === 0 ? (
        <p class="quiet">Nothing: it is at its end.</p>
      ) : (
        <ul class="chips">
          {events.map((event) => (
            <li key={event}>
              <code>{event}</code>
            </li>
          ))}
        </ul>
      )}
      <h2>What is known of it {isNow ? "now" : "then"}</h2>
      {view === undefined ? <p class="quiet">Nothing yet.</p> : <Json value={readable(view)} />}
    </aside>
  );
}

/** Times in a view are ms of the epoch; people read clocks. */
function readable(view: unknown): unknown {
  if (typeof view !== "object" || view === null) return view;
  const fields = Object.entries(view).map(([name, value]: [string, unknown]) => [
    name,
    name.endsWith("At") && typeof value === "number" ? new Date(value).toISOString() : value,
  ]);
  return Object.fromEntries(fields);
}
