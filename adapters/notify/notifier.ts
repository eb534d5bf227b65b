// Notifier
// Runs the user's command for each new approval that is still pending, and for each alarm: a call that ran although it should
// not have.
//
//   Owns:          which approvals get a command, how many run at once, when a command counts as failing, which approvers it is
//                  told.
//   Does not own:  a single run (command.ts), the approvals (runtime).
//
// NOTIFIER-1. For each pending approval, the command runs at most once, and once more each time a rule asks further approvers.
//     The command does not run for an approval that was pending already when the engine started, or that is answered while its
//     run waits for earlier runs.
// NOTIFIER-2. The engine never waits for a command. At most 4 commands run at the same time, and at most 1,000 approvals wait for
//     a run.
// NOTIFIER-3. The first failure of the command is logged, and a trouble is reported from then on. Once a run succeeds, the
//     trouble ends, and the next failure is logged again.
// NOTIFIER-4. The command runs when an alarm is raised, not when later evidence about the call takes the alarm back.
// NOTIFIER-5. The command of a new approval gets the names of the approvers whom a rule asks at once. If the rule asks another
//     approver only later, the command runs again with that approver's name when the time comes, once while the engine runs.

import { type ApprovalView, CLEARED } from "../../runtime/rows/views.ts";
import type { Clock } from "../../runtime/ports.ts";
import type { Trouble } from "../../runtime/errors/trouble.ts";
import type { StateChange } from "../../runtime/rows/changes.ts";
import type { Engine } from "../../runtime/engine/engine.ts";
import type { Queries } from "../../runtime/reading/queries.ts";
import { NotifyRun, variablesOf } from "./command.ts";

interface NotifierOptions {
  readonly engine: Engine;
  readonly queries: Pick<Queries, "getApproval">;
  readonly clock: Pick<Clock, "now">;
  /** The command, as text for the shell. */
  readonly command: string;
  readonly onFailing: (why: string) => void;
  readonly limitMs?: number;
}

interface Due {
  readonly change: StateChange;
  /** The users whom a rule asks about the approval now, and did not ask before. */
  readonly next?: readonly string[];
}

const RUNNING_MAX = 4;
const WAITING_MAX = 1_000;

export class Notifier {
  readonly #options: NotifierOptions;
  readonly #waiting: Due[] = [];
  readonly #asked = new AskedNext();
  readonly #running = new Set<NotifyRun>();
  readonly #unsubscribe: () => void;
  #isStarted = false;
  #failing: { readonly why: string; readonly since: number } | undefined;

  constructor(options: NotifierOptions) {
    this.#options = options;
    this.#unsubscribe = options.engine.onChanges((changes) => this.#take(changes));
  }

  /** Starts running commands. Called when the engine has read its journal: it then knows which approvals are answered. */
  start(): void {
    this.#isStarted = true;
    this.#next();
  }

  troubles(): readonly Trouble[] {
    if (!this.#failing) return [];
    const { why, since } = this.#failing;
    const message = `The command that announces new approvals fails: ${why}.`;
    const next =
      "Run the command by hand, with SIGNALBOX_APPROVAL_ID and SIGNALBOX_SESSION set: see docs/how-to/away.md. The engine runs the command again with the next approval.";
    return [{ code: "NOTIFY_FAILS", message, next, since, isEssential: false }];
  }

  /** Drops commands that wait, and ends commands that run. */
  async stop(): Promise<void> {
    this.#unsubscribe();
    this.#isStarted = false;
    this.#waiting.length = 0;
    const running = [...this.#running];
    for (const run of running) run.end();
    await Promise.all(running.map(({ ended }) => ended));
  }

  #take(changes: readonly StateChange[]): void {
    const asked = changes.flatMap((change): readonly Due[] => {
      const { entity, to } = change;
      if (entity === "alarm") return to === CLEARED ? [] : [{ change }];
      if (entity !== "approval") return [];
      const next = this.#asked.of(change);
      if (to === "pending") return [{ change }];
      return next.length === 0 ? [] : [{ change, next }];
    });
    if (asked.length === 0) return;
    const room = WAITING_MAX - this.#waiting.length;
    this.#waiting.push(...asked.slice(0, room));
    if (asked.length > room) this.#fails("too many approvals wait for it");
    // Starting a process takes time: the callers who wait for this commit get their answers first.
    if (this.#isStarted) setImmediate(() => this.#next());
  }

  #next(): void {
    while (this.#isStarted && this.#running.size < RUNNING_MAX) {
      const due = this.#waiting.shift();
      if (!due) return;
      try {
        const { change, next } = due;
        const { id, workspace, entity, at } = change;
        if (entity === "alarm") this.#run(change);
        else {
          // A rule adds the approvers' names in the commit that requests the approval, so the approval has them already.
          const approval = this.#options.queries.getApproval(id, { workspace });
          if (approval?.state === "pending") this.#run(change, next ?? askedAt(approval, at));
        }
      } catch (error) {
        this.#fails(error instanceof Error && "code" in error ? String(error.code) : "it could not be run");
      }
    }
  }

  #run(change: StateChange, approvers: readonly string[] = []): void {
    const run = new NotifyRun(
      this.#options.command,
      variablesOf({ change, approvers }),
      this.#options.limitMs,
    );
    this.#running.add(run);
    void run.ended.then((why) => {
      this.#running.delete(run);
      if (why === undefined) this.#failing = undefined;
      else this.#fails(why);
      this.#next();
    });
  }

  #fails(why: string): void {
    if (this.#failing || !this.#isStarted) return;
    this.#failing = { why, since: this.#options.clock.now() };
    this.#options.onFailing(why);
  }
}

type Timed = Pick<ApprovalView, "askedAt" | "demands">;

/** The users whom the rules' demands ask about an approval at a time. @param at ms. */
const askedAt = ({ demands = [] }: Timed, at: number): readonly string[] => [
  ...new Set(
    demands.flatMap(({ approvers = [] }) =>
      approvers.filter(({ fromAt }) => fromAt <= at).map(({ name }) => name),
    ),
  ),
];

class AskedNext {
  readonly #told = new Map<string, readonly string[]>();

  /** @returns the users whom a rule asks about the approval now, and did not ask before. */
  of({ id, workspace, at, view }: StateChange): readonly string[] {
    const key = `${workspace}/${id}`;
    // The cast is safe: the view in an approval's change is an approval's view (runtime/rows/changes).
    const approval = view as ApprovalView;
    if (approval.state !== "pending") {
      this.#told.delete(key);
      return [];
    }
    const told = this.#told.get(key) ?? askedAt(approval, approval.askedAt);
    const next = askedAt(approval, at).filter((name) => !told.includes(name));
    if (next.length > 0) this.#told.set(key, [...told, ...next]);
    return next;
  }
}
