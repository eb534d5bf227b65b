// Key
// The engine's seal key: it makes the HMAC of the engine's own messages in a journal that others write to, too.
//
//   Owns:          its form in the folder.
//   Does not own:  sealing (nats).

import { RefusedError } from "../../runtime/errors.ts";
import type { DataFolder } from "./place.ts";
import { ensureSecret } from "./secret.ts";

const KEY_BYTES = 32;

/** @returns the folder's key, created if missing. @throws RefusedError BAD_KEY when the file holds something else. */
export async function ensureKey({ key }: DataFolder): Promise<Uint8Array> {
  const bytes = Buffer.from(await ensureSecret(key), "base64url");
  if (bytes.length === KEY_BYTES) return bytes;
  throw new RefusedError(
    "BAD_KEY",
    `The file ${key} does not hold a key of ${KEY_BYTES} bytes.`,
    "Put the right key back. With another key the engine refuses what it wrote into the journal itself.",
  );
}
