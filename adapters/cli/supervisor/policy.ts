// Restart policy
// Decides whether and when a child that ended is started again.
//
//   Owns:          which exits call for a restart, the waits between restarts, when to give up.
//   Does not own:  processes (supervisor.ts), the clock: the caller passes the time.
//
// POLICY-1. An exit that a restart cannot cure (REFUSED) ends the supervisor at once.
// POLICY-2. Only failures in a row lead to giving up. A child that lived for a while resets the count, and so does one that set
//     aside the entry which ended earlier children. The limit is above the number of failures an engine needs to find such an
//     entry (runtime/engine/poison-detector).
// POLICY-3. A child that handed over is started again at once: that is not a failure.

/** The exit code of a child that has reported why another start will not help. */
export const REFUSED = 78;
/** The engine's own exit code: this process may write nothing more, the next process may. */
export const FAILED = 75;

/** The exit code of a child that gave its journal to a spare, and comes back to stand by. */
export const HANDED_OVER = 76;

const QUICK_MS = 10_000;
const QUICK_MAX = 8;
const FIRST_WAIT_MS = 200;
const WAIT_MAX_MS = 2_000;

export interface Ended {
  readonly code: number | null;
  readonly signal: string | null;
  readonly livedMs: number;
  readonly said?: string;
}

export type Verdict =
  | { readonly do: "restart"; readonly waitMs: number; readonly why: string }
  | { readonly do: "give-up"; readonly why: string }
  | { readonly do: "end"; readonly code: number };

export class RestartPolicy {
  #quick = 0;

  /** The child has set aside the entry that ended the earlier children. */
  mended(): void {
    this.#quick = 0;
  }

  /** @param stopping whether the child was asked to end. */
  after(ended: Ended, stopping: boolean): Verdict {
    const { code, signal, livedMs } = ended;
    if (stopping)
      return { do: "end", code: code === 0 || signal === "SIGTERM" || signal === "SIGINT" ? 0 : 1 };
    if (code === 0) return { do: "end", code: 0 };
    if (code === HANDED_OVER)
      return { do: "restart", waitMs: 0, why: "it handed its journal over, or ended for another version" };
    if (code === REFUSED) return { do: "end", code: 1 };
    this.#quick = livedMs < QUICK_MS ? this.#quick + 1 : 1;
    const why = causeOf(ended);
    if (this.#quick >= QUICK_MAX) return { do: "give-up", why };
    return { do: "restart", waitMs: Math.min(WAIT_MAX_MS, FIRST_WAIT_MS * 2 ** (this.#quick - 1)), why };
  }
}

function causeOf({ code, signal, said }: Ended): string {
  if (said !== undefined) return said.replace(/\.$/, "");
  if (signal !== null) return `it was ended by ${signal}`;
  if (code === FAILED) return "it could not make a commit durable and stopped";
  return `it ended with exit code ${code ?? "unknown"}`;
}
