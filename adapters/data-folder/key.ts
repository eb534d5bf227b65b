// Key
// The engine's seal key: it makes the HMAC of the engine's own messages in a journal that others write to, too.
//
//   Owns:          its form in the folder, how the folder's record names it.
//   Does not own:  sealing (nats).

import { hash } from "node:crypto";
import { RefusedError } from "../../runtime/errors/errors.ts";
import type { DataFolder } from "./place.ts";
import { ensureSecret, readSecret } from "./secret.ts";

const KEY_BYTES = 32;
const MARK_DIGITS = 16;

/** @returns the folder's key, created if missing. @throws RefusedError BAD_KEY when the file holds something else. */
export async function ensureKey({ key }: DataFolder): Promise<Uint8Array> {
  const bytes = Buffer.from(await ensureSecret(key), "base64url");
  if (bytes.length === KEY_BYTES) return bytes;
  throw new RefusedError(
    "BAD_KEY",
    `The file ${key} does not hold a key of ${KEY_BYTES} bytes.`,
    "Put the right key back. With another key the engine refuses its own messages in the journal.",
  );
}

/** @returns what tells the folder's key from any other, and does not tell the key; undefined when there is none. */
export async function keyMark({ key }: DataFolder): Promise<string | undefined> {
  const text = await readSecret(key);
  return text === undefined ? undefined : hash("sha256", `mark ${text}`, "hex").slice(0, MARK_DIGITS);
}
