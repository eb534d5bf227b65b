// Stats
// How the engine stands, in numbers.
//
//   Owns:          what is counted, and where counting stops.
//   Does not own:  counters of doors (adapters), how they are shown.

import type { Engine } from "./engine.ts";
import { after, keys } from "./keys.ts";
import { ROWS_MAX } from "./paging.ts";
import type { Store } from "./ports.ts";
import type { Recovered } from "./recovery.ts";

export const STATES = {
  sessions: { kind: "session", states: ["idle", "running", "waiting_input", "ended"] },
  requests: {
    kind: "request",
    states: ["created", "queued", "processing", "completed", "failed", "timeout"],
  },
  approvals: { kind: "approval", states: ["pending", "approved", "denied", "expired", "withdrawn"] },
} as const;

/** By state; counting stops at 1,000. */
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
  /** True when a count stopped at 1,000. */
  readonly capped: boolean;
  readonly recovered?: Recovered;
}

export function stats(engine: Engine): Stats {
  const { position, at, changes, audits, deads } = engine.meta();
  const { epoch, incarnation, recovered, store } = engine;
  const counts = {
    sessions: countsOf(store, "sessions"),
    requests: countsOf(store, "requests"),
    approvals: countsOf(store, "approvals"),
  };
  const capped = Object.values(counts).some((each) => Object.values(each).includes(ROWS_MAX));
  const lag = engine.lag();
  const known = { epoch, incarnation, position, at, changes, audits, deads, lag, counts, capped };
  return recovered ? { ...known, recovered } : known;
}

function countsOf(store: Store, name: keyof typeof STATES): Counts {
  const { kind, states } = STATES[name];
  return Object.fromEntries(
    states.map((state) => {
      const prefix = keys.list([kind, "state", state]);
      return [state, [...store.range({ gte: prefix, lt: after(prefix), limit: ROWS_MAX })].length];
    }),
  );
}
