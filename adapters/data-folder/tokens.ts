// Tokens
// The users' tokens. Each token is a file in the folder `tokens`, named after its holder.
//
//   Owns:          which names are valid; creating, reading and removing tokens.
//   Does not own:  the access that a token gives (grants, http).
//
// TOKENS-1. A token that could be guessed is refused.

import { mkdir, readdir, stat, unlink } from "node:fs/promises";
import { join } from "node:path";
import { defined } from "../../machines/defined.ts";
import { isThere, unlessMissing } from "../../runtime/errors/system-codes.ts";
import {
  type Access,
  type AccessToken,
  bareToken,
  EVERYTHING,
  isSameAccess,
  LIMITED,
  type ListedToken,
  PARTS,
} from "../../runtime/access-token.ts";
import { RefusedError } from "../../runtime/errors/errors.ts";
import { makeFolder } from "./make.ts";
import type { DataFolder } from "./place.ts";
import { readGrant, removeGrant, writeGrant } from "./grants.ts";
import { ensureSecret, newSecret, readSecret } from "./secret.ts";
import { inWords } from "./trouble.ts";

const NAME = /^[a-z0-9][a-z0-9_-]{0,62}$/;
/** The least length of a token: that of 128 random bits in base64url. Tokens that this file creates have 43 characters. */
const CHARACTERS_MIN = 22;

/**
 * @param access what the token may do; by default everything. An existing token keeps its access.
 * @returns the token's file.
 * @throws RefusedError BAD_NAME
 */
export async function addToken(
  folder: DataFolder,
  name: string,
  access?: Access,
  token: string = newSecret(),
): Promise<string> {
  checkName(name);
  await makeFolder(folder);
  await inWords(folder.dir, () => mkdir(folder.tokens, { recursive: true, mode: 0o700 }), true);
  const path = join(folder.tokens, name);
  const before = await readSecret(path);
  if (before !== undefined) {
    if (access) await writeGrant(path, before, access);
    return path;
  }
  const isLimited = access !== undefined && !isSameAccess(access, EVERYTHING);
  const made = `${isLimited ? LIMITED : ""}${token}`;
  if (isLimited) await writeGrant(path, made, access);
  else await removeGrant(path);
  await ensureSecret(path, () => made);
  return path;
}

/** @returns false if the token did not exist. @throws RefusedError BAD_NAME */
export async function removeToken(folder: DataFolder, name: string): Promise<boolean> {
  checkName(name);
  const path = join(folder.tokens, name);
  const remove = (): Promise<boolean> => isThere(unlink(path));
  const wasThere = await inWords(folder.tokens, remove, true);
  await removeGrant(path);
  return wasThere;
}

/** Reads all tokens of the folder; other files there are skipped. @throws RefusedError WEAK_TOKEN */
export async function readTokens(folder: DataFolder): Promise<readonly AccessToken[]> {
  const read = await Promise.all((await namesIn(folder)).map((name) => readToken(folder, name)));
  return read.flatMap((one) => {
    if (one === undefined) return [];
    checkAccessToken(one, `The token in ${join(folder.tokens, one.name)}`);
    return [one];
  });
}

async function readToken(folder: DataFolder, name: string): Promise<AccessToken | undefined> {
  const path = join(folder.tokens, name);
  const text = await readSecret(path);
  if (text === undefined) return undefined;
  const access = await readGrant(path, text);
  return { name, token: bareToken(text), ...(access && { access }) };
}

export async function listTokens(folder: DataFolder): Promise<readonly ListedToken[]> {
  const names = await namesIn(folder);
  const listed = async (name: string): Promise<readonly ListedToken[]> => {
    const one = await readToken(folder, name);
    if (!one) return [];
    const since = Math.round((await stat(join(folder.tokens, name))).mtimeMs);
    const { parts, workspaces, vouches } = one.access ?? EVERYTHING;
    const told = { name, since, parts: PARTS.filter((part) => parts.has(part)), ...defined({ vouches }) };
    return [{ ...told, ...(workspaces && { workspaces: [...workspaces].sort() }) }];
  };
  return inWords(folder.tokens, async () => (await Promise.all(names.map(listed))).flat());
}

async function namesIn(folder: DataFolder): Promise<readonly string[]> {
  const names = await inWords(folder.tokens, () => unlessMissing(readdir(folder.tokens)));
  return (names ?? []).filter((name) => NAME.test(name)).sort();
}

/** @throws RefusedError BAD_NAME, WEAK_TOKEN */
export function checkAccessToken({ name, token }: AccessToken, what: string): void {
  checkName(name);
  checkToken(token, what);
}

/** @throws RefusedError WEAK_TOKEN for a token that is not random, or was cut off. */
export function checkToken(token: string, what: string): void {
  if (token.length >= CHARACTERS_MIN) return;
  throw new RefusedError(
    "WEAK_TOKEN",
    `${what} is short enough to be guessed.`,
    "Use a random token: delete the old file, then `npx signalbox token add NAME` makes a new one.",
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
