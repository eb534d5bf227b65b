// Tokens
// People's tokens: one file each in the folder `tokens`, named after its holder.
//
//   Owns:          which names are valid; creating, reading and removing tokens.
//   Does not own:  what they open (http).
//
// TOKENS-1. A guessable token is refused, not used.

import { mkdir, readdir, stat, unlink } from "node:fs/promises";
import { join } from "node:path";
import type { AccessToken } from "../../runtime/access-token.ts";
import { RefusedError } from "../../runtime/errors/errors.ts";
import { makeFolder } from "./make.ts";
import type { DataFolder } from "./place.ts";
import { ensureSecret, readSecret } from "./secret.ts";
import { isMissing } from "../../runtime/errors/trouble.ts";
import { inWords } from "./trouble.ts";

const NAME = /^[a-z0-9][a-z0-9_-]{0,62}$/;
/** 128 bits as base64url. A token created here has 43 characters. */
const CHARACTERS_MIN = 22;

/**
 * Creates a person's token, unless there is one.
 * @param token by default a new one. @returns its file. @throws RefusedError BAD_NAME
 */
export async function addToken(folder: DataFolder, name: string, token?: string): Promise<string> {
  checkName(name);
  await makeFolder(folder);
  await inWords(folder.dir, () => mkdir(folder.tokens, { recursive: true, mode: 0o700 }), true);
  const path = join(folder.tokens, name);
  await ensureSecret(path, token === undefined ? undefined : () => token);
  return path;
}

/** Removes a person's token. @returns false when there was none. @throws RefusedError BAD_NAME */
export async function removeToken(folder: DataFolder, name: string): Promise<boolean> {
  checkName(name);
  const path = join(folder.tokens, name);
  const remove = (): Promise<boolean> => unlink(path).then(() => true, missing(false));
  return inWords(folder.tokens, remove, true);
}

/** @returns every person's token, by name; other files are skipped. @throws RefusedError WEAK_TOKEN */
export async function readTokens(folder: DataFolder): Promise<readonly AccessToken[]> {
  const read = await Promise.all(
    (await namesIn(folder)).map(async (name) => ({
      name,
      token: await readSecret(join(folder.tokens, name)),
    })),
  );
  return read.flatMap(({ name, token }) => {
    if (token === undefined) return [];
    const one = { name, token };
    checkAccessToken(one, `The token in ${join(folder.tokens, name)}`);
    return [one];
  });
}

/** @returns who has a token, by name, and since when, ms. */
export async function listTokens(folder: DataFolder): Promise<readonly { name: string; since: number }[]> {
  const names = await namesIn(folder);
  const sinceOf = async (name: string): Promise<number> =>
    Math.round((await stat(join(folder.tokens, name))).mtimeMs);
  return inWords(folder.tokens, () =>
    Promise.all(names.map(async (name) => ({ name, since: await sinceOf(name) }))),
  );
}

async function namesIn(folder: DataFolder): Promise<readonly string[]> {
  const names = await inWords(folder.tokens, () => readdir(folder.tokens).catch(missing([])));
  return names.filter((name) => NAME.test(name)).sort();
}

function missing<T>(instead: T): (error: unknown) => T {
  return (error) => {
    if (isMissing(error)) return instead;
    throw error;
  };
}

/** When a blob was last stored, ms; Infinity when it is missing. */
export function checkAccessToken({ name, token }: AccessToken, what: string): void {
  checkName(name);
  checkToken(token, what);
}

/** @throws RefusedError WEAK_TOKEN for one that is not random, or cut. */
export function checkToken(token: string, what: string): void {
  if (token.length >= CHARACTERS_MIN) return;
  throw new RefusedError(
    "WEAK_TOKEN",
    `${what} is short enough to be guessed.`,
    "Use a random one: `npx signalbox token add NAME` makes one, once the old file is deleted.",
  );
}

function checkName(name: string): void {
  if (NAME.test(name)) return;
  throw new RefusedError(
    "BAD_NAME",
    `"${name}" is no name for a token.`,
    "Use lower-case letters, digits, - and _, at most 63.",
  );
}
