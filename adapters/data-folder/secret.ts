// Secret
// A file of random text, made once: the token of the HTTP door, the engine's seal key, the private NATS server's token.
//
//   Owns:          making, writing and reading it.
//   Does not own:  what it opens.
//
// D1. The file is whole or not there, and readable by its user only.
// D2. Two that make it at once end with the same one.

import { randomBytes, randomUUID } from "node:crypto";
import { chmod, link, open, readFile, unlink } from "node:fs/promises";

const SECRET_BYTES = 32;

/**
 * @param path in a folder that is there.
 * @returns the secret, made first where there is none: 32 bytes as base64url.
 * @throws Error for an empty file; the file system's errors.
 */
export async function ensureSecret(path: string): Promise<string> {
  const found = await readSecret(path);
  if (found !== undefined) {
    await chmod(path, 0o600);
    return found;
  }
  const draft = `${path}.${randomUUID()}`;
  try {
    await writeWhole(draft, `${randomBytes(SECRET_BYTES).toString("base64url")}\n`);
    await link(draft, path).catch(ignore("EEXIST"));
  } finally {
    await unlink(draft).catch(ignore("ENOENT"));
  }
  const made = await readSecret(path);
  if (made === undefined) throw new Error(`The file ${path} is empty. Delete it; a new one is made.`);
  return made;
}

/** @returns the secret; undefined when there is none. @throws the file system's error when it may not be read. */
export async function readSecret(path: string): Promise<string | undefined> {
  const text = await readFile(path, "utf8").catch(ignore("ENOENT"));
  return text?.trim() || undefined;
}

async function writeWhole(path: string, text: string): Promise<void> {
  const file = await open(path, "wx", 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}

function ignore(code: string): (error: unknown) => undefined {
  return (error) => {
    if (error instanceof Error && "code" in error && error.code === code) return undefined;
    throw error;
  };
}
