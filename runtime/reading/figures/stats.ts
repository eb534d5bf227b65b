// Stats
// Shows the state of the engine in numbers.
//
//   Owns:          which numbers there are.
//   Does not own:  counting (listing), the counters of doors (adapters), displaying the numbers.
//
// STATS-1. The numbers of the whole engine need one row. (checked by review: the code reads `meta` and nothing else)
// STATS-2. For chosen workspaces, the rows of lists are counted, at most 1,000 of each: there are no counters by workspace.

import { ALARMS } from "../../../machines/index.ts";
import type { Engine } from "../../engine/engine.ts";
import { after, keys } from "../../rows/keys.ts";
import { listsBy } from "../../rows/listing.ts";
import { countIn, type Meta } from "../../rows/meta.ts";
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
  /** The time of that position by the journal's stamp, ms. */
  readonly at: number;
  readonly changes: number;
  readonly audits: number;
  readonly deads: number;
  readonly lag: ReturnType<Engine["lag"]>;
  readonly counts: Readonly<Record<keyof typeof STATES, Counts>>;
  readonly recovered?: Recovered;
}

/** The numbers of chosen workspaces. Some numbers exist only for the whole engine and are left out. */
export type StatsWithin = Pick<Stats, "epoch" | "incarnation" | "at" | "counts">;

/** How many actors in each state are counted at most, because this reads the rows of lists. */
const COUNTED_MAX = 1_000;

/** STATS-2: the numbers of chosen workspaces. */
function statsWithin(engine: Engine, workspaces: readonly string[]): StatsWithin {
  const { at } = engine.meta();
  const { epoch, incarnation, store } = engine;
  const sizeOf = (list: readonly string[]): number => {
    const gte = keys.list(list);
    return Array.from(store.range({ gte, lt: after(gte), limit: COUNTED_MAX })).length;
  };
  const countOf = (name: keyof typeof STATES): Counts => {
    const { kind, states } = STATES[name];
    const ofState = (state: string): number =>
      listsBy(kind, { state, workspaces }).reduce((sum, list) => sum + sizeOf(list), 0);
    return Object.fromEntries(states.map((state) => [state, ofState(state)]));
  };
  const counts = {
    sessions: countOf("sessions"),
    requests: countOf("requests"),
    approvals: countOf("approvals"),
    alarms: countOf("alarms"),
  };
  return { epoch, incarnation, at, counts };
}

export function stats(engine: Engine): Stats;
export function stats(engine: Engine, among?: Among): Stats | StatsWithin;
export function stats(engine: Engine, { workspaces }: Among = {}): Stats | StatsWithin {
  if (workspaces !== undefined) return statsWithin(engine, workspaces);
  const { position, at, changes, audits, deads, counts: counted } = engine.meta();
  const { epoch, incarnation, recovered } = engine;
  const counts = {
    sessions: countsOf(counted, "sessions"),
    requests: countsOf(counted, "requests"),
    approvals: countsOf(counted, "approvals"),
    alarms: countsOf(counted, "alarms"),
  };
  const known = { epoch, incarnation, position, at, changes, audits, deads, lag: engine.lag(), counts };
  return recovered ? { ...known, recovered } : known;
}

function countsOf(counted: Meta["counts"], name: keyof typeof STATES): Counts {
  const { kind, states } = STATES[name];
  return Object.fromEntries(states.map((state) => [state, countIn(counted, kind, state)]));
}
