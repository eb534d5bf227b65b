// Waiting
// Waits for the answer to an approval until the deadline, even if the engine is restarted meanwhile.
//
//   Owns:          how long each step may take, when to send a request again, which answers the gate obeys.
//   Does not own:  the requests (line), the output (printed), the process (adapters/gate-main.ts).
//
// GATE-WAITING-1. If no engine acknowledges the approval within two seconds, the gate gives the answer that it was configured to
//     give without an engine (the closed answer): it denies the call, or has the client ask its user. After an acknowledgement
//     the gate waits until the deadline, through every restart.
// GATE-WAITING-2. The gate passes on only the answers "allow" and "deny". If the wait ends without either of them, the gate gives
//     the closed answer.
// GATE-WAITING-3. If the gate repeats a request, it asks for the same approval, under the same id.
// GATE-WAITING-4. The engine that took the approval may change the closed answer to "deny". The change holds until the approval
//     ends.
// GATE-WAITING-5. Only an answer that says "allow" and contains the hash of exactly the requested input allows a call.

import { setTimeout as sleep } from "node:timers/promises";
import type { Verdict } from "../../runtime/gate-form.ts";
import { ASKER_MS } from "../../runtime/gate/times.ts";
import type { Closed, Line, Told } from "./line.ts";

export interface Wait {
  readonly engine: Pick<Line, "ask" | "answer">;
  readonly inputHash: string;
  readonly closed: Closed;
  /** When the gate must have answered, on `now`'s clock, ms. */
  readonly deadline: number;
  /** The monotonic time, ms; by default since the start of the process. */
  readonly now?: () => number;
  readonly sleep?: (ms: number) => Promise<void>;
}

export interface End {
  readonly verdict: Verdict;
  /** Whether the gate decided alone, so that the engine does not know the answer. */
  readonly isLocal: boolean;
  /** Why the gate decided alone: no engine took the approval, an engine refused it, or no answer came in time. */
  readonly cause?: "untaken" | "refused" | "late";
}

export async function waitForAnswer(given: Wait): Promise<End> {
  let wait = { now: () => performance.now(), sleep: (ms: number) => sleep(ms), ...given };
  const { now, deadline } = wait;
  const { acknowledged, poll, silent } = ASKER_MS;
  const startedAt = now();
  const first = await asked(wait, Math.min(deadline, startedAt + acknowledged));
  if (first.type !== "told") return local(wait, first.why, first.isRefused ? "refused" : "untaken");
  for (let told = first.told; ;) {
    if (told.closed !== undefined) wait = { ...wait, closed: told.closed };
    if (told.state !== "pending") return ended(wait, told);
    const left = deadline - now();
    if (left <= 0) return local(wait, "nobody answered in time", "late");
    const heard = await wait.engine.answer(Math.min(poll, left), Math.min(poll + silent, left));
    if (heard.type === "told") {
      told = heard.told;
      continue;
    }
    const again = heard.type === "refused" ? heard : await asked(wait, deadline);
    if (again.type !== "told") return local(wait, again.why, again.type === "refused" ? "refused" : "late");
    told = again.told;
  }
}

type Asked =
  | { readonly type: "told"; readonly told: Told }
  | { readonly type: "not"; readonly why: string; readonly isRefused: boolean };

async function asked({ engine, now, sleep, deadline }: Required<Wait>, until: number): Promise<Asked> {
  const { earlier, silent, again } = ASKER_MS;
  for (let n = 0; ; n++) {
    const left = until - now();
    if (left <= 0) return { type: "not", why: "no engine took the approval in time", isRefused: false };
    const heard = await engine.ask(deadline - now() - earlier, Math.min(left, silent));
    if (heard.type === "told") return heard;
    if (heard.type === "refused") return { type: "not", why: heard.why, isRefused: heard.byEngine === true };
    const pause = again[Math.min(n, again.length - 1)] ?? 0;
    await sleep(Math.max(0, Math.min(pause, until - now())));
  }
}

function ended(wait: Wait, told: Told): End {
  const verdict = verdictOf(told, wait.inputHash) ?? closedBy(wait, whyOf(told));
  return { verdict, isLocal: false };
}

const whyOf = ({ state, decision }: Told): string =>
  decision === "allow" ? "the answer was given for another input" : `the approval is ${state}`;

const local = (wait: Wait, why: string, cause: NonNullable<End["cause"]>): End => ({
  verdict: closedBy(wait, why),
  isLocal: true,
  cause,
});

function closedBy({ closed }: Wait, why: string): Verdict {
  return {
    type: closed === "deny" ? "deny-closed" : "ask",
    why: `Signalbox gave no answer: ${why}${why.endsWith(".") ? "" : "."}`,
  };
}

/** @returns the verdict; undefined without a decision, and for an "allow" of another input, which a gate must not obey. */
export function verdictOf(told: Told, inputHash: string): Verdict | undefined {
  const { decision, message = "Denied in Signalbox.", interrupt = false } = told;
  if (decision === "deny") return { type: "deny", message, interrupt };
  if (decision !== "allow" || told.inputHash !== inputHash) return undefined;
  return { type: "allow", ...("updatedInput" in told && { updatedInput: told.updatedInput }) };
}
