// Allowance
// Computes how much each workspace may still send. The doors ask this file before they journal a message.
//
//   Owns:          whether a door refuses a message because of a quota, counting and reporting all refusals.
//   Does not own:  how much a quota leaves at a moment (turning-away), answering a sender that is refused (door).
//
// ALLOWANCE-1. A door accepts what the durable count leaves of a quota, minus the accepted messages that are not durable yet. So
//     several senders at the same time can send no more than one sender after the other.
// ALLOWANCE-2. Quotas are refilled by the journal time. Between two turns the engine continues the journal time by its
//     monotonic clock. So a wrong wall clock changes no allowance.
// ALLOWANCE-3. The metrics count refusals separately for at most 100 workspaces, and those of all others together.
// ALLOWANCE-4. If the engine cannot write the report on refused hook messages, the next report counts them, too.

import type { TurnResult } from "../turn/turn-result.ts";
import { RetryableError } from "../errors/errors.ts";
import { type Account, isFull, NOBODY } from "../rows/keeping.ts";
import { keys } from "../rows/keys.ts";
import type { Message, OwnMessage, Refused } from "../message.ts";
import type { Meta } from "../rows/meta.ts";
import type { Readable } from "../rows/overlay.ts";
import type { Clock } from "../ports.ts";
import { holds, isUnlimited, leftAt, type Load, type Quota, quotaText, sum, waitMs } from "../quota.ts";
import { OVER_QUOTA, passes } from "../turn/turning-away.ts";

const NAMED_MAX = 100;
const OTHERS = "*";
const NOTHING: Load = { messages: 0, bytes: 0 };
/**
 * How long a sender should wait before it tries again if its workspace keeps too much, ms. Kept data is removed only after
 * hours or days.
 */
const KEPT_AGAIN_MS = 60_000;
/**
 * How long the engine waits before it reports refusals, ms. Refusals are counted by the second, and this second must be over by
 * the journal's clock.
 */
const TELL_MS = 1_000;

interface Home {
  readonly rows: Readable;
  readonly clock: Clock;
  /** Returns the store's meta row (runtime/rows/meta) as the last commit left it. */
  meta(): Meta;
  /** Writes an own message. The message's turn also writes the dead letters about refusals that earlier turns counted. */
  say(said: OwnMessage["said"]): Promise<unknown>;
}

export interface Offer {
  readonly message: Message;
  readonly bytes: number;
}

export class Allowance {
  readonly #home: Home;
  readonly #pending = new Map<string, Load>();
  readonly #dropped = new Map<string, Load>();
  readonly #away = new Map<string, number>();
  #last: { readonly at: number; readonly monotonic: number } | undefined;
  #cancel: (() => void) | undefined;
  #stopped = false;

  constructor(home: Home) {
    this.#home = home;
  }

  /** How many messages of each workspace this process refused; `*` for messages counted without their workspace's name. */
  get turnedAway(): ReadonlyMap<string, number> {
    return this.#away;
  }

  /**
   * Accepts these messages of a workspace, all of them or none.
   * @returns for each a function to call once the message is durable or given up; calling it again does nothing.
   * @throws RetryableError OVER_QUOTA
   */
  take(workspace: string, offers: readonly Offer[]): readonly (() => void)[] {
    const { quota } = this.#home.meta().configuration;
    const bound = loadOf(offers.filter((offer) => !this.passes(offer)));
    if (bound.messages > 0 && !isUnlimited(quota)) this.#check(quota, workspace, bound);
    return offers.map((offer) => this.#expect(workspace, loadOf([offer])));
  }

  /** True for a message that no quota refuses. */
  readonly passes = ({ message }: Offer): boolean => passes(message, this.#home.rows);

  /** @throws RetryableError OVER_QUOTA */
  #check(quota: Quota, workspace: string, load: Load): void {
    const account = this.#accountOf(workspace);
    const { messages, bytes } = leftAt(quota, account, this.#now());
    const pending = this.#pendingOf(workspace);
    const left = { messages: messages - pending.messages, bytes: bytes - pending.bytes };
    const full = isFull(quota, account);
    if (!full && holds(quota, left, load)) return;
    this.#count(workspace, load.messages);
    throw full ? keptFull(workspace, quota) : overQuota(workspace, quota, waitMs(quota, left, load));
  }

  /**
   * Reserves part of a workspace's quota for a message that is on its way to the journal.
   * @returns a function that ends the reservation.
   */
  #expect(workspace: string, load: Load): () => void {
    this.#pending.set(workspace, sum(this.#pendingOf(workspace), load));
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      const { messages, bytes } = this.#pendingOf(workspace);
      const rest = { messages: messages - load.messages, bytes: bytes - load.bytes };
      if (rest.messages > 0) this.#pending.set(workspace, rest);
      else this.#pending.delete(workspace);
    };
  }

  /**
   * Counts a refused message that its sender will not send again. The engine writes these counts in one dead letter for each
   * second and workspace.
   */
  drop({ message, bytes }: Offer): void {
    this.#add(message.workspace, { messages: 1, bytes });
    this.#tellSoon();
  }

  #add(workspace: string, load: Load): void {
    const name = this.#dropped.has(workspace) || this.#dropped.size < NAMED_MAX ? workspace : OTHERS;
    this.#dropped.set(name, sum(this.#dropped.get(name) ?? NOTHING, load));
  }

  /** Whether the quota leaves room to keep a dead letter about a message that names no workspace. */
  get mayKeepLetter(): boolean {
    return !isFull(this.#home.meta().configuration.quota, this.#accountOf(NOBODY));
  }

  /** Must be called after each commit: counts the refusals that the durable turns recorded, and has refusals reported. */
  landed(results: readonly TurnResult[]): void {
    const { at, overQuota: untold } = this.#home.meta();
    this.#last = { at, monotonic: this.#home.clock.monotonic() };
    for (const { away } of results) if (away) this.#count(away.workspace, away.messages);
    if (untold) this.#tellSoon();
  }

  stop(): void {
    this.#stopped = true;
    this.#cancel?.();
  }

  /** The cast is safe: only turning-away.ts and keeping.ts write rows under this key, and they write accounts. */
  #accountOf(workspace: string): Account | undefined {
    return this.#home.rows.get(keys.quota(workspace)) as Account | undefined;
  }

  #pendingOf(workspace: string): Load {
    return this.#pending.get(workspace) ?? NOTHING;
  }

  /** The present time: the journal's last time plus what has passed since by the monotonic clock (ALLOWANCE-2). */
  #now(): number {
    const monotonic = this.#home.clock.monotonic();
    this.#last ??= { at: this.#home.meta().at, monotonic };
    return this.#last.at + monotonic - this.#last.monotonic;
  }

  #count(workspace: string, messages: number): void {
    const name = this.#away.has(workspace) || this.#away.size < NAMED_MAX ? workspace : OTHERS;
    this.#away.set(name, (this.#away.get(name) ?? 0) + messages);
  }

  #tellSoon(): void {
    if (this.#stopped) return;
    this.#cancel ??= this.#home.clock.after(TELL_MS, () => {
      this.#cancel = undefined;
      const dropped = [...this.#dropped];
      this.#dropped.clear();
      if (dropped.length === 0) void this.#home.say({ type: "tallied" }).catch(() => undefined);
      for (const [workspace, load] of dropped)
        this.#home.say(this.#letter(workspace, load)).catch(() => this.#add(workspace, load));
    });
  }

  #letter(workspace: string, { messages, bytes }: Load): Refused {
    const { quota } = this.#home.meta().configuration;
    return {
      type: "refused",
      door: "hooks",
      by: "hooks",
      code: OVER_QUOTA,
      reason: `${messages} hook messages, ${bytes} bytes in all, were not accepted: the workspace is beyond its quota, ${quotaText(quota)}.`,
      ...(workspace !== OTHERS && { workspace }),
      bytes,
      unrecorded: messages,
      body: "",
    };
  }
}

const loadOf = (offers: readonly Offer[]): Load => ({
  messages: offers.length,
  bytes: offers.reduce((bytes, offer) => bytes + offer.bytes, 0),
});

const overQuota = (workspace: string, quota: Quota, ms: number): RetryableError =>
  new RetryableError(
    OVER_QUOTA,
    `The workspace ${workspace} sends more than its quota: ${quotaText(quota)}. This message was not accepted.`,
    "Send the message again after the given time. Whoever runs the engine sets the quota (npx signalbox up --quota).",
    Math.ceil(ms),
  );

const keptFull = (workspace: string, quota: Quota): RetryableError =>
  new RetryableError(
    OVER_QUOTA,
    `The workspace ${workspace} has as much stored as its quota allows: ${quotaText(quota)}. This message was not accepted.`,
    "Each sweep removes old data and measures again what is stored (npx signalbox sweep). Whoever runs the engine sets the quota (npx signalbox up --quota).",
    KEPT_AGAIN_MS,
  );
