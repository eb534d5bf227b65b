// Restart policy
// Decides whether the supervisor starts a child process again after its end, and when.
//
//   Owns:          after which exits the child process is started again, the wait before each start, when to give up.
//   Does not own:  processes (supervisor.ts), the clock: the caller passes the time.
//
// POLICY-1. If the child process exits with REFUSED, which another start cannot cure, the supervisor ends at once.
// POLICY-2. The supervisor gives up only after 8 failures of its child process in a row (QUICK_MAX). The count begins anew if a
//     child lived for 10 seconds, or if it reports `mended`: that it set aside the entry that ended earlier children, or took
//     over as the owner. An engine finds such an entry after fewer than 8 failures (runtime/engine/poison-detector).
// POLICY-3. A child process that has handed its journal over, or ended its term, is started again at once, because that exit
//     is no failure.

/** The exit code of a child that has reported why another start will not help. */
export const REFUSED = 78;
/** The exit code of an engine that failed: its process may write nothing more, but the next process may. */
export const FAILED = 75;

/** The exit code of a child that gave its journal to a spare, or ended its term, and is to start again. */
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

  /** Called when the child reports `mended` (child.ts): the failures until then no longer count towards giving up. */
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
