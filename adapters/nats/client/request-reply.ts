// Request and reply
// Sends a request to the engine and waits for the reply: a query, a decision, a page of changes.
//
//   Owns:          the form of request and reply, errors in a reply.
//   Does not own:  the content of requests (queries, client, feed), retrying (attempts).

import type { Msg } from "nats";
import { headersWith } from "../connect.ts";
import { defined } from "../../../machines/defined.ts";
import { RefusedError, RetryableError } from "../../../runtime/errors/errors.ts";
import { attempts } from "./attempts.ts";
import type { Link } from "./link.ts";

export class AmbiguousError extends RefusedError {
  readonly candidates: readonly unknown[];

  constructor(message: string, next: string, candidates: readonly unknown[]) {
    super("AMBIGUOUS", message, next, "id");
    this.candidates = candidates;
  }
}

const RETRY_MS = 1_000;

/** Repeats the request until a reply comes. @returns the reply's body. @throws the engine's RefusedError, or a RetryableError. */
export function requestReply(
  link: Link,
  subject: string,
  payload: object,
  {
    key,
    deadlineMs = link.settings.deadlineMs,
  }: { readonly key?: string; readonly deadlineMs?: number } = {},
): Promise<unknown> {
  const body = Buffer.from(JSON.stringify(payload));
  return attempts(link, subject, deadlineMs, async (timeoutMs) => {
    const headers = headersWith(Object.entries(defined({ "Idempotency-Key": key })));
    return bodyOf(await link.connection.request(subject, body, { timeout: timeoutMs, headers }));
  });
}

/** @returns the reply's body. @throws the error that the reply contains. */
function bodyOf(message: Msg): unknown {
  const header = (name: string): string => message.headers?.get(name) ?? "";
  const body: unknown = message.data.length === 0 ? undefined : message.json();
  const status = Number(header("Nats-Service-Error-Code"));
  // A reply with an error code and a `result` says that a decision does not count. The reply is returned, not thrown as an error.
  if (header("Nats-Service-Error-Code") === "" || textAt(body, "result") !== "") return body;
  const error = at(body, "error");
  const code = textAt(error, "code") || "REFUSED";
  const text = textAt(error, "message") || header("Nats-Service-Error");
  const next = textAt(error, "next");
  if (status === 429 || status >= 500) {
    const afterS = Number(header("Retry-After"));
    throw new RetryableError(code, text, next, afterS > 0 ? afterS * 1_000 : RETRY_MS);
  }
  const candidates = at(body, "candidates");
  if (Array.isArray(candidates)) throw new AmbiguousError(text, next, candidates);
  throw new RefusedError(code, text, next, textAt(error, "path") || undefined);
}

const at = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null ? (Reflect.get(value, name) as unknown) : undefined;

function textAt(value: unknown, name: string): string {
  const found = at(value, name);
  return typeof found === "string" ? found : "";
}
