// Command
// Runs a command of the user's for one event: a pending approval, or an alarm (a call that ran although it should not have).
// Environment variables tell the command which approval or alarm it is for.
//
//   Owns:          the process, the process's environment, its time limit.
//   Does not own:  when the command runs, how many run at the same time (notifier.ts).
//
// NOTIFY-COMMAND-1. The command gets only the ids of an approval or alarm: no part of an input, no free text, no secret of the
//     engine.
// NOTIFY-COMMAND-2. The command, and everything it started in its process group, ends within its time limit.
// NOTIFY-COMMAND-3. The command ends with the engine, however the engine ends.

import { type ChildProcess, spawn } from "node:child_process";
import type { Writable } from "node:stream";
import { isId } from "../../machines/index.ts";
import { isCode } from "../../runtime/errors/system-codes.ts";
import type { StateChange } from "../../runtime/rows/changes.ts";
import type { AlarmView, ApprovalView } from "../../runtime/rows/views.ts";

export interface Told {
  readonly change: StateChange;
  /** The users whom a rule asks now to answer the approval. */
  readonly approvers: readonly string[];
}

const LIMIT_MS = 10_000;
/**
 * Runs the command beside a guard process that reads descriptor 3. If the guard gets a line, the command has ended, and the
 * guard ends, too. If the descriptor is closed without a line, the engine has ended, and the guard kills the process group.
 */
const GUARDED = '{ read _ <&3 || kill -9 -$$; } & exec 3<&-; exec /bin/sh -c "$1"';

export class NotifyRun {
  /** Why the command failed; undefined if it succeeded. */
  readonly ended: Promise<string | undefined>;
  readonly #child: ChildProcess;

  constructor(command: string, variables: Readonly<Record<string, string>>, limitMs = LIMIT_MS) {
    // The shell leads its own process group, so that the programs that it starts can be ended together with it.
    const child = spawn("/bin/sh", ["-c", GUARDED, "sh", command], {
      env: { ...inherited(), ...variables },
      stdio: ["ignore", "ignore", "ignore", "pipe"],
      detached: true,
    });
    this.#child = child;
    const guard = child.stdio[3] as Writable | null | undefined;
    // Once the process group is killed, nobody reads the guard's pipe any more, so an error in writing to it is ignored.
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
      if (!isCode(error, "ESRCH")) throw error;
    }
  }
}

const inherited = (): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("SIGNALBOX_")));

/** The variables that tell the command what has happened (NOTIFY-COMMAND-1). */
export function variablesOf({ change, approvers }: Told): Readonly<Record<string, string>> {
  const { entity, id, to, sessionId, workspace, view } = change;
  // The casts are safe: an approval's change has an approval's view, and an alarm's change has an alarm's view.
  const { tool } = view as ApprovalView | AlarmView;
  const names = approvers.filter(isId);
  return {
    ...(entity === "alarm" ? { SIGNALBOX_ALARM: to, SIGNALBOX_CALL_ID: id } : { SIGNALBOX_APPROVAL_ID: id }),
    SIGNALBOX_SESSION: sessionId,
    SIGNALBOX_WORKSPACE: workspace,
    ...(isId(tool) && { SIGNALBOX_TOOL: tool }),
    ...(names.length > 0 && { SIGNALBOX_APPROVERS: names.join(",") }),
  };
}
