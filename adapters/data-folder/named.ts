// Named
// The tokens of people: each a file of the folder `tokens`, named as its holder.
//
//   Owns:          what a name may be, making and reading them.
//   Does not own:  what they open (http).

import { mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import { RefusedError } from "../../runtime/errors.ts";
import { makeFolder, type DataFolder } from "./place.ts";
import { ensureSecret, readSecret } from "./secret.ts";

const NAME = /^[a-z0-9][a-z0-9_-]{0,62}$/;

/** Makes a person's token, unless there is one. @returns its file. @throws RefusedError BAD_NAME */
export async function addNamed(folder: DataFolder, name: string): Promise<string> {
  if (!NAME.test(name)) {
    throw new RefusedError(
      "BAD_NAME",
      `"${name}" is no name for a token.`,
      "Use lower-case letters, digits, - and _, at most 63.",
    );
  }
  await makeFolder(folder);
  await mkdir(folder.tokens, { recursive: true, mode: 0o700 });
  const path = join(folder.tokens, name);
  await ensureSecret(path);
  return path;
}

/** @returns every person's token; files that are none are passed over. */
export async function readNamed(folder: DataFolder): Promise<readonly { name: string; token: string }[]> {
  const names = await readdir(folder.tokens).catch((error: unknown) => {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return [];
    throw error;
  });
  const found = names.filter((name) => NAME.test(name)).sort();
  const read = await Promise.all(
    found.map(async (name) => ({ name, token: await readSecret(join(folder.tokens, name)) })),
  );
  return read.flatMap(({ name, token }) => (token === undefined ? [] : [{ name, token }]));
}
