// Wire message
// A message of the stream, as it is published and read.
//
//   Owns:          the message's shape.
//   Does not own:  the message's content (wire.ts), reading headers (headers.ts), what others may publish (foreign.ts).

export interface WireMessage {
  readonly subject: string;
  readonly headers: ReadonlyMap<string, string>;
  readonly payload: Uint8Array;
}
