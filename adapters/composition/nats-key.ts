// NATS key
// A NATS key on disk: made, read, and tied to the private server whose folder contains it.
//
//   Owns:          the form of a seed file, which keys belong to a private server.
//   Does not own:  the file's owner and mode (data-folder), how a server is recognised (nats-server), using the key (nats).
//
// NATS-KEY-1. The key of a private server comes with a check that recognises this server, and is used with no other server.
// NATS-KEY-2. A private server is recognised by files in its folder. These files count only after a check that nobody but this
//     user can enter the folder.

import { stat } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { unlessMissing } from "../../runtime/errors/system-codes.ts";
import { RefusedError } from "../../runtime/errors/errors.ts";
import { pasted } from "../../runtime/text/quoted.ts";
import { readOwn } from "../data-folder/own-file.ts";
import { checkPrivate } from "../data-folder/ownership.ts";
import { ensureSecret } from "../data-folder/secret.ts";
import { inWords } from "../data-folder/trouble.ts";
import { liveChild } from "../nats-server/child.ts";
import { configFileOf } from "../nats-server/files.ts";
import type { NatsKey, Prove } from "../nats/handshake.ts";
import { listensOn } from "../system/listening.ts";
import { markOf } from "../system/processes.ts";

/** Finds the seed in a file; other lines may surround the seed, as in the files that NATS' own tools write. */
const SEED = /^\s*(SU[A-Z2-7]{56})\s*$/m;

/** A key pair of the nats package, which exports no types for its nkeys. */
interface KeyPair {
  getPublicKey(): string;
  getSeed(): Uint8Array;
}
interface Keys {
  readonly createUser: () => KeyPair;
  readonly fromSeed: (seed: Uint8Array) => KeyPair;
}

/** Loads the nats package at the first call, so that commands which need no key do not wait for the package. */
const keys = async (): Promise<Keys> => (await import("nats")).nkeys as Keys;

/**
 * @returns the public key of the seed file, which is created if missing.
 * @throws RefusedError BAD_NKEY, and as `readOwn` does.
 */
export async function ensureNatsKey(path: string): Promise<string> {
  const { createUser, fromSeed } = await keys();
  const text = await ensureSecret(path, () => new TextDecoder().decode(createUser().getSeed()));
  return fromSeed(await seedIn(text, path)).getPublicKey();
}

/** @param path the path of a seed file. @throws RefusedError NO_NKEY, BAD_NKEY, NOT_YOURS, OPEN_TO_OTHERS, LINKED */
export async function natsKeyAt(path: string): Promise<NatsKey> {
  const text = await readOwn(path, true);
  if (text === undefined) throw noKey(path);
  const seed = await seedIn(text, path);
  const dir = dirname(resolve(path));
  return { seed, ...((await isServersFolder(dir)) && { prove: await proofBy(dir) }) };
}

// Makes the check that recognises the private server of the folder `dir` (NATS-KEY-2).
async function proofBy(dir: string): Promise<Prove> {
  await inWords(dir, () => checkPrivate(dir));
  return (port) => liveChild(dir, port, { markOf, listensOn });
}

const isServersFolder = async (dir: string): Promise<boolean> =>
  (await unlessMissing(stat(configFileOf(dir))))?.isFile() === true;

async function seedIn(text: string, path: string): Promise<Uint8Array> {
  const seed = new TextEncoder().encode(SEED.exec(text)?.[1] ?? "");
  try {
    (await keys()).fromSeed(seed);
    return seed;
  } catch {
    throw badKey(path);
  }
}

const noKey = (path: string): RefusedError =>
  new RefusedError(
    "NO_NKEY",
    `There is no seed file ${path}.`,
    "Name the file that `npx signalbox up` prints, or another one with the seed of a user's nkey.",
  );

const badKey = (path: string): RefusedError =>
  new RefusedError(
    "BAD_NKEY",
    `The file ${path} does not hold the seed of a user's nkey.`,
    `Put the right one back. If it is a private server's, delete it, and the next \`npx signalbox up\` makes one: rm ${pasted(path)}`,
  );
