// Sealed
// The part of a backup that is encrypted with a passphrase.
//
//   Owns:          the cipher, how the cipher's key is derived from a passphrase, which passphrases are too short.
//   Does not own:  the prompt for a passphrase (cli), what is encrypted (composition).
//
// BACKUP-FILE-SEALED-1. Without the passphrase, nothing of the encrypted part can be read. Each guess of a passphrase costs 64
//     MiB of memory for scrypt.
// BACKUP-FILE-SEALED-2. The encrypted part is bound to the digest of everything before it. So the passphrase does not open a
//     backup that somebody has forged or altered.

import { createCipheriv, createDecipheriv, randomBytes, scrypt } from "node:crypto";
import { z } from "zod";
import { RefusedError } from "../../runtime/errors/errors.ts";
import type { Head } from "./frame.ts";

const CIPHER = "aes-256-gcm";
const COST = { N: 1 << 16, r: 8, p: 1, maxmem: 128 << 20 };
const CHARACTERS_MIN = 8;

const bytes = (length: number) =>
  z
    .string()
    .transform((text) => Buffer.from(text, "hex"))
    .refine((found) => found.length === length);
const sealHead = z.object({ salt: bytes(16), iv: bytes(12), tag: bytes(16) });

/** @throws RefusedError WEAK_PASSPHRASE */
export function checkPassphrase(passphrase: string): void {
  if (passphrase.length >= CHARACTERS_MIN) return;
  throw new RefusedError(
    "WEAK_PASSPHRASE",
    `The passphrase has fewer than ${CHARACTERS_MIN} characters, so it could be guessed.`,
    "Use a longer passphrase, for example four random words.",
  );
}

/** @param before the digest of everything before this part. @returns the head's fields and the body. */
export async function sealed(text: string, passphrase: string, before: Buffer) {
  const [salt, iv] = [randomBytes(16), randomBytes(12)];
  const cipher = createCipheriv(CIPHER, await keyOf(passphrase, salt), iv).setAAD(before);
  const body = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
  const head = {
    salt: salt.toString("hex"),
    iv: iv.toString("hex"),
    tag: cipher.getAuthTag().toString("hex"),
  };
  return { head, body };
}

/** @throws RefusedError WRONG_PASSPHRASE */
export async function openSealed(
  head: Head,
  body: Buffer,
  passphrase: string,
  before: Buffer,
): Promise<string> {
  try {
    const { salt, iv, tag } = sealHead.parse(head);
    const key = await keyOf(passphrase, salt);
    const decipher = createDecipheriv(CIPHER, key, iv, { authTagLength: 16 }).setAAD(before).setAuthTag(tag);
    return Buffer.concat([decipher.update(body), decipher.final()]).toString("utf8");
  } catch {
    throw new RefusedError(
      "WRONG_PASSPHRASE",
      "The passphrase does not decrypt the engine's key and the tokens: it is wrong, or somebody forged or altered the backup.",
      "Nothing was restored. Try the right passphrase; if you trust the file, `--no-key` restores all but the key and the tokens.",
    );
  }
}

const keyOf = (passphrase: string, salt: Buffer): Promise<Buffer> =>
  new Promise((resolve, reject) =>
    scrypt(passphrase.normalize("NFKC"), salt, 32, COST, (error, key) =>
      error ? reject(error) : resolve(key),
    ),
  );
