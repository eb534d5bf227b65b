// Tailer
// Follows the transcripts of sessions whose hooks name a transcript, and passes new lines on for sending.
//
//   Owns:          who may name a file, when each file is examined, the trouble for files that cannot be read.
//   Does not own:  reading (watched-file), sending (sending), which folders may be read (roots).
//
// TRANSCRIPTS-TAILER-1. A transcript's path is taken only from a hook of this machine's own user, for that hook's own session.
// TRANSCRIPTS-TAILER-2. Nothing waits for a file to be read: when a hook names a path, the path is only noted. At most two files
//     are read at a time, so that the engine keeps threads if a disk does not answer. (checked by review: a test would need a
//     disk that does not answer)
// TRANSCRIPTS-TAILER-3. While a file cannot be read, a trouble is reported, and reading is repeated. A refused file is reported
//     once.
//
// Why: docs/decisions/0042-transcripts-are-followed.md

import type { SourceMessage } from "../../runtime/message.ts";
import type { Quota } from "../../runtime/quota.ts";
import { RefusedError, RetryableError } from "../../runtime/errors/errors.ts";
import { codeOf, type Trouble } from "../../runtime/errors/trouble.ts";
import { Bell } from "./bell.ts";
import { Counts } from "./counts.ts";
import { Pace } from "./pace.ts";
import { type KeptFile, PlaceKeeper, type PlaceKeeping } from "./places.ts";
import { AGAIN_MS, Refused } from "./refused.ts";
import { type Opened, Roots } from "./roots.ts";
import { type Owner, Sending, type SendingOptions } from "./sending.ts";
import { transcriptTroubles } from "./trouble.ts";
import { WatchedFile } from "./watched-file.ts";
import { looked, ring, RING_MS, type Watched, WatchList } from "./watch-list.ts";

export interface TailerOptions extends Pick<SendingOptions, "door" | "client">, PlaceKeeping {
  readonly roots: readonly string[];
  /** Whether hooks that were sent with a token may name a file. @param by the name of the token's holder. */
  readonly mayName: (by: string) => boolean;
  /** Returns the present quota, which is the same for every workspace. */
  readonly quota: () => Quota;
  readonly onError: (error: unknown) => void;
}

const LOOKS_AT_ONCE = 2;
const TICK_MS = 100;
const FAILED_MS = 2_000;
const FOLDER_MS = 1_000;
const PRUNE_MS = 60_000;
/** For how many sessions the path of the main transcript is remembered, even after the file is no longer watched. */
const NAMED_MAX = 5_000;
const LIMITS = {
  pieceBytes: 256 * 1024,
  lineBytes: 8 * 1024 * 1024,
  lines: 250,
  historyBytes: 16 * 1024 * 1024,
};

export class Tailer {
  readonly #options: TailerOptions;
  readonly #list = new WatchList();
  readonly #counts = new Counts();
  readonly #around;
  readonly #pace: Pace;
  readonly #refused: Refused;
  readonly #keeper: PlaceKeeper;
  readonly #looks = new Set<Promise<void>>();
  /** The path of each session's main transcript; the path that was named last is at the end. */
  readonly #named = new Map<string, string>();
  #isOn = false;
  #cancel: () => void = () => undefined;
  #cancelSoon: (() => void) | undefined;
  #crowdedAt: number | undefined;
  #prunedAt = 0;

  constructor(options: TailerOptions) {
    const { roots, door, client, clock, quota } = options;
    this.#options = options;
    const counts = this.#counts;
    const sending = new Sending({ door, client, counts });
    this.#around = { roots: new Roots(roots), sending, counts, limits: LIMITS };
    this.#pace = new Pace(clock, quota);
    this.#refused = new Refused({ door, clock, counts });
    this.#keeper = new PlaceKeeper(options, () => Array.from(this.#list.all(), ({ file }) => file.kept));
  }

  /** Begins to read where the previous process stopped. Must not be called before the engine is ready. */
  async start(): Promise<void> {
    const now = this.#options.clock.monotonic();
    for (const kept of await this.#keeper.read()) this.#watch(kept, now);
    this.#isOn = true;
    this.#tick();
  }

  /** Ends all reading, and stores the places. */
  async stop(): Promise<void> {
    this.#isOn = false;
    this.#cancel();
    this.#cancelSoon?.();
    await Promise.all(this.#looks);
    await this.#keeper.stop();
    for (const { bell } of this.#list.all()) bell.close();
  }

  /** Called with each hook's message that the journal has: notes the files that it names. Never throws, and reads no file. */
  heard({ workspace, session, data }: SourceMessage, by: string): void {
    const { client, clock, mayName, onError } = this.#options;
    try {
      const naming = mayName(by) ? client.naming(data) : undefined;
      if (!naming) return;
      const { path, ofAgent, isEnd } = naming;
      const now = clock.monotonic();
      const owner = { workspace, session };
      this.#hear({ ...owner, path, isEnded: isEnd }, now);
      if (ofAgent !== undefined) this.#hear({ ...owner, path: ofAgent, main: path, isEnded: false }, now);
    } catch (error) {
      onError(error);
    }
  }

  /**
   * Opens a session's main transcript.
   * @returns undefined if no hook has named one, the file is missing, or it may not be read.
   */
  async open(workspace: string, session: string): Promise<Opened | undefined> {
    const path = this.#named.get(`${workspace}/${session}`);
    try {
      return path === undefined ? undefined : await this.#around.roots.open(path);
    } catch (error) {
      if (error instanceof RefusedError || error instanceof RetryableError) return undefined;
      this.#options.onError(error);
      return undefined;
    }
  }

  troubles(): readonly Trouble[] {
    const failing = Array.from(this.#list.all(), ({ failing }) => failing ?? []).flat();
    const places = this.#keeper.failing;
    const told = { failing, places, crowdedAt: this.#crowdedAt, refused: this.#refused.trouble };
    return transcriptTroubles(told, this.#options.clock.now());
  }

  counts(): Readonly<Record<string, number>> {
    return { signalbox_transcripts: this.#list.size, ...this.#counts.rows() };
  }

  #hear(kept: KeptFile, now: number): void {
    const key = keyOf(kept, kept.path);
    if (this.#refused.has(key)) return;
    const known = this.#list.get(key);
    if (known) known.file.isEnded = kept.isEnded;
    const watched = known ?? this.#watch(kept, now);
    if (watched) ring(watched, now);
    if (!known) this.#keeper.moved(0);
    if (this.#isOn) this.#next();
  }

  #watch(kept: KeptFile, now: number): Watched | undefined {
    if (kept.main === undefined) this.#remember(kept);
    const file = new WatchedFile(kept, this.#around);
    const bell = new Bell(() => {
      ring(watched, this.#options.clock.monotonic());
      this.#soon();
    });
    const times = { dueAt: now, heardAt: now, lookedAt: -Infinity, folderDueAt: now };
    const watched: Watched = { file, bell, ...times, isLooking: false, isGone: false, failing: undefined };
    if (this.#list.add(keyOf(kept, kept.path), watched, now)) return watched;
    this.#counts.file("crowded");
    this.#crowdedAt = this.#options.clock.now();
    return undefined;
  }

  #remember({ workspace, session, path }: KeptFile): void {
    const key = `${workspace}/${session}`;
    this.#named.delete(key);
    this.#named.set(key, path);
    const [oldest] = this.#named.keys();
    if (this.#named.size > NAMED_MAX && oldest !== undefined) this.#named.delete(oldest);
  }

  #tick(): void {
    this.#next();
    const { clock } = this.#options;
    const now = clock.monotonic();
    if (now - this.#prunedAt > PRUNE_MS) {
      this.#prunedAt = now;
      if (this.#list.prune(now)) this.#keeper.moved();
      if (this.#crowdedAt !== undefined && clock.now() - this.#crowdedAt > PRUNE_MS)
        this.#crowdedAt = undefined;
    }
    this.#keeper.look();
    this.#cancel = clock.after(TICK_MS, () => this.#tick());
  }

  /** Looks at the files that are due, and again after `RING_MS`. One timer serves all files, however often the system reports. */
  #soon(): void {
    this.#cancelSoon ??= this.#options.clock.after(RING_MS, () => {
      this.#cancelSoon = undefined;
      this.#next();
    });
    this.#next();
  }

  /** Looks at the files that are due, first at the file that has waited longest (TRANSCRIPTS-TAILER-2). */
  #next(): void {
    const now = this.#options.clock.monotonic();
    while (this.#isOn && this.#looks.size < LOOKS_AT_ONCE) {
      let next: Watched | undefined;
      for (const each of this.#list.all())
        if (!each.isLooking && each.dueAt <= now && each.dueAt < (next?.dueAt ?? Infinity)) next = each;
      if (!next) return;
      const look = this.#look(next).finally(() => {
        this.#looks.delete(look);
        this.#next();
      });
      this.#looks.add(look);
    }
  }

  async #look(watched: Watched): Promise<void> {
    const { clock } = this.#options;
    const { file, bell } = watched;
    const { path, workspace } = file.named;
    watched.isLooking = true;
    watched.dueAt = Infinity;
    const [before, since] = [file.kept.place, watched.heardAt];
    try {
      const look = await file.look();
      const rungAt = watched.heardAt;
      looked(watched, look, this.#pace.spend(workspace, look.load), clock.monotonic());
      if (rungAt > since && look.is !== "gone") ring(watched, rungAt);
      if (look.is !== "gone" && file.identity !== undefined) bell.watch(path, file.identity);
      if (file.kept.place !== before) this.#keeper.moved();
      if (file.named.main === undefined) await this.#lookForSubagents(watched);
    } catch (error) {
      await this.#failed(watched, error);
    } finally {
      watched.isLooking = false;
      watched.lookedAt = clock.monotonic();
    }
  }

  async #failed(watched: Watched, error: unknown): Promise<void> {
    const { named } = watched.file;
    const now = this.#options.clock.monotonic();
    if (error instanceof RefusedError) {
      // A file that was read before is checked again after a minute. Any other file is forgotten, and is checked again only if a
      // hook names it again (TRANSCRIPTS-REFUSED-1).
      if (watched.file.identity !== undefined) watched.dueAt = now + AGAIN_MS;
      else {
        this.#list.remove(keyOf(named, named.path));
        this.#keeper.moved();
      }
      await this.#refused.tell(keyOf(named, named.path), named.path, error);
    } else if (error instanceof RetryableError) {
      watched.dueAt = now + Math.min(error.retryAfterMs, FAILED_MS);
    } else {
      watched.failing = codeOf(error);
      watched.dueAt = now + FAILED_MS;
    }
  }

  async #lookForSubagents(watched: Watched): Promise<void> {
    const { client, clock } = this.#options;
    const { named, isEnded } = watched.file;
    const now = clock.monotonic();
    const folder = client.subagentsOf(named.path);
    if (watched.folderDueAt > now || this.#refused.has(keyOf(named, folder))) return;
    watched.folderDueAt = now + FOLDER_MS;
    try {
      for (const path of await this.#around.roots.list(folder, (name) => client.isSubagents(name)))
        if (!this.#list.get(keyOf(named, path)))
          this.#hear({ ...named, path, main: named.path, isEnded }, now);
    } catch (error) {
      if (!(error instanceof RefusedError)) throw error;
      await this.#refused.tell(keyOf(named, folder), folder, error);
    }
  }
}

const keyOf = ({ workspace, session }: Owner, path: string): string => `${workspace}/${session} ${path}`;
