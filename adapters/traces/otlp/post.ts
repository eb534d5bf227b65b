// Post
// Sends one body to a collector, and returns the outcome.
//
//   Owns:          the request, its time limit, reading the answer.
//   Does not own:  repeating a request (exporter).
//
// POST-1. A redirect counts as a failure, so that the headers from the file are sent only to the configured address.
// POST-2. Of an answer, at most 64 KiB are read. Only the number of rejected spans is taken from it; its text is never printed.

import { jsonIn } from "../../../machines/json.ts";
import { beginningOf } from "../../../runtime/line/exchange.ts";
import { isSystemError } from "../../../runtime/errors/trouble.ts";

/**
 * The collector's answer. `taken`: accepted, except for `rejected` spans. `again`: a later try may succeed; `refused`: none will.
 */
export type Posted =
  | { readonly what: "taken"; readonly rejected: number }
  | { readonly what: "again"; readonly why: string; readonly afterMs?: number }
  | { readonly what: "refused"; readonly why: string };

/** @param signal ends the request when it is aborted. */
export type Post = (url: string, body: string, signal: AbortSignal) => Promise<Posted>;

const WITHIN_MS = 10_000;
const ANSWER_BYTES_MAX = 64 * 1024;
const AFTER_MS_MAX = 60_000;
/** The HTTP statuses after which, by the protocol, the sender tries again. */
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
