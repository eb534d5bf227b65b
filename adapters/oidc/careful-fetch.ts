// Careful fetch
// Asks an identity provider over HTTP, and takes no more than an answer can need.
//
//   Owns:          the limits of size and time, refusing addresses without TLS.
//   Does not own:  the requests (provider).
//
// CAREFUL-FETCH-1. An answer of more than 256 KiB is not read to its end, and one that is not whole in time counts as
//     none.
// CAREFUL-FETCH-2. Nobody is asked over plain HTTP but on loopback, and no redirect is followed.

import { isIP } from "node:net";
import { isLoopback } from "../../runtime/line/handshake.ts";

const BYTES_MAX = 256 * 1024;

/** @returns whether a provider may be asked there: by https, or on this machine. */
export function isSafe({ protocol, hostname }: URL): boolean {
  const host = hostname.replace(/^\[|\]$/g, "");
  const isHere = host === "localhost" || (isIP(host) !== 0 && isLoopback(host));
  return protocol === "https:" || (protocol === "http:" && isHere);
}

interface Sent {
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly body?: unknown;
  readonly signal?: AbortSignal;
}

/**
 * @param patienceMs for the whole answer. @returns the answer, whole.
 * @throws Error for one that is too large, too late, or not to be asked for.
 */
export async function carefulFetch(
  address: string,
  { method, headers, body, signal }: Sent,
  patienceMs: number,
): Promise<Response> {
  if (!isSafe(new URL(address))) throw new Error("The provider names an address without TLS.");
  const inTime = AbortSignal.timeout(patienceMs);
  const response = await fetch(address, {
    method,
    headers,
    redirect: "manual",
    signal: signal ? AbortSignal.any([signal, inTime]) : inTime,
    // Only texts and forms are sent.
    ...(body !== undefined && body !== null && { body: body as string | URLSearchParams }),
  });
  const bytes = await bytesOf(response);
  const { status, statusText, headers: answered } = response;
  return new Response(bytes.byteLength === 0 ? null : bytes, { status, statusText, headers: answered });
}

async function bytesOf({ body }: Response): Promise<Uint8Array<ArrayBuffer>> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  // Node's stream of an answer can be read this way, although its type does not say so.
  for await (const piece of (body ?? []) as AsyncIterable<Uint8Array>) {
    size += piece.byteLength;
    if (size > BYTES_MAX) throw new Error("The provider's answer is too large.");
    pieces.push(piece);
  }
  return new Uint8Array(Buffer.concat(pieces));
}
