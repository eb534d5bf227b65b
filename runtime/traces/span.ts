// Span
// A piece of a trace: a request, a call, the wait for an answer, or what corrects a call afterwards.
//
//   Owns:          the shape of a span, as every sink takes it.
//   Does not own:  which spans there are (spans-of), how they are sent (adapters).

/** Of a span: only what is listed in docs/reference/traces.md, never what a tool was given or gave. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

export interface SpanId {
  /** 16 bytes in hex, made of the session. */
  readonly traceId: string;
  /** 8 bytes in hex. */
  readonly spanId: string;
}

/** A span that has begun. */
export interface BegunSpan extends SpanId {
  /** Absent for a span that no other one holds. */
  readonly parentId?: string | undefined;
  readonly name: string;
  /** ms, as the journal stamped it. */
  readonly startMs: number;
  /** The context that its sender named, as a `traceparent`: the span is linked to that. */
  readonly link?: string | undefined;
}

/** A span that is over. */
export interface EndedSpan extends BegunSpan {
  readonly endMs: number;
  readonly attributes: SpanAttributes;
  /** Set where it ended in an error: its class, for `error.type` too. */
  readonly error?: string | undefined;
  /** What it adds to the metrics. */
  readonly measure?: Measure | undefined;
}

/** One value of a histogram. */
export interface Measure {
  readonly name: MeasureName;
  readonly seconds: number;
  readonly attributes: Readonly<Record<string, string>>;
}

export type MeasureName =
  "gen_ai.invoke_agent.duration" | "gen_ai.execute_tool.duration" | "signalbox.approval.duration";
