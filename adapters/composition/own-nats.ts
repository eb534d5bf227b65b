// Own NATS
// Starts the private NATS server of a data folder: its key, its folder, its process.
//
//   Owns:          what must exist before the server runs.
//   Does not own:  keeping the server running (nats-server), waiting for it (patience.ts), connecting to it (nats).

import { type DataFolder, inWords, makeDeep, makeFolder, removeOwn } from "../data-folder/index.ts";
import { ensureNatsKey } from "./nats-key.ts";
import {
  type Binary,
  keyFileOf,
  type PrivateServer,
  runPrivateServer,
  type ServerNews,
} from "../nats-server/index.ts";
import { commandOf, listensOn, markOf } from "../system/index.ts";

/** @returns the private server, once it answers. @throws the errors of `makeFolder`, `ensureNatsKey` and `runPrivateServer`. */
export async function runOwnNats(
  folder: DataFolder,
  binary: Binary,
  onNews: (news: ServerNews) => void,
): Promise<PrivateServer & { readonly nkey: string }> {
  await makeFolder(folder);
  const { nats: dir } = folder;
  await inWords(dir, () => makeDeep(dir), true);
  const nkey = keyFileOf(dir);
  const publicKey = await ensureNatsKey(nkey);
  await removeOwn(folder.natsToken);
  const processes = { markOf, commandOf, listensOn };
  const run = (): Promise<PrivateServer> => runPrivateServer({ dir, publicKey, binary, processes, onNews });
  return { ...(await inWords(dir, run, true)), nkey };
}
