// Span
// The type of a span, a part of a trace: a request, a call, the wait for an answer, or a later correction of a call.
//
//   Owns:          the shape of a span, which is the same for every sink; making a name that a client chose fit for a span.
//   Does not own:  which spans there are (spans-of), sending spans (adapters).
//
// SPAN-1. Whatever name a client chooses, the name cannot make a span long, break a line, or hide text.

import { oneLine } from "../text/visible.ts";

/** The attributes of a span: only those that docs/reference/traces.md lists, never a tool's input or output. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

export interface SpanId {
  /** The trace's id: 16 bytes in hex, derived from the session. */
  readonly traceId: string;
  /** The span's id: 8 bytes in hex. */
  readonly spanId: string;
}

export interface BegunSpan extends SpanId {
  readonly parentId?: string | undefined;
  readonly name: string;
  /** When the span began, by the journal's stamp, ms. */
  readonly startMs: number;
  /** The `traceparent` that the sender named. The span is linked to that context. */
  readonly link?: string | undefined;
}

export interface EndedSpan extends BegunSpan {
  readonly endMs: number;
  readonly attributes: SpanAttributes;
  /** Present if the span ended in an error: the error's class, also used for `error.type`. */
  readonly error?: string | undefined;
  /** The value that the metrics get when the span ends. */
  readonly measure?: Measure | undefined;
}

export interface Measure {
  readonly name: MeasureName;
  readonly seconds: number;
  readonly attributes: Readonly<Record<string, string>>;
}

export type MeasureName =
  "gen_ai.invoke_agent.duration" | "gen_ai.execute_tool.duration" | "signalbox.approval.duration";

const WORDS_MAX = 96;

/** Matches nearly all names: a name of this form is used unchanged. */
const PLAIN = /^[\x20-\x7e]{1,96}$/;

/** A text as it may be in a span. @returns at most 96 characters. */
export const spanText = (text: string): string =>
  PLAIN.test(text) ? text : oneLine(text.slice(0, WORDS_MAX * 2), WORDS_MAX);
