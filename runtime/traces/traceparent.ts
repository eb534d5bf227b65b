// Traceparent
// The header by which a sender names the span that its message comes from (W3C Trace Context).
//
//   Owns:          the form of the header, reading the header.
//   Does not own:  storing the header (rows/trace-notes), using the header (spans-of, outlets).
//
// TRACEPARENT-1. Only a header that the standard allows is read. Any other counts as none, because a header is never a
//     reason to refuse a message.

export interface TraceContext {
  readonly traceId: string;
  readonly spanId: string;
  /** 0 to 255. */
  readonly flags: number;
}

const FORM = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.{1,200})?$/;
const ZEROS = /^0+$/;

/** @returns undefined if it is malformed. */
export function readTraceparent(header: string): TraceContext | undefined {
  const [, version, traceId, spanId, flags, more] = FORM.exec(header) ?? [];
  if (version === undefined || traceId === undefined || spanId === undefined || flags === undefined)
    return undefined;
  // A header of version 00 ends here. Version `ff` is invalid. Headers of later versions may be longer.
  if (version === "ff" || (version === "00" && more !== undefined)) return undefined;
  if (ZEROS.test(traceId) || ZEROS.test(spanId)) return undefined;
  return { traceId, spanId, flags: Number.parseInt(flags, 16) };
}

/** The header in version 00, which every reader knows; undefined if it is malformed. */
export function knownTraceparent(header: string | undefined): string | undefined {
  const read = header === undefined ? undefined : readTraceparent(header);
  return read && `00-${read.traceId}-${read.spanId}-${read.flags.toString(16).padStart(2, "0")}`;
}
