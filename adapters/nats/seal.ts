// Seal
// The seal by which an engine recognises its own messages: an HMAC that is made with the data folder's key.
//
//   Owns:          making and checking the seal of one message.
//   Does not own:  the key (data folder), the content of a sealed message (wire.ts).
//   Decided in:    docs/decisions/0018-sealed-messages.md.
//
// SEAL-1. The seal does not fit any more if the subject, Signalbox's header or any byte of the body has changed.

import { createHmac, timingSafeEqual } from "node:crypto";

/** What a seal covers. `aside` is what stands in a header beside the body. `subject` and `aside` contain no line end. */
export interface Sealable {
  readonly subject: string;
  readonly aside: string;
  readonly payload: Uint8Array;
}

const VERSION = "v1";

export function seal({ subject, aside, payload }: Sealable, key: Uint8Array): string {
  const mac = createHmac("sha256", key).update(`${VERSION}\n${subject}\n${aside}\n`).update(payload);
  return `${VERSION}:${mac.digest("hex")}`;
}

export function isSeal(found: string, message: Sealable, key: Uint8Array): boolean {
  const [given, right] = [Buffer.from(found), Buffer.from(seal(message, key))];
  return given.length === right.length && timingSafeEqual(given, right);
}
