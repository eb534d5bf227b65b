// Feed
// State changes as they come, from where the subscriber stands, over restarts of everything.
//
//   Owns:          the checks of the stream, the consumer's life, what is told of what may be missing.
//   Does not own:  pulling (pull), versions, keeping the cursor (the subscriber).
//
// Y9. What may have been missed is told as a gap, before anything behind it; nothing is skipped silently.
// Y10. The cursor stands behind what has been given out, and never behind what has not.

import { AckPolicy, DeliverPolicy, type JetStreamManager, nanos, NatsError, type StreamInfo } from "nats";
import { setTimeout as sleep } from "node:timers/promises";
import { v7 } from "uuid";
import { RefusedError, RetryableError } from "../../../runtime/errors.ts";
import { type StateFilter, subjects } from "../../../runtime/subjects.ts";
import { STREAMS } from "../streams.ts";
import type { Change, ChangeItem, ChangesOptions, Gap } from "./changes.ts";
import { type Position, readCursor, writeCursor } from "./cursor.ts";
import { failureOf } from "./failures.ts";
import type { Link } from "./link.ts";
import { LostError, pull, type Pulled } from "./pull.ts";
import { Versions } from "./versions.ts";

const STREAM = STREAMS.changes;
/** How long the server keeps a consumer nobody asks. */
const INACTIVE_MS = 60_000;
const PAUSE_MS = 100;
const PAUSE_MAX_MS = 2_000;
const NOT_FOUND = "404";

export class Feed implements AsyncIterable<ChangeItem> {
  readonly #link: Link;
  readonly #filter: string;
  readonly #versions: Versions;
  readonly #signal: AbortSignal;
  #from: "start" | "now" | Position;

  constructor(link: Link, filter: StateFilter, options: ChangesOptions) {
    const { from = "now", versions = [], signal } = options;
    const { entity, id, state } = filter;
    this.#link = link;
    this.#filter = subjects.stateFilter(filter);
    this.#versions = new Versions(versions, (entity ?? id ?? state) === undefined);
    this.#signal = signal ?? new AbortController().signal;
    this.#from = from === "start" || from === "now" ? from : readCursor(from);
  }

  /** Behind everything given out so far; undefined before the stream was seen. Moves on over changes of others too. */
  get cursor(): string | undefined {
    return typeof this.#from === "string" ? undefined : writeCursor(this.#from);
  }

  /** Ends with the client or its signal. @throws RefusedError FORBIDDEN, CLOSED. What may pass is waited for. */
  async *[Symbol.asyncIterator](): AsyncGenerator<ChangeItem, void, undefined> {
    for (let pauseMs = PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, PAUSE_MAX_MS)) {
      try {
        await this.#link.up(this.#signal);
        for await (const item of this.#read()) {
          pauseMs = PAUSE_MS;
          yield item;
        }
      } catch (error) {
        if (this.#link.failure) throw this.#link.failure;
        if (!this.#isOver && !isPassing(error)) throw error;
      }
      if (this.#isOver) return;
      await sleep(pauseMs, undefined, { signal: this.#link.ended }).catch(() => undefined);
    }
  }

  get #isOver(): boolean {
    return this.#signal.aborted || this.#link.ended.aborted;
  }

  /** One life of a consumer. */
  async *#read(): AsyncGenerator<ChangeItem> {
    const manager = await this.#link.connection.jetstreamManager({ checkAPI: false });
    const [stream, gap] = this.#place(await manager.streams.info(STREAM));
    if (gap) yield gap;
    const name = await this.#consumer(manager, stream);
    try {
      let before = stream.sequence;
      for await (const part of pull(
        this.#link,
        `$JS.API.CONSUMER.MSG.NEXT.${STREAM}.${name}`,
        this.#signal,
      )) {
        if ("message" in part) {
          yield* this.#take(stream.created, part);
          continue;
        }
        const trimmed = await this.#settle(manager, name, stream.created, before, part.delivered);
        if (trimmed) yield trimmed;
        before = this.#sequence();
      }
    } finally {
      // The server takes it away by itself where this does not reach it.
      void manager.consumers.delete(STREAM, name).catch(() => undefined);
    }
  }

  /** Where to read on in the stream as it is, and what may be missing before that. */
  #place({ created, state }: StreamInfo): readonly [Position, Gap | undefined] {
    const from = this.#from;
    const before = Math.max(0, state.first_seq - 1);
    const at = (sequence: number, reason?: Gap["reason"]): readonly [Position, Gap | undefined] => {
      const position = { created, sequence };
      this.#from = position;
      return [position, reason && { kind: "gap", reason, cursor: writeCursor(position) }];
    };
    if (from === "now") return at(state.last_seq);
    if (from === "start") return at(before);
    if (from.created !== created) {
      // Another stream may hold another history: what was known of the old one says nothing about it.
      this.#versions.clear();
      return at(before, "replaced");
    }
    if (from.sequence > state.last_seq) return at(state.last_seq, "rolled-back");
    return from.sequence < before ? at(before, "trimmed") : at(from.sequence);
  }

  async #consumer(manager: JetStreamManager, { created, sequence }: Position): Promise<string> {
    const name = `client-${v7()}`;
    await manager.consumers.add(STREAM, {
      name,
      ack_policy: AckPolicy.None,
      deliver_policy: DeliverPolicy.StartSequence,
      opt_start_seq: sequence + 1,
      filter_subject: this.#filter,
      inactive_threshold: nanos(INACTIVE_MS),
      mem_storage: true,
    });
    const { created: now, state } = await manager.streams.info(STREAM);
    if (now !== created || state.last_seq < sequence) throw new LostError("the stream changed");
    return name;
  }

  *#take(created: string, { message, sequence }: Pulled): Generator<ChangeItem> {
    const position = { created, sequence };
    const cursor = writeCursor(position);
    // Only the engine may publish here; its changes are what its code says they are.
    const change = message.json<Change>();
    const { workspace, sessionId, version } = change;
    const seen = this.#versions.see(`${workspace}/${sessionId}`, version);
    if (typeof seen === "object") {
      const session = { workspace, sessionId, after: seen.after, before: version };
      yield { kind: "gap", reason: "versions", ...session, cursor: writeCursor(this.#position()) };
    }
    // The caller has it once it asks for the next: until then it may be lost with the caller.
    if (seen !== "repeat") yield { kind: "change", change, cursor };
    this.#from = position;
  }

  /**
   * After a batch: has the stream let go of something that was to be read? Else, when nothing is left, the cursor moves
   * on to the stream's end, so that a quiet subscriber does not fall behind its floor.
   */
  async #settle(
    manager: JetStreamManager,
    name: string,
    created: string,
    before: number,
    delivered: number,
  ): Promise<Gap | undefined> {
    const stream = await manager.streams.info(STREAM);
    if (stream.created !== created) throw new LostError("the stream was replaced");
    const consumer = await manager.consumers.info(STREAM, name);
    const isAtEnd = consumer.num_pending === 0 && consumer.delivered.consumer_seq === delivered;
    if (isAtEnd && stream.state.last_seq > this.#sequence())
      this.#from = { created, sequence: stream.state.last_seq };
    if (stream.state.first_seq <= before + 1) return undefined;
    return { kind: "gap", reason: "trimmed", cursor: writeCursor(this.#position()) };
  }

  #position(): Position {
    if (typeof this.#from === "string") throw new LostError("there is no position yet");
    return this.#from;
  }

  #sequence(): number {
    return this.#position().sequence;
  }
}

/** What another attempt may cure: the stream is made by the engine's first start, servers come back. */
function isPassing(error: unknown): boolean {
  if (error instanceof LostError) return true;
  if (!(error instanceof NatsError)) return false;
  if (error.code === NOT_FOUND) return true;
  const failure = failureOf(error, `reading ${STREAM}`);
  if (failure instanceof RefusedError) throw failure;
  return failure instanceof RetryableError;
}
