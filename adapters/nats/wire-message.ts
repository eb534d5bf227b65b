// Wire message
// A message of the stream, as it is published and read.
//
//   Owns:          its shape; reading its headers.
//   Does not own:  what it says (wire.ts), what others may publish (foreign.ts).

import type { MsgHdrs } from "nats";

export interface WireMessage {
  readonly subject: string;
  readonly headers: ReadonlyMap<string, string>;
  readonly payload: Uint8Array;
}

/** @returns undefined when the headers are such that no client can read them. */
export function headersOf(read: () => MsgHdrs | undefined): ReadonlyMap<string, string> | undefined {
  try {
    return new Map(Array.from(read() ?? [], ([name, values]) => [name, values.join(", ")]));
  } catch {
    return undefined;
  }
}
