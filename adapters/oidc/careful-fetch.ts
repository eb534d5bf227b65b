// Careful fetch
// Sends HTTP requests to an identity provider, with limits on the answer.
//
//   Owns:          the limits of size and time, refusing addresses without TLS.
//   Does not own:  which requests are sent (provider).
//
// CAREFUL-FETCH-1. An answer of more than 256 KiB is not read to its end. An answer that is not complete in time is dropped.
// CAREFUL-FETCH-2. Plain HTTP is used only on loopback, and no redirect is followed.

import { beginningOf } from "../../runtime/line/exchange.ts";
import { isUnread } from "../../runtime/line/here.ts";

const BYTES_MAX = 256 * 1024;

interface Sent {
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly body?: unknown;
  readonly signal?: AbortSignal;
}

/**
 * @param patienceMs for the whole answer. @returns the complete answer.
 * @throws Error for an answer that is too large or too late, and for a forbidden address.
 */
export async function carefulFetch(
  address: string,
  { method, headers, body, signal }: Sent,
  patienceMs: number,
): Promise<Response> {
  if (!isUnread(new URL(address))) throw new Error("The provider names an address without TLS.");
  const inTime = AbortSignal.timeout(patienceMs);
  const response = await fetch(address, {
    method,
    headers,
    redirect: "manual",
    signal: signal ? AbortSignal.any([signal, inTime]) : inTime,
    // Only texts and forms are sent.
    ...(body !== undefined && body !== null && { body: body as string | URLSearchParams }),
  });
  const bytes = new Uint8Array(await beginningOf(response.body, BYTES_MAX));
  if (bytes.byteLength > BYTES_MAX) throw new Error("The provider's answer is too large.");
  const { status, statusText, headers: answered } = response;
  return new Response(bytes.byteLength === 0 ? null : bytes, { status, statusText, headers: answered });
}
