// Token
// The secret that opens the HTTP door: made once, kept beside the data, read by the commands.
//
//   Owns:          making, writing and reading it.
//   Does not own:  checking it (http), sending it (cli).
//
// D1. The file is whole or not there, and readable by its user only.
// D2. Two that make it at once end with the same one.

import { randomBytes, randomUUID } from "node:crypto";
import { chmod, link, open, readFile, unlink } from "node:fs/promises";
import type { DataFolder } from "./place.ts";

const TOKEN_BYTES = 32;

/** @returns the folder's token, made first where there is none. The folder must be there. */
export async function ensureToken(folder: DataFolder): Promise<string> {
  const found = await readToken(folder);
  if (found !== undefined) {
    await chmod(folder.token, 0o600);
    return found;
  }
  const draft = `${folder.token}.${randomUUID()}`;
  try {
    await writeWhole(draft, `${randomBytes(TOKEN_BYTES).toString("base64url")}\n`);
    await link(draft, folder.token).catch(ignore("EEXIST"));
  } finally {
    await unlink(draft).catch(ignore("ENOENT"));
  }
  const made = await readToken(folder);
  if (made === undefined) throw new Error(`The file ${folder.token} is empty. Delete it; a new one is made.`);
  return made;
}

/** @returns the token; undefined when the folder has none. @throws the file system's error when it may not be read. */
export async function readToken(folder: DataFolder): Promise<string | undefined> {
  const text = await readFile(folder.token, "utf8").catch(ignore("ENOENT"));
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
