// Serve
// Runs the engine in a process of its own: starts it, reports to the supervisor, and ends when the supervisor asks.
//
//   Owns:          the signals that the engine's process gets, how a failed start is reported.
//   Does not own:  starting the engine's process again (supervisor), what the engine does (compose).
//
// SERVE-1. If the engine's start fails, the process reports why. The process exits with FAILED if another start may succeed,
//     otherwise with REFUSED.
// SERVE-3. If the journal says that the owner has ended its term, the engine's process ends in order, so that the next process
//     can run another version (runtime/cluster/seam). If the engine was started with --follow, the supervisor starts it again.
// SERVE-2. If the running engine fails, its process exits with FAILED, or with REFUSED if another start would not help. The
//     process first reports why, except if the store failed: then it exits at once.

import { once } from "node:events";
import type { Context } from "./command.ts";
import { reasonText, reasonOf } from "./failures/failure.ts";
import { type Note, tellSupervisor } from "./supervisor/child.ts";
import { FAILED, HANDED_OVER, REFUSED } from "./supervisor/policy.ts";
import type { Running, Serving } from "./wiring.ts";

const LASTING: ReadonlySet<string> = new Set(["JOURNAL_REGRESSED", "HISTORY_DIFFERS", "BUILD_DIFFERS"]);
/** After this time, ms, the process ends even if it could not report why. */
const LAST_WORD_MS = 1_000;

export async function serve(serving: Serving, context: Context): Promise<number> {
  const { wiring, terminal } = context;
  const tell = async (note: Note): Promise<void> => {
    if (process.send) await tellSupervisor(note);
    else if (note.type === "ready") terminal.out(`Signalbox runs at ${note.url}.`);
    else if (note.type === "lost") terminal.err(note.reason);
    else terminal.err(reasonText(note));
  };
  const stopped = askedToStop();
  let [running, code]: [Running | undefined, number] = [undefined, 0];
  let ending: Promise<void> | undefined;
  try {
    running = await wiring.serve({
      ...serving,
      onWaiting: (reason, next) => void tell({ type: "waiting", reason, next }),
      onMended: (reason, next) => void tell({ type: "mended", reason, next }),
      onWarning: (reason) => void tell({ type: "warning", reason, next: "" }),
      onFatal(error, end) {
        if (!isTermEnded(error)) return void (ending = endFor(error, tell, end));
        code = serving.follow === undefined ? 0 : HANDED_OVER;
        stopped.stop();
      },
      onHandOver(next) {
        if (next === "stands by") code = HANDED_OVER;
        stopped.stop();
      },
      signal: stopped.signal,
    });
  } catch (error) {
    await ending;
    if (stopped.signal.aborted) return leave(code);
    if (mayGoBy(error)) {
      await tell({ type: "waiting", ...reasonOf(error) });
      return leave(FAILED);
    }
    await tell({ type: "refused", ...reasonOf(error) });
    return leave(REFUSED);
  }
  if (running.lost) await tell({ type: "lost", ...running.lost, missing: [...running.lost.missing] });
  await tell({ type: "ready", url: running.url });
  await stopped.promise;
  await running.stop();
  return leave(code);
}

async function endFor(
  error: Error,
  tell: (note: Note) => Promise<void>,
  end: (code: number) => void,
): Promise<void> {
  const code = "code" in error ? String(error.code) : "";
  if (code.startsWith("STORE_")) {
    end(FAILED);
    return;
  }
  const isLasting = LASTING.has(code);
  const exitCode = isLasting ? REFUSED : FAILED;
  setTimeout(() => end(exitCode), LAST_WORD_MS);
  // Only messages of Signalbox's own errors are printed: the message of any other error may quote what a caller sent.
  const { reason, next } =
    "obligation" in error
      ? reasonOf(error)
      : { reason: `it met an error of its own (${error.name})`, next: "" };
  await tell({ type: isLasting ? "refused" : "failed", reason, next });
  end(exitCode);
}

/** Ends the process even if the channel to the supervisor, or a connection that is still being made, keeps it alive. */
function leave(code: number): number {
  if (process.connected) process.disconnect();
  setTimeout(() => process.exit(code), LAST_WORD_MS).unref();
  return code;
}

function askedToStop(): {
  readonly signal: AbortSignal;
  readonly promise: Promise<unknown>;
  readonly stop: () => void;
} {
  const stop = new AbortController();
  const promise = once(stop.signal, "abort");
  const end = (): void => stop.abort();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, end);
  process.once("disconnect", end);
  return { signal: stop.signal, promise, stop: end };
}

const isTermEnded = (error: Error): boolean => "code" in error && error.code === "TERM_ENDED";

const mayGoBy = (error: unknown): boolean =>
  error instanceof Error && "obligation" in error && error.obligation === "retry";
