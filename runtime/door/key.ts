// Key
// A sender's idempotency key.
//
//   Owns:          the allowed form of a key.
//   Does not own:  what happens when a key is repeated (door).

import { RefusedError } from "../errors/errors.ts";

/** The field with a sender's idempotency key, checked; no field if the sender gave none. @throws RefusedError BAD_KEY */
export function keyOf(key: string | undefined): { readonly key?: string } {
  if (key === undefined) return {};
  if (/^[\x20-\x7e]{1,256}$/.test(key)) return { key };
  throw new RefusedError(
    "BAD_KEY",
    "The Idempotency-Key is not 1 to 256 printable characters.",
    "Send a UUID as the Idempotency-Key, for example.",
    "Idempotency-Key",
  );
}
