// Span ids
// The ids of traces and spans, derived from what they stand for.
//
//   Owns:          how they are derived.
//   Does not own:  which spans there are (spans-of).
//   Decided in:    docs/decisions/0088-traces-are-read-off-the-log-of-changes.md.
//
// SPAN-IDS-1. The same thing has the same ids in every process, and two things never share one: what is exported again
//     after a crash is the same span.

import { createHash } from "node:crypto";

const DOMAIN = "signalbox.trace.1";

export type SpanKind = "session" | "request" | "call" | "approval" | "correction";

/** @returns 16 bytes in hex; no id of only zeros comes out of a digest. */
export const traceIdOf = (workspace: string, session: string): string =>
  digest([DOMAIN, workspace, session], 16);

/** @returns 8 bytes in hex. */
export const spanIdOf = (workspace: string, session: string, kind: SpanKind, id: string): string =>
  digest([DOMAIN, workspace, session, kind, id], 8);

/** As a JSON array, so that no part runs into another. */
const digest = (parts: readonly string[], bytes: number): string =>
  createHash("sha256")
    .update(JSON.stringify(parts))
    .digest("hex")
    .slice(0, bytes * 2);
