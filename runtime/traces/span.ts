// Span
// A part of a trace: a request, a call, the wait for an answer, or a later correction of a call.
//
//   Owns:          the shape of a span, the same for every sink.
//   Does not own:  which spans there are (spans-of), sending spans (adapters).

/** Only attributes that docs/reference/traces.md lists, never a tool's input or output. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

export interface SpanId {
  /** 16 bytes in hex, derived from the session. */
  readonly traceId: string;
  /** 8 bytes in hex. */
  readonly spanId: string;
}

export interface BegunSpan extends SpanId {
  /** Absent for a span without a parent. */
  readonly parentId?: string | undefined;
  readonly name: string;
  /** The beginning by the journal's stamp, ms. */
  readonly startMs: number;
  /** The `traceparent` that the sender named. The span is linked to that context. */
  readonly link?: string | undefined;
}

export interface EndedSpan extends BegunSpan {
  readonly endMs: number;
  readonly attributes: SpanAttributes;
  /** Present if the span ended in an error: the error's class, also used for `error.type`. */
  readonly error?: string | undefined;
  /** The value that the span adds to the metrics. */
  readonly measure?: Measure | undefined;
}

export interface Measure {
  readonly name: MeasureName;
  readonly seconds: number;
  readonly attributes: Readonly<Record<string, string>>;
}

export type MeasureName =
  "gen_ai.invoke_agent.duration" | "gen_ai.execute_tool.duration" | "signalbox.approval.duration";
