// Span sink
// Where spans go: the port between what the log of changes says and whoever takes it.
//
//   Owns:          the interface; telling a sink of changes as they become durable.
//   Does not own:  what a span is (spans-of), any sink (adapters).
//
// SPAN-SINK-1. Only what is durable is told, in the order of the log, and each change once in a process. (by review: it is
//     told by the engine's own listeners)

import type { StateChange } from "../rows/changes.ts";
import { begunBy, endedBy } from "./spans-of.ts";
import type { BegunSpan, EndedSpan } from "./span.ts";

export interface SpanSink {
  /** A span has begun; more is known of it once it ends. */
  begun?(span: BegunSpan): void;
  ended(span: EndedSpan): void;
}

/** Tells a sink what changes begin and end. */
export function tellSpans(sink: SpanSink, changes: readonly StateChange[]): void {
  for (const change of changes) {
    if (sink.begun) {
      const begun = begunBy(change);
      if (begun) sink.begun(begun);
    }
    const ended = endedBy(change);
    if (ended) sink.ended(ended);
  }
}
