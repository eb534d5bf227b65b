// Client watch
// Which processes of clients run on this machine, and that a session hears of it when its own has ended.
//
//   Owns:          who is watched, for which session; saying once that a process is gone.
//   Does not own:  asking the system (Processes), what the end of a process closes (machines).
//
// CLIENT-WATCH-1. A process is gone if nothing runs under its id, or another process does. Nothing is ever ended here.
// CLIENT-WATCH-2. What its hooks left behind is taken in before it is said to be gone: an end that the client reported
//     itself, and a new process of the same session, need no saying.
// CLIENT-WATCH-3. A process that was never seen alive here is not watched: its id may be of another machine.
// CLIENT-WATCH-4. Who is watched survives a restart of the engine; whoever went meanwhile is said to be gone then.
// CLIENT-WATCH-5. A session that several processes work in, as when a person resumes it twice, ends with the last of them.

import { z } from "zod";
import { jsonIn } from "../../machines/json.ts";
import { sessionAddress, type SessionId, type WorkspaceId } from "../../machines/index.ts";
import type { Engine } from "../engine/engine.ts";
import type { Clock } from "../ports.ts";
import { Reader } from "../reading/reader.ts";
import { pause } from "../wait-for.ts";
import { GATE_MS } from "./times.ts";

/** The machine's processes. */
export interface Processes {
  /** What no other process with this id has had or will have; undefined when none runs under it. */
  markOf(pid: number): string | undefined;
  /** When it was started, ms; undefined where the system does not say. */
  startedAt(pid: number): number | undefined;
  /** Whether the process of this mark still runs. It is asked often. */
  isSame(pid: number, mark: string): boolean;
}

/** Keeps a text across restarts. */
export interface Keeper {
  read(): Promise<string | undefined>;
  write(text: string): Promise<void>;
}

export interface ClientWatchOptions {
  readonly engine: Pick<Engine, "own" | "store">;
  readonly clock: Clock;
  readonly processes: Processes;
  readonly keeper: Keeper;
  /** Takes in what hooks have left behind, and waits until it is applied. */
  readonly settle: () => Promise<void>;
  readonly onError: (error: unknown) => void;
}

/** A process of a client, and a session of its own. */
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

  /** A hook of the session was run by this process. @param at when, ms. */
  heard({ workspace, session, pid }: Client, at: number): void {
    const client = { workspace, session, pid };
    if (pid <= 1 || this.#watched.has(keyOf(client))) return;
    const { processes } = this.#options;
    const mark = processes.markOf(pid);
    const startedAt = processes.startedAt(pid) ?? -Infinity;
    // CLIENT-WATCH-1: one that began after the hook had run is another process.
    if (mark === undefined || startedAt > at + GATE_MS.slack) return;
    this.#watched.set(keyOf(client), { ...client, mark });
    this.#isChanged = true;
  }

  /** After the engine's start, and after what hooks left behind was taken. */
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

  /** CLIENT-WATCH-5; by now, what a new process of the session left behind is taken in too. */
  #hasOthers({ workspace, session }: Client): boolean {
    return [...this.#watched.values()].some(
      (each) =>
        each.session === session &&
        each.workspace === workspace &&
        this.#options.processes.isSame(each.pid, each.mark),
    );
  }

  /** @throws RetryableError while the engine takes nothing in: it is told at the next look. */
  async #tell({ workspace, session }: Client): Promise<void> {
    const { engine } = this.#options;
    const reader = new Reader(engine.store);
    const found = reader.actor(sessionAddress(workspace, session));
    if (found === undefined || reader.session(found).state === "ended") return;
    await engine.own(workspace, session, { type: "process.gone" });
  }
}

const keyOf = ({ workspace, session, pid }: Client): string => `${workspace}/${session}/${pid}`;

/** What is no list of ours is none: whoever is watched is soon heard of again. */
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
