// Span ids
// Derives the ids of traces and spans from the things they describe.
//
//   Owns:          how the ids are derived.
//   Does not own:  which spans there are (spans-of).
//   Decided in:    docs/decisions/0088-traces-are-read-off-the-log-of-changes.md.
//
// SPAN-IDS-1. The same thing has the same ids in every process, and two things never share one. So a span that is exported
//     again after a crash is the same span.

import { hash } from "node:crypto";

const DOMAIN = "signalbox.trace.1";

export type SpanKind = "request" | "call" | "approval" | "correction";

/** @returns 16 bytes in hex. */
export const traceIdOf = (workspace: string, session: string): string =>
  digest(`${DOMAIN}\n${workspace}\n${session}`, 16);

/** @returns 8 bytes in hex. */
export const spanIdOf = (workspace: string, session: string, kind: SpanKind, id: string): string =>
  digest(`${DOMAIN}\n${workspace}\n${session}\n${kind}\n${id}`, 8);

/** The first bytes of a text's SHA-256, in hex. The parts of the text are separated by line breaks, which no id contains. */
const digest = (text: string, bytes: number): string => hash("sha256", text, "hex").slice(0, bytes * 2);
