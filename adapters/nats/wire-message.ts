// Wire message
// A message of the stream, as it is published and read.
//
//   Owns:          the message's shape and length.
//   Does not own:  the message's content (wire.ts), reading headers (headers.ts), what others may publish (foreign.ts).

import type { Msg } from "nats";
import { headBytes } from "./headers.ts";

export interface WireMessage {
  readonly subject: string;
  readonly headers: ReadonlyMap<string, string>;
  readonly payload: Uint8Array;
}

/** The size of subject, headers and payload. */
export const lengthOf = (message: Msg): number =>
  message.subject.length + headBytes(message).length + message.data.length;
