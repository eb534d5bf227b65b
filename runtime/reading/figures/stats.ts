// Stats
// Shows the state of the engine in numbers.
//
//   Owns:          which numbers about the engine are shown.
//   Does not own:  counting (listing), the counters of doors (adapters), displaying the numbers.
//
// STATS-1. To show the numbers of the whole engine, the engine reads one row. (checked by review: the code reads `meta` and
//     nothing else)
// STATS-2. If a query restricts the numbers to some workspaces, the rows of their lists are counted, at most 1,000 of each list,
//     because there are no counters by workspace.

import { ALARMS } from "../../../machines/index.ts";
import type { Engine } from "../../engine/engine.ts";
import { after, keys } from "../../rows/keys.ts";
import { listsBy } from "../../rows/listing.ts";
import { countIn } from "../../rows/meta.ts";
import type { Among } from "../scope.ts";
import type { Recovered } from "../../outbound/recovery.ts";

export const STATES = {
  sessions: { kind: "session", states: ["idle", "running", "waiting_input", "ended"] },
  requests: {
    kind: "request",
    states: ["created", "queued", "processing", "completed", "failed", "timeout"],
  },
  approvals: { kind: "approval", states: ["pending", "approved", "denied", "expired", "withdrawn"] },
  alarms: { kind: "alarm", states: ALARMS },
} as const;

type Counts = Readonly<Record<string, number>>;

export interface Stats {
  readonly epoch: number;
  readonly incarnation: string;
  readonly position: number;
  /** The time of the entry at `position`, by the journal's stamp, ms. */
  readonly at: number;
  readonly changes: number;
  readonly audits: number;
  readonly deads: number;
  readonly lag: ReturnType<Engine["lag"]>;
  readonly counts: Readonly<Record<keyof typeof STATES, Counts>>;
  readonly recovered?: Recovered;
}

/** The statistics of chosen workspaces, without the numbers that exist only for the whole engine. */
export type StatsWithin = Pick<Stats, "epoch" | "incarnation" | "at" | "counts">;

/** How many actors in each state are counted at most for chosen workspaces, because counting reads a row for each actor. */
const COUNTED_MAX = 1_000;

/** STATS-2: the numbers of chosen workspaces. */
function statsWithin(engine: Engine, workspaces: readonly string[]): StatsWithin {
  const { at } = engine.meta();
  const { epoch, incarnation, store } = engine;
  const sizeOf = (list: readonly string[]): number => {
    const gte = keys.list(list);
    return Array.from(store.range({ gte, lt: after(gte), limit: COUNTED_MAX })).length;
  };
  const counts = countsBy((kind, state) =>
    listsBy(kind, { state, workspaces }).reduce((sum, list) => sum + sizeOf(list), 0),
  );
  return { epoch, incarnation, at, counts };
}

export function stats(engine: Engine): Stats;
export function stats(engine: Engine, among?: Among): Stats | StatsWithin;
export function stats(engine: Engine, { workspaces }: Among = {}): Stats | StatsWithin {
  if (workspaces !== undefined) return statsWithin(engine, workspaces);
  const { position, at, changes, audits, deads, counts: counted } = engine.meta();
  const { epoch, incarnation, recovered } = engine;
  const counts = countsBy((kind, state) => countIn(counted, kind, state));
  const known = { epoch, incarnation, position, at, changes, audits, deads, lag: engine.lag(), counts };
  return recovered ? { ...known, recovered } : known;
}

type Kind = (typeof STATES)[keyof typeof STATES]["kind"];

function countsBy(countOf: (kind: Kind, state: string) => number): Stats["counts"] {
  const of = (name: keyof typeof STATES): Counts => {
    const { kind, states } = STATES[name];
    return Object.fromEntries(states.map((state) => [state, countOf(kind, state)]));
  };
  return {
    sessions: of("sessions"),
    requests: of("requests"),
    approvals: of("approvals"),
    alarms: of("alarms"),
  };
}
