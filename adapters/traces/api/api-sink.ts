// API sink
// Passes spans to the host program's tracer, through OpenTelemetry's interface alone.
//
//   Owns:          starting and ending spans at the host's tracer, which spans are open, the histograms.
//   Does not own:  the content of a span (runtime/traces), where the host's SDK sends it.
//
// API-SINK-1. The host's SDK chooses the ids of spans. A span with children is started, with its own time, when its first child
//     ends, so that the children can name it as their parent. Any other span is started and ended at once.
// API-SINK-2. All spans of a session are in one trace, whose id is derived from the session, whatever process they come from.
// API-SINK-3. At most 10,000 spans are open; more end the oldest. Children of an ended span then belong to the session's trace
//     only, and so do spans that end after a restart.

import {
  type Attributes,
  type Context,
  type Histogram,
  type Link,
  type Meter,
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
  /** Set once a child of the span has ended. */
  span?: Span;
}

export class ApiSink implements SpanSink {
  readonly #tracer: Tracer;
  readonly #meter: Meter | undefined;
  readonly #open = new Map<string, Open>();
  readonly #histograms = new Map<MeasureName, Histogram>();
  readonly #tools = new ToolNames();

  /** @param meter undefined for spans alone. */
  constructor(tracer: Tracer, meter?: Meter) {
    this.#tracer = tracer;
    this.#meter = meter;
  }

  /** Spans that have begun and not ended. */
  get openCount(): number {
    return this.#open.size;
  }

  begun(span: BegunSpan): void {
    if (this.#open.size >= OPEN_MAX) {
      const [oldest = ""] = this.#open.keys();
      this.#open.delete(oldest);
    }
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

  #start(begun: BegunSpan, attributes: Attributes = {}): Span {
    const { name, startMs: startTime, link } = begun;
    const links = link === undefined ? [] : linksTo(link);
    return this.#tracer.startSpan(name, { startTime, attributes, links }, this.#contextOf(begun));
  }

  /** The OpenTelemetry context in which a span is started: it has the span's trace and parent (API-SINK-1, API-SINK-2). */
  #contextOf({ traceId, spanId, parentId }: BegunSpan): Context {
    const parent = parentId === undefined ? undefined : this.#open.get(keyOf({ traceId, spanId: parentId }));
    if (parent) return trace.setSpan(ROOT_CONTEXT, (parent.span ??= this.#start(parent.begun)));
    // An SDK lets nobody choose the trace id of a span without a parent. So the span gets a parent, made up from the ids.
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
