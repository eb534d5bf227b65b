// Outlet publisher
// Publishes changes and dead letters. When the engine begins to publish, it also publishes one report of the requests and
// approvals that are open (recovery).
//
//   Owns:          the published form and the floor of each log; publishing the report after a start; the troubles about
//                  unpublished rows.
//   Does not own:  order and repetition (outbox), shorter forms (shorter), storing floors (maintenance), the outlet (adapters).
//
// OUTLET-PUBLISHER-1. The engine never waits for the outlet: a row that the outlet does not accept stays in its log until it is
//     published.
// OUTLET-PUBLISHER-2. A row that is too long for the outlet is published in a shorter form, with the same id and version.
// OUTLET-PUBLISHER-3. The engine reports each row that is not published, and what to do about it. The engine gives up no row
//     silently.
// OUTLET-PUBLISHER-4. If a tool input in a change does not match its hash, the change is published without the input, and says
//     that the input is damaged.
// OUTLET-PUBLISHER-5. If a store has begun a new change log, each published change and its id contain the new log's name. So no
//     reader confuses the changes of the new log with those of an earlier log.

import type { Leaving } from "./log-rows.ts";
import { defined, sessionAddress, type SessionId, type WorkspaceId } from "../../machines/index.ts";
import { BackOff } from "./back-off.ts";
import { checkedChange } from "../rows/change-log.ts";
import { messageIdOf, type StateChange } from "../rows/changes.ts";
import { type DeadLetter, outgoingLetter, wholeLetter } from "../rows/dead-letters.ts";
import { RefusedError } from "../errors/errors.ts";
import { keys } from "../rows/keys.ts";
import { countedOf } from "../rows/ledger.ts";
import { logOf, type Meta } from "../rows/meta.ts";
import { Outbox } from "./outbox.ts";
import type { Readable } from "../rows/overlay.ts";
import type { Clock, Notice, Outlet, Store } from "../ports.ts";
import type { Recovered } from "./recovery.ts";
import { formsOfChange, formsOfLetter } from "./shorter.ts";
import { subjects } from "../rows/subjects.ts";
import { codeOf, nextOf, type Trouble } from "../errors/trouble.ts";
import { decodeTurnChanges } from "../rows/turn-changes.ts";

/** How far each log was published, by the key of its row. */
export type Floors = ReadonlyMap<string, number>;

type Durable = Pick<Meta, "changes" | "deads">;

export interface OutletEvents {
  /** Called when the outlet has taken more rows. */
  readonly moved: () => void;
  /** Called with an unreadable row, which is skipped. */
  readonly unreadable: (key: string, cause: unknown) => void;
}

export class OutletPublisher {
  readonly #outlet: Outlet | undefined;
  readonly #clock: Clock;
  /** The name that the change log and the log of dead letters have in common. */
  readonly #log: string;
  readonly #backOff: BackOff;
  readonly #changes: Outbox<StateChange> | undefined;
  readonly #letters: Outbox<DeadLetter> | undefined;
  #durable: Durable;
  #stopped = false;

  /** @param rows the store's rows, with the stored floors. @param meta the meta row at the start. */
  constructor(
    ports: { readonly store: Store; readonly clock: Clock; readonly outlet?: Outlet | undefined },
    rows: Readable,
    meta: Meta,
    news: OutletEvents,
  ) {
    const { store, clock, outlet } = ports;
    const { log, changes, changesFrom, deads } = meta;
    this.#outlet = outlet;
    this.#clock = clock;
    this.#log = logOf(meta);
    this.#backOff = new BackOff(clock);
    this.#durable = { changes, deads };
    if (!outlet) return;
    const kept = (key: string): number => Number(rows.get(key) ?? 0);
    const changesFloor = { published: Math.max(changesFrom, kept(keys.published)), durable: changes };
    const leaving = changesBy(outlet, { countedIn: rows, log });
    this.#changes = new Outbox(store, leaving, clock, changesFloor, news);
    const posting = lettersBy(outlet, this.#log);
    if (!posting) return;
    const lettersFloor = { published: kept(keys.posted), durable: deads };
    this.#letters = new Outbox(store, posting, clock, lettersFloor, news);
  }

  /** The number up to which the outlet needs no more changes, so that the engine may remove them. */
  get published(): number {
    return this.#changes?.published ?? this.#durable.changes;
  }

  get waiting(): number {
    return this.#changes?.waiting ?? 0;
  }

  /** The troubles that say which logs are not published, and why (OUTLET-PUBLISHER-3). */
  troubles(): readonly Trouble[] {
    return [
      ...(this.#changes ? hindrances("changes", this.#changes, this.#clock) : []),
      ...(this.#letters ? hindrances("letters", this.#letters, this.#clock) : []),
      ...(this.#outlet?.troubles?.() ?? []),
    ];
  }

  floors(): Floors {
    const floors = new Map<string, number>();
    if (this.#changes) floors.set(keys.published, this.#changes.published);
    if (this.#letters) floors.set(keys.posted, this.#letters.published);
    return floors;
  }

  advance({ changes, deads }: Durable): void {
    this.#durable = { changes, deads };
    this.#changes?.advance(changes);
    this.#letters?.advance(deads);
  }

  /** Publishes the report of a start, and tries again until the outlet has it. */
  report(recovered: Recovered): void {
    if (!this.#outlet?.notify) return;
    const whole = { incarnation: this.#log, ...recovered };
    const bodies = [whole, { ...whole, oldest: [] }].map((body) => JSON.stringify(body));
    void this.#tell(bodies.map((body) => ({ subject: subjects.recovered, body })));
  }

  /** Stops after the rows that are being sent; the next start sends the later rows, and makes its own report. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#backOff.stop();
    await Promise.all([this.#changes?.stop(), this.#letters?.stop()]);
  }

  async #tell(notices: readonly Notice[]): Promise<void> {
    while (!this.#stopped) {
      try {
        await shortest(notices, async (notice) => this.#outlet?.notify?.(notice));
        return;
      } catch {
        // The failure is not reported here: the outlet's troubles already name it, and the stats show the unsent notice.
        await this.#backOff.pause();
      }
    }
  }
}

interface Leavers {
  /** The store with the rows in which each session's changes are counted. */
  readonly countedIn?: Readable;
  /** The name of the log, if it was begun again. */
  readonly log?: string | undefined;
}

/** How changes are published: the changes of each session in the order of their versions. */
export function changesBy(outlet: Outlet, { countedIn, log }: Leavers = {}): Leaving<StateChange> {
  return {
    key: keys.change,
    rowsIn: (text) => decodeTurnChanges(text).changes,
    lineOf: ({ workspace, sessionId }) => `${workspace}/${sessionId}`,
    versionOf: ({ version }) => version,
    async lastVersion({ workspace, sessionId }) {
      const last = await outlet.lastVersion(workspace, sessionId, log);
      if (!countedIn) return last;
      // The casts are safe: the turn that made the change checked these ids.
      const home = sessionAddress(workspace as WorkspaceId, sessionId as SessionId);
      // A published version that is higher than this engine's own comes from another publisher, so the version does not count.
      return last > (countedOf(countedIn, home)?.version ?? 0) ? 0 : last;
    },
    async publish(change) {
      const { n } = change;
      const messageId = messageIdOf(change, log);
      const named = { n, messageId, ...defined({ log }), subject: subjects.state(change), about: change };
      const forms = formsOfChange(checkedChange(change));
      await shortest(forms, (form) => outlet.publish({ ...named, body: JSON.stringify(form) }));
    },
  };
}

/** How dead letters are published: all in one order; the outlet recognises a repeated dead letter by its id. */
function lettersBy(outlet: Outlet, log: string): Leaving<DeadLetter> | undefined {
  const post = outlet.publishLetter?.bind(outlet);
  if (!post) return undefined;
  return {
    key: keys.dead,
    rowsIn: (text) => [wholeLetter(text)],
    lineOf: () => "letters",
    versionOf: ({ n }) => n,
    lastVersion: () => Promise.resolve(0),
    publish: (letter) => shortest(formsOfLetter(letter), (form) => post(outgoingLetter(form, log))),
  };
}

/** OUTLET-PUBLISHER-2. Tries one form after another until the outlet can carry one. @throws the error of the last form. */
async function shortest<T>(forms: Iterable<T>, send: (form: T) => Promise<void>): Promise<void> {
  let refusal: unknown;
  for (const form of forms) {
    try {
      await send(form);
      return;
    } catch (error) {
      if (!(error instanceof RefusedError) || error.code !== "TOO_LARGE") throw error;
      refusal = error;
    }
  }
  throw refusal;
}

/** How long a failure must last before it is reported, ms: a shorter failure may be a server's restart. */
const STUCK_MS = 10_000;

type Log = "changes" | "letters";
type Standing = Pick<Outbox<{ readonly n: number }>, "hindrance" | "waiting">;

const WORDS = {
  changes: { code: "CHANGES", one: "state change", of: "sessions" },
  letters: { code: "LETTERS", one: "dead letter", of: "lines" },
} as const satisfies Readonly<Record<Log, object>>;

/**
 * The troubles of a log. A trouble of the change log is essential, because readers outside learn nothing without changes; dead
 * letters can also be read from the engine.
 */
function hindrances(log: Log, { hindrance, waiting }: Standing, clock: Clock): readonly Trouble[] {
  const { failing, held } = hindrance;
  const { code, one, of } = WORDS[log];
  const ageMs = (since: number): number => clock.monotonic() - since;
  const sinceOf = (since: number): number => Math.round(clock.now() - ageMs(since));
  const troubles: Trouble[] = [];
  if (failing && ageMs(failing.since) >= STUCK_MS) {
    troubles.push({
      code: `${code}_STUCK`,
      message: `The engine cannot publish any ${one} (${codeOf(failing.error)}); ${waiting} wait. The engine keeps them, and publishes them in order once publishing works again.`,
      next: nextOf(failing.error),
      since: sinceOf(failing.since),
      isEssential: log === "changes",
    });
  }
  if (held) {
    troubles.push({
      code: `${code}_HELD`,
      message: `The engine cannot publish the ${one}s of ${held.lines} ${of} (${codeOf(held.error)}); ${held.rows} wait. It publishes all others.`,
      next: nextOf(held.error),
      since: sinceOf(held.since),
      isEssential: false,
    });
  }
  return troubles;
}
