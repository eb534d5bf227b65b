// Machine
// The page of one actor: its statechart, how it got to its state, which events it would accept, and its past states.
//
//   Owns:          the parts of a machine's page; which words say what an actor is about; the links to related actors.
//   Does not own:  the drawing (chart.tsx), the past moments (history).

import type { RefObject } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { History, useMoment } from "../history/history.ts";
import { NoMoments, Scrubber } from "../history/scrubber.tsx";
import { useValue } from "../engine/value.ts";
import { Failure } from "../parts/failure.tsx";
import { NotFound } from "../parts/not-found.tsx";
import { labelOf } from "../parts/words.ts";
import { hrefOf, type Route } from "../route.ts";
import { Chart } from "./chart.tsx";
import { litOf, momentsOf, presentOf, stepOf } from "./configuration.ts";
import { acceptedIn, definitionOf, type MachineDefinition, type MachineKind } from "./definition.ts";
import { Export } from "./export.tsx";
import { Facts } from "./facts.tsx";
import { styled } from "../look/style.ts";
import { gistOf } from "../../../../runtime/text/gist.ts";
import { titleLine } from "../../../../runtime/text/title-line.ts";
import { Line } from "../parts/text.tsx";

await styled("machine");

type Props = Extract<Route, { view: "machine" }>;

function useActor(history: History, place: Props) {
  const { kind, id } = place;
  const { changes: all, standing } = useValue(history.told);
  const moment = useMoment(history, place);
  const moments = useMemo(() => momentsOf(kind, all), [all, kind, id]);
  const changes = useMemo(() => moments.map(({ change }) => change), [moments]);
  const at =
    moment === undefined ? changes.length - 1 : changes.findLastIndex(({ version }) => version <= moment);
  const before = moments[at - 1];
  // The actor's changes may be far back in the change log. Until they are read, the page shows the actor's present view.
  const view = changes.length > 0 || moment !== undefined ? moments[at]?.view : presentOf(kind, id, standing);
  const lit = view ? litOf(kind, view) : new Set<string>();
  const step = view && before ? stepOf(kind, litOf(kind, before.view), lit) : undefined;
  return { changes, moment, view, lit, step };
}

export function MachineView(place: Props) {
  const { workspace, session, kind, id } = place;
  const history = useMemo(() => new History(place), [workspace, session, kind, id]);
  useEffect(() => () => history.end(), [history]);
  const { isLoading, failure } = useValue(history.told);
  const { changes, moment, view, lit, step } = useActor(history, place);
  const [machine, show] = useState<MachineDefinition>();
  const [wrong, setWrong] = useState<string>();
  const drawing = useRef<HTMLDivElement>(null);
  useLitInSight(drawing, machine, lit);
  useEffect(() => {
    definitionOf(kind).then(show, (error: unknown) => setWrong(String(error)));
  }, [kind]);

  if (failure && changes.length === 0)
    return <NotFound what={`The ${kind} ${id}`} failure={failure} onAgain={() => void history.again()} />;
  if (wrong !== undefined) return <Failure>{wrong}</Failure>;
  if (!machine || (isLoading && !view)) return <p class="quiet loading">Asking the engine…</p>;
  return (
    <section aria-labelledby="machine-title" class="machine">
      <header class="title-row">
        <Title {...place} view={view} />
        <RelatedActors {...place} view={view} />
        <Export kind={kind} id={id} machine={machine} view={view} drawing={drawing} />
      </header>
      {changes.length > 0 && (
        <Scrubber changes={changes} moment={moment} onMoment={(to) => history.moment.set(to)} />
      )}
      {changes.length === 0 && (isLoading ? <NoMoments /> : <NotTold history={history} />)}
      <div class="machine-parts">
        <div ref={drawing} class="chart-box" tabIndex={0} role="group" aria-label="Statechart">
          <Chart
            definition={machine.definition}
            lit={lit}
            title={`The states of ${kind} ${id}; it is in ${wordsOf(lit)}`}
            {...(step && { step })}
          />
        </div>
        <Facts accepted={acceptedIn(machine.definition, lit)} isNow={moment === undefined} view={view} />
      </div>
    </section>
  );
}

/** The names of the active states, each made of the last part of its id. The machine itself, whose id has no dot, is left out. */
const wordsOf = (lit: ReadonlySet<string>): string =>
  [...lit]
    .filter((id) => id.includes("."))
    .map((id) => labelOf(id.slice(id.lastIndexOf(".") + 1)))
    .join(", ");

/** Scrolls to the active state, if the screen is too narrow for the chart. */
function useLitInSight(
  drawing: RefObject<HTMLElement | null>,
  machine: MachineDefinition | undefined,
  lit: ReadonlySet<string>,
): void {
  const states = [...lit].join(" ");
  useEffect(() => {
    const box = drawing.current;
    const leaf = box?.querySelector(".state.lit:not(.outer) rect")?.getBoundingClientRect();
    if (!box || !leaf || box.scrollWidth <= box.clientWidth) return;
    const { left, width } = box.getBoundingClientRect();
    box.scrollLeft += leaf.left + leaf.width / 2 - left - width / 2;
  }, [machine, states]);
}

function NotTold({ history }: { readonly history: History }) {
  const { olderCursor } = useValue(history.told);
  return (
    <p class="quiet">
      {olderCursor === undefined ? (
        "The change log no longer has any change of this machine: changes are kept for seven days."
      ) : (
        <>
          Not among the newest changes of its session.{" "}
          <button type="button" onClick={() => void history.older()}>
            Read further back
          </button>
        </>
      )}
    </p>
  );
}

type ViewProps = Omit<Props, "view"> & { readonly view: unknown };

/** The fields of a session's, a request's, a call's or an approval's view that say what it is about. */
interface About {
  readonly title?: string;
  readonly prompt?: string;
  readonly tool?: string;
  readonly input?: unknown;
}

function Title({ kind, id, view }: ViewProps) {
  const { title, prompt, tool, input } = (view ?? {}) as About;
  const words = tool ?? titleLine(title ?? prompt ?? "");
  const gist = tool === undefined ? "" : gistOf(input, tool);
  return (
    <h1 id="machine-title">
      {words !== "" && (
        <span class="one-line about">
          <Line text={words} />{" "}
          {gist !== "" && (
            <code>
              <Line text={gist} />
            </code>
          )}
        </span>
      )}
      <span class={words === "" ? "" : "quiet"}>
        {kind} <code>{id}</code>
      </span>
    </h1>
  );
}

/** The ids of other actors that a view of a session, request, call or approval has. */
interface ViewIds {
  readonly requestId?: string;
  readonly callId?: string;
  readonly approval?: { readonly id: string };
}

function RelatedActors({ workspace, session, kind, id, view }: ViewProps) {
  const { requestId, callId, approval } = (view ?? {}) as ViewIds;
  const call = kind === "call" ? id : callId;
  const others: readonly (readonly [MachineKind, string | undefined])[] = [
    ["session", session],
    ["request", requestId],
    ["call", callId],
    ["approval", approval?.id],
  ];
  return (
    <nav class="chips" aria-label="Around it">
      <a
        class="chip"
        href={hrefOf({ view: "session", workspace, session, ...(call !== undefined && { call }) })}
      >
        in its session
      </a>
      {others.map(
        ([other, its]) =>
          its !== undefined &&
          other !== kind && (
            <a
              key={other}
              class="chip"
              href={hrefOf({ view: "machine", workspace, session, kind: other, id: its })}
            >
              {other}’s state diagram
            </a>
          ),
      )}
    </nav>
  );
}
