// Stats
// The state of the engine in numbers.
//
//   Owns:          which numbers there are.
//   Does not own:  counting (listing), counters of doors (adapters), how they are shown.
//
// STATS-1. However many there are, one row is read. (by review: the code asks for `meta` and for nothing else)

import { ALARMS } from "../../../machines/index.ts";
import type { Engine } from "../../engine/engine.ts";
import { countIn, type Meta } from "../../rows/meta.ts";
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

/** By state. */
type Counts = Readonly<Record<string, number>>;

export interface Stats {
  readonly epoch: number;
  readonly incarnation: string;
  readonly position: number;
  /** The journal's stamp at that position, ms. */
  readonly at: number;
  readonly changes: number;
  readonly audits: number;
  readonly deads: number;
  readonly lag: ReturnType<Engine["lag"]>;
  readonly counts: Readonly<Record<keyof typeof STATES, Counts>>;
  readonly recovered?: Recovered;
}

export function stats(engine: Engine): Stats {
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
