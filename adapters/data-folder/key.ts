// Key
// The engine's seal key. With it, the engine makes the HMAC of its own messages in a journal into which others write, too.
//
//   Owns:          the form of the key's file; the hash of the key in the file `folder.json`, by which a start notices that the
//                  key is another one (record).
//   Does not own:  sealing (nats).
//
// DATA-FOLDER-KEY-1. The data folder of a spare gets a copy of the seal key of the journal's owner. If the folder has a different
//     key already, that key stays, and the copy is refused.

import { hash } from "node:crypto";
import { RefusedError } from "../../runtime/errors/errors.ts";
import type { DataFolder } from "./place.ts";
import { ensureSecret, readSecret } from "./secret.ts";

const KEY_BYTES = 32;
const MARK_DIGITS = 16;

/** @returns the folder's key, created if missing. @throws RefusedError BAD_KEY if the file contains something else. */
export async function ensureKey({ key }: DataFolder): Promise<Uint8Array> {
  const bytes = Buffer.from(await ensureSecret(key), "base64url");
  if (bytes.length === KEY_BYTES) return bytes;
  throw new RefusedError(
    "BAD_KEY",
    `The file ${key} does not hold a key of ${KEY_BYTES} bytes.`,
    "Put the right key back. With another key the engine refuses its own messages in the journal.",
  );
}

/** Copies the owner's seal key from `file` into a spare's folder. @throws RefusedError NO_KEY, BAD_KEY, KEY_DIFFERS */
export async function takeKey(folder: DataFolder, file: string): Promise<Uint8Array> {
  const given = await readSecret(file);
  if (given === undefined)
    throw new RefusedError(
      "NO_KEY",
      `There is no key in ${file}.`,
      "Copy the file `key` of the owner's data folder to this path.",
    );
  const own = await ensureSecret(folder.key, () => given);
  if (own !== given)
    throw new RefusedError(
      "KEY_DIFFERS",
      `The data folder ${folder.dir} has another key than ${file}, so neither of the two engines would accept the other's messages.`,
      "Name the key of the engine that owns the journal. To run a spare with a new folder, choose another --data.",
    );
  return ensureKey(folder);
}

/** @returns a text that is different for each key but does not reveal the key; undefined if there is no key. */
export async function keyMark({ key }: DataFolder): Promise<string | undefined> {
  const text = await readSecret(key);
  return text === undefined ? undefined : hash("sha256", `mark ${text}`, "hex").slice(0, MARK_DIGITS);
}
