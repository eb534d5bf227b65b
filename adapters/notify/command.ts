// Command
// Runs a command of the user's for one piece of news, which the command's environment describes.
//
//   Owns:          the process, its environment, its time limit.
//   Does not own:  when it runs, how many at once (notifier.ts).
//
// NOTIFY-COMMAND-1. For an approval or alarm, the command gets only ids: no part of a tool's input, no free text. It never gets
//     the engine's secrets.
// NOTIFY-COMMAND-2. The command, and everything it started in its process group, ends within its time limit.
// NOTIFY-COMMAND-3. The command ends with the engine, however the engine ends.

import { type ChildProcess, spawn } from "node:child_process";
import type { Writable } from "node:stream";
import { isId } from "../../machines/index.ts";
import type { StateChange } from "../../runtime/rows/changes.ts";
import type { AlarmView, ApprovalView } from "../../runtime/rows/views.ts";

export interface Told {
  readonly change: StateChange;
  /** The users whom rules ask about the approval now. */
  readonly approvers: readonly string[];
}

const LIMIT_MS = 10_000;
/**
 * The shell's preparation for the user's command: a process of the group reads from descriptor 3, whose other end only the engine
 * has. If a line comes, the command has ended. If descriptor 3 ends without a line, the engine has ended: the group is killed.
 */
const GUARDED = '{ read _ <&3 || kill -9 -$$; } & exec 3<&-; exec /bin/sh -c "$1"';

export class NotifyRun {
  /** Why the command failed; undefined if it succeeded. */
  readonly ended: Promise<string | undefined>;
  readonly #child: ChildProcess;

  /**
   * @param command the command for the shell. @param variables its environment. @param limitMs the command is ended after this
   *   time.
   */
  constructor(command: string, variables: Readonly<Record<string, string>>, limitMs = LIMIT_MS) {
    // The shell leads its own process group, so that the programs it starts can be ended with it.
    const child = spawn("/bin/sh", ["-c", GUARDED, "sh", command], {
      env: { ...inherited(), ...variables },
      stdio: ["ignore", "ignore", "ignore", "pipe"],
      detached: true,
    });
    this.#child = child;
    const guard = child.stdio[3] as Writable | null | undefined;
    // If the shell's process group was killed, nobody reads what is written here.
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

/** The environment without the engine's own variables. */
const inherited = (): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("SIGNALBOX_")));

/** The variables that tell the command what has happened (NOTIFY-COMMAND-1). */
export function variablesOf({ change, approvers }: Told): Readonly<Record<string, string>> {
  const { entity, id, to, sessionId, workspace, view } = change;
  // An approval's change has an approval's view, an alarm's change an alarm's view.
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
