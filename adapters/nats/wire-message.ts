// Wire message
// A message of the stream, as it is published and read.
//
//   Owns:          its shape and length; reading its headers.
//   Does not own:  its content (wire.ts), what others may publish (foreign.ts).

import type { Msg, MsgHdrs } from "nats";

export interface WireMessage {
  readonly subject: string;
  readonly headers: ReadonlyMap<string, string>;
  readonly payload: Uint8Array;
}

/** @returns undefined if the headers are malformed, so that no client can read them. */
export function headersOf(read: () => MsgHdrs | undefined): ReadonlyMap<string, string> | undefined {
  try {
    return new Map(Array.from(read() ?? [], ([name, values]) => [name, values.join(", ")]));
  } catch {
    return undefined;
  }
}

/** The size of subject, headers and payload: the client measures the whole message, although its types do not say so. */
export function lengthOf(message: Msg): number {
  const { subject, reply = "", data } = message;
  const size: unknown =
    "size" in message && typeof message.size === "function" ? Reflect.apply(message.size, message, []) : 0;
  return Math.max(Number(size) - reply.length, subject.length + data.length);
}

/** The headers' length, in the form that clients write. */
export function headerLength(headers: ReadonlyMap<string, string> | undefined): number {
  if (!headers || headers.size === 0) return 0;
  const lines = Array.from(headers, ([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.byteLength(`NATS/1.0\r\n${lines.join("")}\r\n`);
}
