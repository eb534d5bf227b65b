// Span
// A part of a trace: a request, a call, the wait for an answer, or a later correction of a call.
//
//   Owns:          the shape of a span, the same for every sink; how foreign text is made fit for it.
//   Does not own:  which spans there are (spans-of), sending spans (adapters).
//
// SPAN-1. A name that a client made up cannot make a span long, break a line or hide anything.

import { oneLine } from "../text/visible.ts";

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

const WORDS_MAX = 96;

/** The form of nearly all names: such a name needs no change. */
const PLAIN = /^[\x20-\x7e]{1,96}$/;

/** @returns at most 96 characters. */
export const spanText = (text: string): string =>
  PLAIN.test(text) ? text : oneLine(text.slice(0, WORDS_MAX * 2), WORDS_MAX);
