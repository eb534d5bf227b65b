// Client watch
// Watches which client processes run on this machine. When a process ends, reports this to the session of the process.
//
//   Owns:          the list of watched processes and their sessions; reporting once that a process has ended.
//   Does not own:  the system's list of processes (Processes), what is closed when a process ends (machines).
//
// CLIENT-WATCH-1. A process counts as ended if no process has its id any more, or if another process has this id. The engine
//     itself never ends a client's process.
// CLIENT-WATCH-2. Before the engine reports the end of a process, it takes in the messages that the hooks of the process left
//     behind. Nothing is reported if the client reported its end itself, or if a new process works in the same session.
// CLIENT-WATCH-3. A process that the engine never saw alive on this machine is not watched, because its id may be of a process on
//     another machine.
// CLIENT-WATCH-4. The list of watched processes survives a restart of the engine. After the restart the engine reports the
//     processes that ended meanwhile.
// CLIENT-WATCH-5. If several processes work in one session (a person resumed it twice), the session ends with the last of them.

import { z } from "zod";
import { jsonIn } from "../../machines/json.ts";
import { sessionAddress, type SessionId, type WorkspaceId } from "../../machines/index.ts";
import type { Engine } from "../engine/engine.ts";
import type { Clock } from "../ports.ts";
import { Reader } from "../reading/reader.ts";
import { pause } from "../wait-for.ts";
import { GATE_MS } from "./times.ts";

export interface Processes {
  /** A text that identifies the process with this id among all earlier and later processes; undefined if no such process runs. */
  markOf(pid: number): string | undefined;
  /** When the process was started, ms; undefined if the system does not say. */
  startedAt(pid: number): number | undefined;
  /** True if the process with this id still runs and has this mark. Called often. */
  isSame(pid: number, mark: string): boolean;
}

export interface Keeper {
  read(): Promise<string | undefined>;
  write(text: string): Promise<void>;
}

export interface ClientWatchOptions {
  readonly engine: Pick<Engine, "own" | "store">;
  readonly clock: Clock;
  readonly processes: Processes;
  readonly keeper: Keeper;
  /** Takes the messages that hooks left behind, and waits until they are applied. */
  readonly settle: () => Promise<void>;
  readonly onError: (error: unknown) => void;
}

export interface Client {
  readonly workspace: WorkspaceId;
  readonly session: SessionId;
  readonly pid: number;
}

interface Watched extends Client {
  readonly mark: string;
}

const KEPT_MAX = 4_096;

export class ClientWatch {
  readonly #options: ClientWatchOptions;
  readonly #watched = new Map<string, Watched>();
  readonly #over = new AbortController();
  #working: Promise<void> = Promise.resolve();
  #isChanged = false;

  constructor(options: ClientWatchOptions) {
    this.#options = options;
  }

  /** Notes that this process ran a hook of the session. @param at when it ran the hook, ms. */
  heard({ workspace, session, pid }: Client, at: number): void {
    const client = { workspace, session, pid };
    if (pid <= 1 || this.#watched.has(keyOf(client))) return;
    const { processes } = this.#options;
    const mark = processes.markOf(pid);
    const startedAt = processes.startedAt(pid) ?? -Infinity;
    // CLIENT-WATCH-1: a process that started after the hook ran cannot be the client that ran the hook.
    if (mark === undefined || startedAt > at + GATE_MS.slack) return;
    this.#watched.set(keyOf(client), { ...client, mark });
    this.#isChanged = true;
  }

  /** Begins to watch. Must be called after the engine's start, once the messages that hooks left behind were taken. */
  async start(): Promise<void> {
    for (const each of watchedIn(await this.#options.keeper.read()))
      if (!this.#watched.has(keyOf(each))) this.#watched.set(keyOf(each), each);
    this.#working = this.#run();
  }

  async stop(): Promise<void> {
    this.#over.abort();
    await this.#working;
  }

  async #run(): Promise<void> {
    const { clock, onError } = this.#options;
    while ((await pause({ clock, ms: GATE_MS.look }, this.#over.signal)) === "late")
      await this.#look().catch(onError);
  }

  async #look(): Promise<void> {
    const { processes, settle, keeper } = this.#options;
    const gone = [...this.#watched].filter(([, { pid, mark }]) => !processes.isSame(pid, mark));
    if (gone.length > 0) await settle();
    for (const [key, each] of gone) {
      if (!this.#hasOthers(each)) await this.#tell(each);
      this.#watched.delete(key);
      this.#isChanged = true;
    }
    if (!this.#isChanged) return;
    this.#isChanged = false;
    await keeper.write(`${JSON.stringify([...this.#watched.values()].slice(-KEPT_MAX))}\n`);
  }

  /**
   * CLIENT-WATCH-5: true if another process works in the session. Messages that this other process left behind have been taken
   * by now.
   */
  #hasOthers({ workspace, session }: Client): boolean {
    return [...this.#watched.values()].some(
      (each) =>
        each.session === session &&
        each.workspace === workspace &&
        this.#options.processes.isSame(each.pid, each.mark),
    );
  }

  /**
   * Reports that the client's process has ended.
   * @throws RetryableError while the engine takes no messages; the next check then reports the end.
   */
  async #tell({ workspace, session }: Client): Promise<void> {
    const { engine } = this.#options;
    const reader = new Reader(engine.store);
    const found = reader.actor(sessionAddress(workspace, session));
    if (found === undefined || reader.session(found).state === "ended") return;
    await engine.own(workspace, session, { type: "process.gone" });
  }
}

const keyOf = ({ workspace, session, pid }: Client): string => `${workspace}/${session}/${pid}`;

/**
 * Reads the list of watched processes. Any other text counts as an empty list; the next hook of a process then adds the process
 * again.
 */
function watchedIn(text: string | undefined): readonly Watched[] {
  const list = jsonIn(text);
  return Array.isArray(list) ? list.filter(isWatched) : [];
}

const WATCHED = z.object({
  workspace: z.string(),
  session: z.string(),
  pid: z.int().min(2),
  mark: z.string(),
});
const isWatched = (value: unknown): value is Watched => WATCHED.safeParse(value).success;
