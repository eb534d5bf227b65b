// Restart policy
// Whether and when a child that ended is started again.
//
//   Owns:          which exits call for a restart, the waits between restarts, when to give up.
//   Does not own:  processes (supervisor.ts). It is told the time.
//
// POLICY-1. An exit that a restart cannot cure (REFUSED) ends the supervisor at once.
// POLICY-2. Only failures in a row lead to giving up: a child that lived for a while clears the count, and so does one
//     that set aside what ended the earlier ones. The limit is above the number of failures an engine needs to find
//     such an entry (runtime/engine/poison-detector).

/** The exit code with which the child says that another start will not help, and that it has said why. */
export const REFUSED = 78;
/** The engine's own code: this process may write nothing more, the next one may. */
export const FAILED = 75;

const QUICK_MS = 10_000;
const QUICK_MAX = 8;
const FIRST_WAIT_MS = 200;
const WAIT_MAX_MS = 2_000;

export interface Ended {
  readonly code: number | null;
  readonly signal: string | null;
  readonly livedMs: number;
  /** The reason, if it gave one. */
  readonly said?: string;
}

export type Verdict =
  | { readonly do: "restart"; readonly waitMs: number; readonly why: string }
  | { readonly do: "give-up"; readonly why: string }
  | { readonly do: "end"; readonly code: number };

export class RestartPolicy {
  #quick = 0;

  /** The child made sure that what ended the earlier ones will not end another. */
  mended(): void {
    this.#quick = 0;
  }

  /** @param stopping whether the child was asked to end. */
  after(ended: Ended, stopping: boolean): Verdict {
    const { code, signal, livedMs } = ended;
    if (stopping)
      return { do: "end", code: code === 0 || signal === "SIGTERM" || signal === "SIGINT" ? 0 : 1 };
    if (code === 0) return { do: "end", code: 0 };
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
