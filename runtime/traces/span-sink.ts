// Span sink
// The port for spans, between the change log and the exporters.
//
//   Owns:          the interface of a sink; passing on the spans of changes as the changes become durable.
//   Does not own:  making spans (spans-of), implementations of the sink (adapters).
//
// SPAN-SINK-1. A sink gets only durable changes, in the order of the log, and each change once in a process. (checked by
//     review: the engine's own listeners call it)

import type { StateChange } from "../rows/changes.ts";
import { begunBy, endedBy } from "./spans-of.ts";
import type { BegunSpan, EndedSpan } from "./span.ts";

export interface SpanSink {
  /** Called when a span begins. The span's other data is known only when it ends. */
  begun?(span: BegunSpan): void;
  ended(span: EndedSpan): void;
}

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
