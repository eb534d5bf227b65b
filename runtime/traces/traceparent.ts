// Traceparent
// The header by which a sender names the span that its message comes from (W3C Trace Context).
//
//   Owns:          the form of the header, reading the header.
//   Does not own:  storing the header (rows/trace-notes), using the header (spans-of, outlets).
//
// TRACEPARENT-1. A `traceparent` header is used only if it has a form that the standard allows. A header of another form is
//     ignored, because no message is refused for such a header.

export interface TraceContext {
  readonly traceId: string;
  readonly spanId: string;
  /** The flags, as a number from 0 to 255. */
  readonly flags: number;
}

const FORM = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.{1,200})?$/;
const ZEROS = /^0+$/;

/** Parses a `traceparent` header. @returns undefined if the header is malformed. */
export function readTraceparent(header: string): TraceContext | undefined {
  const [, version, traceId, spanId, flags, more] = FORM.exec(header) ?? [];
  if (version === undefined || traceId === undefined || spanId === undefined || flags === undefined)
    return undefined;
  // A header of version 00 has no more than these fields. Version `ff` is invalid. Headers of later versions may be longer.
  if (version === "ff" || (version === "00" && more !== undefined)) return undefined;
  if (ZEROS.test(traceId) || ZEROS.test(spanId)) return undefined;
  return { traceId, spanId, flags: Number.parseInt(flags, 16) };
}

/** A `traceparent` header in version 00, which every reader knows; undefined if the given header is malformed. */
export function knownTraceparent(header: string | undefined): string | undefined {
  const read = header === undefined ? undefined : readTraceparent(header);
  return read && `00-${read.traceId}-${read.spanId}-${read.flags.toString(16).padStart(2, "0")}`;
}
