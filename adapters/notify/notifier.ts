// Notifier
// Runs the user's command for each new approval that is still pending, and for each alarm that is raised.
//
//   Owns:          which approvals get a command, how many run at once, when a failure is logged.
//   Does not own:  one run (command.ts), the approvals (runtime).
//
// NOTIFIER-1. Each approval gets at most one command, and only while it is pending: none that was pending before a
//     restart, none that was answered before its command could run.
// NOTIFIER-2. The engine waits for no command: at most 4 run at once, at most 1,000 approvals wait for theirs.
// NOTIFIER-3. A failing command is logged once, and again only after it has worked.
// NOTIFIER-4. An alarm gets its command when it is raised; one that is taken back gets none.

import { CLEARED } from "../../runtime/rows/views.ts";
import type { StateChange } from "../../runtime/rows/changes.ts";
import type { Engine } from "../../runtime/engine/engine.ts";
import type { Queries } from "../../runtime/reading/queries.ts";
import { NotifyRun } from "./command.ts";

interface NotifierOptions {
  readonly engine: Engine;
  readonly queries: Pick<Queries, "getApproval">;
  /** For the shell. */
  readonly command: string;
  /** Called when the command begins to fail. */
  readonly onFailing: (why: string) => void;
  readonly limitMs?: number;
}

const RUNNING_MAX = 4;
const WAITING_MAX = 1_000;

export class Notifier {
  readonly #options: NotifierOptions;
  readonly #waiting: StateChange[] = [];
  readonly #running = new Set<NotifyRun>();
  readonly #unsubscribe: () => void;
  #isStarted = false;
  #isFailing = false;

  /** Listens for approvals from now on, including those an engine finds in its journal when it starts. */
  constructor(options: NotifierOptions) {
    this.#options = options;
    this.#unsubscribe = options.engine.onChanges((changes) => this.#take(changes));
  }

  /**
   * Starts running commands: once the engine has read its journal, so that answered approvals are known to be answered.
   */
  start(): void {
    this.#isStarted = true;
    this.#next();
  }

  /** Forgets what waits and ends what runs. */
  async stop(): Promise<void> {
    this.#unsubscribe();
    this.#isStarted = false;
    this.#waiting.length = 0;
    const running = [...this.#running];
    for (const run of running) run.end();
    await Promise.all(running.map(({ ended }) => ended));
  }

  #take(changes: readonly StateChange[]): void {
    const asked = changes.filter(
      ({ entity, to }) =>
        (entity === "approval" && to === "pending") || (entity === "alarm" && to !== CLEARED),
    );
    if (asked.length === 0) return;
    const room = WAITING_MAX - this.#waiting.length;
    this.#waiting.push(...asked.slice(0, room));
    if (asked.length > room) this.#fails("too many approvals wait for it");
    // Starting a process takes time: not between a commit and those who wait for it.
    if (this.#isStarted) setImmediate(() => this.#next());
  }

  #next(): void {
    while (this.#isStarted && this.#running.size < RUNNING_MAX) {
      const approval = this.#waiting.shift();
      if (!approval) return;
      try {
        const { id, workspace, entity } = approval;
        if (entity === "alarm") this.#run(approval);
        else if (this.#options.queries.getApproval(id, { workspace })?.state === "pending")
          this.#run(approval);
      } catch (error) {
        this.#fails(error instanceof Error && "code" in error ? String(error.code) : "it could not be run");
      }
    }
  }

  #run(approval: StateChange): void {
    const run = new NotifyRun(this.#options.command, approval, this.#options.limitMs);
    this.#running.add(run);
    void run.ended.then((why) => {
      this.#running.delete(run);
      if (why === undefined) this.#isFailing = false;
      else this.#fails(why);
      this.#next();
    });
  }

  #fails(why: string): void {
    if (this.#isFailing || !this.#isStarted) return;
    this.#isFailing = true;
    this.#options.onFailing(why);
  }
}
