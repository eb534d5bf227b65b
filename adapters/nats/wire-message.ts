// Wire message
// A message of the stream, as it is published and read.
//
//   Owns:          its shape.
//   Does not own:  what it says (wire.ts), what others may publish (foreign.ts).

export interface WireMessage {
  readonly subject: string;
  readonly headers: ReadonlyMap<string, string>;
  readonly payload: Uint8Array;
}
