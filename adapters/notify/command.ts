// Command
// One run of the user's command, told of one approval by its environment.
//
//   Owns:          the process, its environment, its time limit.
//   Does not own:  when it runs, how many at once (notifier.ts).
//
// NOTIFY-COMMAND-1. The command is told ids only: nothing of a tool's input, no free text, none of the engine's own
//     secrets.
// NOTIFY-COMMAND-2. It ends within its time, and all it started in its process group with it.
// NOTIFY-COMMAND-3. It ends with the engine, however that ends.

import { type ChildProcess, spawn } from "node:child_process";
import type { Writable } from "node:stream";
import { isId } from "../../machines/index.ts";
import type { StateChange } from "../../runtime/rows/changes.ts";
import type { ApprovalView } from "../../runtime/rows/views.ts";

const LIMIT_MS = 10_000;
/**
 * What the shell runs before it becomes the user's command: one of the group listens at descriptor 3, which the engine
 * alone holds at its other end. A line there says that the command is over; its end, that the engine is.
 */
const GUARDED = '{ read _ <&3 || kill -9 -$$; } & exec 3<&-; exec /bin/sh -c "$1"';

export class NotifyRun {
  /** Why it failed; undefined when it did what it was asked to. */
  readonly ended: Promise<string | undefined>;
  readonly #child: ChildProcess;

  /** @param command for the shell. @param limitMs after which it is ended. */
  constructor(command: string, approval: StateChange, limitMs = LIMIT_MS) {
    // A group of its own, so that what the shell starts ends with it.
    const child = spawn("/bin/sh", ["-c", GUARDED, "sh", command], {
      env: environmentOf(approval),
      stdio: ["ignore", "ignore", "ignore", "pipe"],
      detached: true,
    });
    this.#child = child;
    const guard = child.stdio[3] as Writable | null | undefined;
    // A group that was killed has nobody left to read.
    guard?.on("error", () => undefined);
    this.ended = new Promise((resolve) => {
      let isLate = false;
      const late = setTimeout(() => {
        isLate = true;
        this.end();
      }, limitMs);
      const over = (why: string | undefined): void => {
        clearTimeout(late);
        guard?.end("\n");
        resolve(isLate ? `it took longer than ${limitMs} ms` : why);
      };
      child.once("error", (error) => over("code" in error ? String(error.code) : error.name));
      child.once("exit", (code, signal) =>
        over(code === 0 ? undefined : `it ended with ${signal ?? `exit code ${code ?? "unknown"}`}`),
      );
    });
  }

  end(): void {
    const { pid } = this.#child;
    if (pid === undefined) return;
    try {
      process.kill(-pid, "SIGKILL");
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
    }
  }
}

function environmentOf({ id, sessionId, workspace, view }: StateChange): NodeJS.ProcessEnv {
  // The view of a change of an approval is an approval's.
  const { tool } = view as ApprovalView;
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith("SIGNALBOX_"));
  return {
    ...Object.fromEntries(inherited),
    SIGNALBOX_APPROVAL_ID: id,
    SIGNALBOX_SESSION: sessionId,
    SIGNALBOX_WORKSPACE: workspace,
    ...(isId(tool) && { SIGNALBOX_TOOL: tool }),
  };
}
