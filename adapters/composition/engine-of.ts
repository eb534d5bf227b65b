// Engine of
// Connects this user's programs to the engine of a data folder.
//
//   Owns:          choosing the connection: the socket, or TCP with proofs if there is no socket.
//   Does not own:  the connections (line), the files (data-folder), the callers (gate, cli).
//
// ENGINE-OF-1. Unless a user names an address, only files of the data folder say where the engine is. A program that answers
//     counts as the engine only if it listens on the socket in the folder, or proves that it has the folder's line key (a secret
//     in a file of the folder). No token is sent.

import { readAddress } from "../data-folder/address.ts";
import { checkPrivate } from "../data-folder/ownership.ts";
import type { DataFolder } from "../data-folder/place.ts";
import { readSecret } from "../data-folder/secret.ts";
import { findSocket } from "../data-folder/socket.ts";
import { overSocket } from "../line/request.ts";
import { overTcp } from "../line/over-tcp.ts";
import { RetryableError } from "../../runtime/errors/errors.ts";
import { isMissing } from "../../runtime/errors/trouble.ts";
import type { Exchange } from "../../runtime/line/exchange.ts";
import { thisMachine } from "../system/machine.ts";

/** @returns a function that looks for the folder's engine at each call, and returns undefined if no engine has ever run. */
export function engineOf(folder: DataFolder): () => Promise<Exchange | undefined> {
  return async () => {
    const lineKey = await lineKeyOf(folder);
    if (lineKey === undefined) return undefined;
    const socket = await findSocket(folder);
    if (socket !== undefined) return overSocket(socket);
    const address = await readAddress(folder);
    if (address !== undefined && address.machine === thisMachine()) return overTcp(address.url, { lineKey });
    return () => Promise.reject(noneRuns(folder));
  };
}

/** Finds an engine by the address that a user named. @returns undefined if no engine has ever run on the folder. */
export async function engineAt(folder: DataFolder, url: string): Promise<Exchange | undefined> {
  const lineKey = await lineKeyOf(folder);
  return lineKey === undefined ? undefined : overTcp(url, { lineKey });
}

async function lineKeyOf(folder: DataFolder): Promise<string | undefined> {
  try {
    await checkPrivate(folder.dir);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
  return readSecret(folder.lineKey);
}

const noneRuns = ({ dir }: DataFolder): RetryableError =>
  new RetryableError(
    "NO_ENGINE",
    `No engine runs on ${dir}.`,
    "Start the engine with `npx signalbox up`.",
    1_000,
  );
