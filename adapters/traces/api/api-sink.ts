// API sink
// Passes spans to the host program's tracer, through OpenTelemetry's interface alone.
//
//   Owns:          starting and ending spans at the host program's tracer, which spans are open, the histograms.
//   Does not own:  the content of a span (runtime/traces), where the host program's SDK sends the span.
//
// API-SINK-1. The host's SDK chooses the ids of spans. A span with children is started when its first child ends, with the span's
//     own start time, so that the children can name the span as their parent. Any other span is started and ended in one step.
// API-SINK-2. All spans of a session, even of several processes, are in one trace, because its id is derived from the session.
// API-SINK-3. At most 10,000 spans are open at a time. If one more begins, the oldest is forgotten; if it was started at the
//     host's tracer, it is ended there. Later children of a forgotten span, and children of a span that began before a restart,
//     are in the session's trace, but have no parent. When a forgotten span itself ends, a further span is made for it.

import {
  type Attributes,
  type Context,
  type Histogram,
  type Link,
  type Meter,
  metrics,
  ROOT_CONTEXT,
  type Span,
  SpanStatusCode,
  trace,
  TraceFlags,
  type Tracer,
} from "@opentelemetry/api";
import type { BegunSpan, EndedSpan, Measure, MeasureName } from "../../../runtime/traces/span.ts";
import type { SpanSink } from "../../../runtime/traces/span-sink.ts";
import { readTraceparent } from "../../../runtime/traces/traceparent.ts";
import { BUCKETS_SECONDS } from "../buckets.ts";
import { ToolNames } from "../tool-names.ts";

const OPEN_MAX = 10_000;

interface Open {
  readonly begun: BegunSpan;
  /** The started span; set once a child of the span has ended. */
  span?: Span;
}

export class ApiSink implements SpanSink {
  readonly #tracer: Tracer;
  readonly #meter: Meter | undefined;
  readonly #open = new Map<string, Open>();
  readonly #histograms = new Map<MeasureName, Histogram>();
  readonly #tools = new ToolNames();

  /** @param meter gets the durations; undefined to record spans only. */
  constructor(tracer: Tracer, meter?: Meter) {
    this.#tracer = tracer;
    this.#meter = meter;
  }

  get openCount(): number {
    return this.#open.size;
  }

  begun(span: BegunSpan): void {
    if (this.#open.size >= OPEN_MAX) this.#dropOldest(span.startMs);
    this.#open.set(keyOf(span), { begun: span });
  }

  ended(ended: EndedSpan): void {
    const key = keyOf(ended);
    const span = this.#open.get(key)?.span ?? this.#start(ended, ended.attributes);
    this.#open.delete(key);
    span.setAttributes(ended.attributes);
    if (ended.error !== undefined) {
      span.setAttribute("error.type", ended.error);
      span.setStatus({ code: SpanStatusCode.ERROR, message: ended.error });
    }
    span.end(ended.endMs);
    if (ended.measure) this.#record(ended.measure);
  }

  /**
   * API-SINK-3. Forgets the oldest open span. If it was started, it is ended now: its children already name it as their parent,
   * and an SDK exports only spans that have ended.
   */
  #dropOldest(atMs: number): void {
    const [oldest] = this.#open;
    if (!oldest) return;
    const [key, { begun, span }] = oldest;
    span?.end(Math.max(begun.startMs, atMs));
    this.#open.delete(key);
  }

  #start(begun: BegunSpan, attributes: Attributes = {}): Span {
    const { name, startMs: startTime, link } = begun;
    const links = link === undefined ? [] : linksTo(link);
    return this.#tracer.startSpan(name, { startTime, attributes, links }, this.#contextOf(begun));
  }

  /** The context with the span's parent, which decides the span's trace (API-SINK-1, API-SINK-2). */
  #contextOf({ traceId, spanId, parentId }: BegunSpan): Context {
    const parent = parentId === undefined ? undefined : this.#open.get(keyOf({ traceId, spanId: parentId }));
    if (parent) return trace.setSpan(ROOT_CONTEXT, (parent.span ??= this.#start(parent.begun)));
    // An SDK itself chooses the trace id of a span without a parent. So the span gets a made-up parent with the wanted ids.
    const derived = { traceId, spanId: parentId ?? spanId, traceFlags: TraceFlags.SAMPLED, isRemote: true };
    return trace.setSpan(ROOT_CONTEXT, trace.wrapSpanContext(derived));
  }

  #record({ name, seconds, attributes }: Measure): void {
    if (!this.#meter) return;
    const histogram =
      this.#histograms.get(name) ??
      this.#meter.createHistogram(name, {
        unit: "s",
        advice: { explicitBucketBoundaries: [...BUCKETS_SECONDS] },
      });
    this.#histograms.set(name, histogram);
    histogram.record(seconds, this.#tools.bounded(attributes));
  }
}

const keyOf = ({ traceId, spanId }: Pick<BegunSpan, "traceId" | "spanId">): string => traceId + spanId;

function linksTo(traceparent: string): Link[] {
  const named = readTraceparent(traceparent);
  if (!named) return [];
  const { traceId, spanId, flags: traceFlags } = named;
  return [{ context: { traceId, spanId, traceFlags, isRemote: true } }];
}

const NAME = "signalbox";

/** The tracer and meter that the host has registered with OpenTelemetry; if it has registered none, objects that do nothing. */
export const globalTraces = (version: string): { readonly tracer: Tracer; readonly meter: Meter } => ({
  tracer: trace.getTracer(NAME, version),
  meter: metrics.getMeter(NAME, version),
});
