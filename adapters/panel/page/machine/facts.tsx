// Facts
// Says which events an actor would accept at the chosen moment, and what is known of the actor then.
//
//   Owns:          the words about events and facts, how the known fields are shown.
//   Does not own:  which events an actor accepts (definition.ts).

import { Json } from "../parts/json.tsx";
import { labelOf } from "../parts/words.ts";
import type { Accepted } from "./definition.ts";

interface Props {
  readonly accepted: Accepted;
  readonly isNow: boolean;
  readonly view: unknown;
}

export function Facts({ accepted: { moves, notes }, isNow, view }: Props) {
  return (
    <aside>
      <h2>{isNow ? "Possible next events" : "Events that were possible then"}</h2>
      {moves.length === 0 ? (
        <p class="quiet">None: it is at its end.</p>
      ) : (
        <ul class="moves">
          {moves.map(([event, to]) => (
            <li key={event}>
              <code>{event}</code>
              {to.map((state) => (
                <span key={state} class={`chip ${state}`} title={state}>
                  {labelOf(state)}
                </span>
              ))}
            </li>
          ))}
        </ul>
      )}
      {notes.length > 0 && (
        <p class="quiet notes">
          Recorded without a change of state: <code>{notes.join(", ")}</code>
        </p>
      )}
      <h2>{isNow ? "Details" : "Details as they were then"}</h2>
      {view === undefined ? <p class="quiet">Nothing yet.</p> : <Json value={readable(view)} />}
    </aside>
  );
}

/** Fields whose value is a state. */
const STATES: ReadonlySet<string> = new Set(["state", "execution", "callbackState", "was"]);
const isTime = (name: string): boolean => name === "at" || name.endsWith("At");

/** A view made readable: the fields of nested objects on the top level, times in local form, no empty lists. */
function readable(view: unknown): unknown {
  if (typeof view !== "object" || view === null) return view;
  return Object.fromEntries(
    Object.entries(view).flatMap(([name, value]: [string, unknown]): (readonly [string, unknown])[] => {
      if (Array.isArray(value)) return value.length === 0 ? [] : [[name, value]];
      if (isTime(name) && typeof value === "number") return [[name, clock(value)]];
      if (STATES.has(name) && typeof value === "string") return [[name, withId(value)]];
      if (typeof value !== "object" || value === null) return [[name, value]];
      return Object.entries(readable(value) as object).map(([part, inner]) => [`${name} ${part}`, inner]);
    }),
  );
}

const withId = (state: string): string => `${labelOf(state)} (${state})`;

const clock = (at: number): string =>
  new Date(at).toLocaleString(undefined, {
    year: "numeric",
    month: "short",
    day: "numeric",
    hour: "numeric",
    minute: "2-digit",
    second: "2-digit",
    fractionalSecondDigits: 3,
  });
