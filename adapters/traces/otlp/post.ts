// Post
// Sends one body to a collector, and returns the outcome.
//
//   Owns:          the request, its time limit, reading the answer.
//   Does not own:  repeating a request (exporter).
//
// POST-1. No redirect is followed: it counts as a failure. The file's headers are sent only to the named address.
// POST-2. An answer is read to 64 KiB at most; its content is counted, never printed.

import { jsonIn } from "../../../machines/json.ts";
import { beginningOf } from "../../../runtime/line/exchange.ts";
import { isSystemError } from "../../../runtime/errors/trouble.ts";

/** `taken`: with the number of parts that the collector rejected. `again`: may succeed later. `refused`: never. */
export type Posted =
  | { readonly what: "taken"; readonly rejected: number }
  | { readonly what: "again"; readonly why: string; readonly afterMs?: number }
  | { readonly what: "refused"; readonly why: string };

/** @param signal ends the request early. */
export type Post = (url: string, body: string, signal: AbortSignal) => Promise<Posted>;

const WITHIN_MS = 10_000;
const ANSWER_BYTES_MAX = 64 * 1024;
const AFTER_MS_MAX = 60_000;
/** The statuses after which the protocol says to try again. */
const PASSING: ReadonlySet<number> = new Set([429, 502, 503, 504]);

export const postWith =
  (headers: Readonly<Record<string, string>>): Post =>
  async (url, body, signal) => {
    try {
      const response = await fetch(url, {
        method: "POST",
        headers: { ...headers, "content-type": "application/json" },
        body: Buffer.from(body),
        redirect: "error",
        signal: AbortSignal.any([signal, AbortSignal.timeout(WITHIN_MS)]),
      });
      const { status } = response;
      const bytes = await beginningOf(response.body, ANSWER_BYTES_MAX);
      if (response.ok) return { what: "taken", rejected: rejectedIn(bytes) };
      if (!PASSING.has(status)) return { what: "refused", why: `HTTP ${status}` };
      const seconds = Number(response.headers.get("retry-after") ?? Number.NaN);
      return {
        what: "again",
        why: `HTTP ${status}`,
        ...(seconds > 0 && { afterMs: Math.min(AFTER_MS_MAX, seconds * 1_000) }),
      };
    } catch (error) {
      return { what: "again", why: codeIn(error) };
    }
  };

/** The protocol's `partialSuccess`. */
function rejectedIn(bytes: Buffer): number {
  const told = bytes.length > ANSWER_BYTES_MAX ? undefined : jsonIn(bytes.toString("utf8"));
  const { partialSuccess } = Object(told) as { partialSuccess?: Record<string, unknown> | null };
  const count = Number(partialSuccess?.["rejectedSpans"] ?? 0);
  return Number.isSafeInteger(count) && count > 0 ? count : 0;
}

function codeIn(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  if (isSystemError(cause)) return cause.code;
  return error instanceof Error ? error.name : "UNKNOWN";
}
