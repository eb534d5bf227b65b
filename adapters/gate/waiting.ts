// Waiting
// From an approval to its end: asked, acknowledged, waited for through whatever happens, answered or closed.
//
//   Owns:          how long each step may take, when to ask again.
//   Does not own:  the requests (line), what is printed (printed), the process (adapters/gate-main.ts).
//
// GATE-WAITING-1. Not acknowledged within two seconds: closed. Acknowledged: waited for until the deadline, through
//     every restart.
// GATE-WAITING-2. Nothing but an answer that says so allows. Every other end is the closed answer.
// GATE-WAITING-3. Asked again, it is the same approval: it has one id.

import type { Closed, Heard, Told } from "./line.ts";
import { type Verdict, verdictOf } from "./printed.ts";

export interface Engine {
  ask(waitMs: number, withinMs: number): Promise<Heard>;
  answer(waitMs: number, withinMs: number): Promise<Heard>;
}

export interface Wait {
  readonly engine: Engine;
  readonly inputHash: string;
  readonly closed: Closed;
  /** When the gate must have answered, on `now`'s clock, ms. */
  readonly deadline: number;
  /** Monotonic, ms. */
  readonly now: () => number;
  readonly sleep: (ms: number) => Promise<void>;
}

export interface End {
  readonly verdict: Verdict;
  /** Whether the gate decided this by itself, and the engine does not know of it. */
  readonly isLocal: boolean;
}

const ACKNOWLEDGED_MS = 2_000;
/** The engine says after this long that there is no answer yet. */
const POLL_MS = 20_000;
/** One that has not said even that stands still. */
const SILENT_MS = 10_000;
/** The engine gives up this much earlier: its word comes before ours. */
const EARLIER_MS = 1_000;
/** Below what the engine takes for gone (runtime/gate/presence). */
const AGAIN_MS = [50, 100, 200, 400] as const;

export async function waitForAnswer(wait: Wait): Promise<End> {
  const { now, deadline } = wait;
  const startedAt = now();
  const first = await asked(wait, Math.min(deadline, startedAt + ACKNOWLEDGED_MS));
  if (first.type !== "told") return local(wait, first.why);
  for (let told = first.told; ;) {
    if (told.state !== "pending") return ended(wait, told);
    const left = deadline - now();
    if (left <= 0) return local(wait, "nobody answered in time");
    const heard = await wait.engine.answer(Math.min(POLL_MS, left), Math.min(POLL_MS + SILENT_MS, left));
    if (heard.type === "told") {
      told = heard.told;
      continue;
    }
    const again = heard.type === "refused" ? heard : await asked(wait, deadline);
    if (again.type !== "told") return local(wait, again.why);
    told = again.told;
  }
}

type Asked = { readonly type: "told"; readonly told: Told } | { readonly type: "not"; readonly why: string };

/** Brings the approval, again and again until `until`. */
async function asked({ engine, now, sleep, deadline }: Wait, until: number): Promise<Asked> {
  for (let n = 0; ; n++) {
    const left = until - now();
    if (left <= 0) return { type: "not", why: "no engine took the approval in time" };
    const heard = await engine.ask(deadline - now() - EARLIER_MS, Math.min(left, SILENT_MS));
    if (heard.type === "told") return heard;
    if (heard.type === "refused") return { type: "not", why: heard.why };
    const pause = AGAIN_MS[Math.min(n, AGAIN_MS.length - 1)] ?? 0;
    await sleep(Math.max(0, Math.min(pause, until - now())));
  }
}

function ended(wait: Wait, told: Told): End {
  const verdict = verdictOf(told, wait.inputHash) ?? closedBy(wait, whyOf(told));
  return { verdict, isLocal: false };
}

const whyOf = ({ state, decision }: Told): string =>
  decision === "allow" ? "the answer was given for another input" : `the approval is ${state}`;

const local = (wait: Wait, why: string): End => ({ verdict: closedBy(wait, why), isLocal: true });

function closedBy({ closed }: Wait, why: string): Verdict {
  return {
    type: closed === "deny" ? "deny-closed" : "ask",
    why: `Signalbox gave no answer: ${why}${why.endsWith(".") ? "" : "."}`,
  };
}
