// Exporter
// Sends spans to a collector, batch by batch, and sends metrics, too.
//
//   Owns:          the queue and its limit, when to send, retries, reporting failures and dropped spans.
//   Does not own:  reading the log (runtime/traces/span-follower), a single request (post), the stored place (composition).
//
// EXPORTER-1. No turn waits for the exporter: its queue takes 2,048 spans; the changes for further spans wait in the log.
// EXPORTER-2. A place in the log is stored once every span from the changes before it was accepted by the collector or given
//     up. So after a crash no waiting span is lost, and some spans are sent again, under the same ids.
// EXPORTER-3. Spans that a collector refuses for good are dropped and counted. A failed request is repeated after longer and
//     longer pauses. A trouble is reported until a request succeeds.
// EXPORTER-4. When the exporter is stopped, it waits at most two seconds for a last batch.

import { Bell } from "../../../runtime/bell.ts";
import type { Trouble } from "../../../runtime/errors/trouble.ts";
import { BackOff } from "../../../runtime/outbound/back-off.ts";
import type { Clock } from "../../../runtime/ports.ts";
import type { SpanQueue } from "../../../runtime/traces/span-follower.ts";
import type { EndedSpan } from "../../../runtime/traces/span.ts";
import { pause, waitFor } from "../../../runtime/wait-for.ts";
import type { OtlpAddress } from "./address.ts";
import { Histograms } from "./histograms.ts";
import { metricsJson, type Sender, spansJson } from "./otlp-json.ts";
import type { Post } from "./post.ts";

export interface ExporterOptions {
  readonly address: OtlpAddress;
  readonly post: Post;
  readonly clock: Clock;
  readonly sender: () => Sender;
  /** Stores the number of a change: changes up to this number need not be read again. */
  readonly keepPlace: (n: number) => Promise<void>;
  readonly onError: (error: unknown) => void;
}

const QUEUE_MAX = 2_048;
const BATCH_MAX = 512;
const BATCH_MS = 1_000;
const METRICS_MS = 60_000;
const LAST_MS = 2_000;

interface Waiting {
  readonly span: EndedSpan;
  readonly n: number;
}

export class Exporter implements SpanQueue {
  readonly room = new Bell();
  readonly #options: ExporterOptions;
  readonly #came = new Bell();
  readonly #backOff: BackOff;
  readonly #stopping = new AbortController();
  readonly #ending = new AbortController();
  readonly #histograms = new Histograms();
  readonly #beganMs: number;
  #queue: Waiting[] = [];
  #reached = 0;
  #kept = 0;
  #hasMeasured = false;
  #measuredAt: number;
  #sent = 0;
  #dropped = 0;
  #failing: { readonly why: string; readonly since: number } | undefined;
  #running: Promise<void> = Promise.resolve();

  constructor(options: ExporterOptions) {
    this.#options = options;
    this.#backOff = new BackOff(options.clock);
    this.#beganMs = options.clock.now();
    this.#measuredAt = options.clock.monotonic();
  }

  get isFull(): boolean {
    return this.#queue.length >= QUEUE_MAX;
  }

  add(span: EndedSpan, n: number): void {
    this.#queue.push({ span, n });
    if (span.measure) this.#histograms.record(span.measure);
    this.#hasMeasured = true;
    this.#came.ring();
  }

  reached(n: number): void {
    this.#reached = n;
  }

  skipped(count: number): void {
    this.#dropped += count;
    this.#hasMeasured = true;
  }

  counts(): Readonly<Record<string, number>> {
    return { signalbox_spans_sent_total: this.#sent, signalbox_spans_dropped_total: this.#dropped };
  }

  troubles(): readonly Trouble[] {
    if (!this.#failing) return [];
    const { why, since } = this.#failing;
    return [
      {
        code: "TRACES_STUCK",
        message: `The collector accepts no traces (${why}). Spans that wait: ${this.#queue.length}. The engine itself goes on.`,
        next: "Check that the collector runs at the address that --otlp names, and accepts OTLP over HTTP. The engine tries again.",
        since,
        isEssential: false,
      },
    ];
  }

  start(): void {
    this.#running = this.#run();
  }

  /** Sends a last batch, and ends (EXPORTER-4). */
  async stop(): Promise<void> {
    const { clock, onError } = this.#options;
    const cancel = clock.after(LAST_MS, () => this.#ending.abort());
    this.#stopping.abort();
    this.#backOff.stop();
    await this.#running;
    if (!this.#failing) {
      await this.#sendSpans();
      if (this.#hasMeasured) await this.#sendMetrics();
    }
    cancel();
    await this.#keep().catch(onError);
  }

  async #run(): Promise<void> {
    for (;;) {
      await this.#wait(this.#stopping.signal);
      if (this.#stopping.signal.aborted) return;
      try {
        if (this.#queue.length > 0) await this.#sendSpans();
        if (this.#areMetricsDue) await this.#sendMetrics();
        await this.#keep();
      } catch (error) {
        this.#options.onError(error);
      }
      if (this.#failing) await this.#backOff.pause();
    }
  }

  /** Waits until a batch is full, or a second has passed since the first span came. */
  async #wait(signal: AbortSignal): Promise<void> {
    const { clock } = this.#options;
    if (this.#queue.length === 0) {
      const left = this.#hasMeasured ? this.#measuredAt + METRICS_MS - clock.monotonic() : undefined;
      const within = left === undefined ? undefined : { clock, ms: Math.max(0, left) };
      await waitFor(this.#came.rings, () => this.#queue.length > 0, within, signal);
    }
    const isEnough = (): boolean => this.#queue.length >= BATCH_MAX;
    if (this.#queue.length > 0 && !isEnough())
      await waitFor(this.#came.rings, isEnough, { clock, ms: BATCH_MS }, signal);
  }

  async #sendSpans(): Promise<void> {
    const { address, post, sender } = this.#options;
    const batch = this.#queue.slice(0, BATCH_MAX);
    if (batch.length === 0) return;
    const spans = batch.map(({ span }) => span);
    const posted = await post(address.traces, spansJson(spans, sender()), this.#ending.signal);
    if (posted.what === "again") {
      await this.#fails(posted.why, posted.afterMs);
      return;
    }
    const lost = posted.what === "refused" ? batch.length : Math.min(batch.length, posted.rejected);
    this.#sent += batch.length - lost;
    this.#dropped += lost;
    this.#queue = this.#queue.slice(batch.length);
    if (posted.what === "refused") await this.#fails(posted.why);
    else {
      this.#failing = undefined;
      this.#backOff.reset();
    }
    if (!this.isFull) this.room.ring();
  }

  get #areMetricsDue(): boolean {
    return this.#hasMeasured && this.#options.clock.monotonic() - this.#measuredAt >= METRICS_MS;
  }

  /** Sends the metrics. Each message contains the totals since the start, so the next message makes up for a lost one. */
  async #sendMetrics(): Promise<void> {
    const { address, post, clock, sender } = this.#options;
    this.#measuredAt = clock.monotonic();
    this.#hasMeasured = false;
    const times = { startMs: this.#beganMs, nowMs: clock.now() };
    const body = metricsJson(this.#histograms.all, this.#dropped, times, sender());
    const posted = await post(address.metrics, body, this.#ending.signal);
    if (posted.what === "again") this.#hasMeasured = true;
  }

  /** Stores the place before the first span that still waits (EXPORTER-2). */
  async #keep(): Promise<void> {
    const [first] = this.#queue;
    const n = first ? first.n - 1 : this.#reached;
    if (n <= this.#kept) return;
    await this.#options.keepPlace(n);
    this.#kept = n;
  }

  async #fails(why: string, afterMs?: number): Promise<void> {
    this.#failing = { why, since: this.#failing?.since ?? this.#options.clock.now() };
    if (afterMs !== undefined)
      await pause({ clock: this.#options.clock, ms: afterMs }, this.#stopping.signal);
  }
}
