// Seal
// The seal by which an engine recognises its own messages: an HMAC with the data folder's key.
//
//   Owns:          making and checking the seal of one message.
//   Does not own:  the key (data folder), the content of a sealed message (wire.ts).
//   Decided in:    docs/decisions/0018-sealed-messages.md.
//
// SEAL-1. A seal covers the subject, Signalbox's header and every byte of the body: if any of them changes, the seal does not
//     fit.

import { createHmac, timingSafeEqual } from "node:crypto";

/** The sealed parts of a message. Neither text contains a line end. */
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

/** True if `found` is the seal of this message under this key. */
export function isSeal(found: string, message: Sealable, key: Uint8Array): boolean {
  const [given, right] = [Buffer.from(found), Buffer.from(seal(message, key))];
  return given.length === right.length && timingSafeEqual(given, right);
}
