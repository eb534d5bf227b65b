// Secret
// A file of random text, created once: the line key, the engine's seal key, a seed.
//
//   Owns:          creating and reading a secret's file.
//   Does not own:  what a secret gives access to, who may own its file (own-file.ts).
//
// SECRET-1. The file of a secret is complete or absent, and readable only by its user.
// SECRET-2. If two processes create a secret at once, both end up with the same one.

import { randomBytes } from "node:crypto";
import { RefusedError } from "../../runtime/errors/errors.ts";
import { pasted } from "../../runtime/text/quoted.ts";
import { makeOwn, readOwn } from "./own-file.ts";

const SECRET_BYTES = 32;

export const newSecret = (): string => randomBytes(SECRET_BYTES).toString("base64url");

/**
 * @param path a path in an existing folder.
 * @param make makes the text if the file is missing.
 * @throws RefusedError EMPTY_SECRET; as `readOwn` does.
 */
export async function ensureSecret(path: string, make: () => string = newSecret): Promise<string> {
  const found = await readSecret(path);
  if (found !== undefined) return found;
  const made = await makeOwn(path, `${make()}\n`);
  const secret = made?.trim();
  if (!secret) throw empty(path);
  return secret;
}

/** @returns the secret; undefined if the file is missing. @throws RefusedError as `readOwn` does. */
export async function readSecret(path: string): Promise<string | undefined> {
  const text = await readOwn(path, true);
  return text?.trim() || undefined;
}

const empty = (path: string): RefusedError =>
  new RefusedError(
    "EMPTY_SECRET",
    `The file ${path} is empty.`,
    `Delete it; a new one is made: rm ${pasted(path)}`,
  );
