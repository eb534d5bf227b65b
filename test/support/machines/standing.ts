// Standing
// Puts an actor into any state, and shows what one event makes of it.
//
//   Owns:          building a snapshot from a state; reading a step as text; the notation of the tables.
//   Does not own:  which steps are right (the tables).

import type { ActorKind } from "../../../machines/index.ts";
import { move, restore, type Snapshot, type StateValue } from "../../../runtime/rows/actors/actors.ts";
import { regionOf } from "../../../runtime/rows/views.ts";

/** A machine in a state with a context, as the store would restore it. */
export function standing(kind: ActorKind, value: StateValue, context: object): Snapshot {
  return restore(kind, `w/s/${kind}/x`, { machine: kind, version: "1", value, context });
}

/** `<state> <effect> <effect> …`, `= <effect> …` if the state stays, `illegal` if no transition takes the event. */
export function step(
  kind: ActorKind,
  from: Snapshot,
  event: { readonly type: string },
  region?: string,
): string {
  const { snapshot, effects, legal } = move(kind, from, event);
  if (!legal) return snapshot === from ? "illegal" : "illegal, and yet it changed";
  const before = regionOf(from.value, region);
  const now = regionOf(snapshot.value, region);
  return [now === before ? "=" : now, ...effects.map(({ type }) => type)].join(" ");
}

/** One outcome, or one for each variant of the event that a guard tells apart. */
export type Cell = string | Readonly<Record<string, string>>;
/** Total on purpose: a state or an event without a cell does not compile. */
export type Table<State extends string, Event extends string> = Readonly<
  Record<State, Readonly<Record<Event, Cell>>>
>;

export interface Row {
  readonly state: string;
  readonly event: string;
  readonly variant: string | undefined;
  readonly expected: string;
}

/** Every cell of a table with its title, one per variant. */
export function rows(table: Table<string, string>): readonly (readonly [title: string, Row])[] {
  return Object.entries(table).flatMap(([state, cells]) =>
    Object.entries(cells).flatMap(([event, cell]) =>
      typeof cell === "string"
        ? [row(state, event, undefined, cell)]
        : Object.entries(cell).map(([variant, expected]) => row(state, event, variant, expected)),
    ),
  );
}

function row(
  state: string,
  event: string,
  variant: string | undefined,
  expected: string,
): readonly [string, Row] {
  const what = variant === undefined ? event : `${event} (${variant})`;
  return [`${state} + ${what}: ${expected}`, { state, event, variant, expected }];
}
