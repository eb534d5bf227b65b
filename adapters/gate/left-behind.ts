// Left behind
// Writes files into the spool. From them the engine learns later what a gate answered without the engine, or what a proxy saw.
//
//   Owns:          writing a file into the spool, complete or not at all.
//   Does not own:  the format of the file (adapters/spool reads it).

import { mkdir, open, rename, unlink } from "node:fs/promises";
import { join } from "node:path";

export interface Answered {
  readonly approvalId: string;
  readonly closed: "ask" | "deny";
  readonly workspace: string | undefined;
  readonly clientPid: string | undefined;
  readonly body: Uint8Array;
  /** Further query parameters that the hook's HTTP request to the engine has; the file contains them, too. */
  readonly more?: Readonly<Record<string, string>>;
}

/** @param name the file's name: the time in seconds, the id of the process and, if it writes several files, a running number. */
export function leaveBehind(dir: string, name: string, answered: Answered): Promise<void> {
  const { approvalId, closed, workspace = "-", clientPid = "0", body, more } = answered;
  const door = more === undefined ? "" : ` ${new URLSearchParams(more).toString()}`;
  return leaveFile(dir, name, `1 ${clientPid} ${workspace} ${approvalId} ${closed}${door}`, body);
}

export interface Observed {
  readonly client: string;
  readonly clientPid: number;
  readonly workspace: string | undefined;
  readonly body: Uint8Array;
}

export function leaveObserved(dir: string, name: string, observed: Observed): Promise<void> {
  const { client, clientPid, workspace = "-", body } = observed;
  return leaveFile(dir, name, `1 ${clientPid} ${workspace} client=${client}`, body);
}

async function leaveFile(dir: string, name: string, head: string, body: Uint8Array): Promise<void> {
  await mkdir(dir, { recursive: true, mode: 0o700 });
  const draft = join(dir, `.${name}`);
  const file = await open(draft, "wx", 0o600);
  try {
    await file.writeFile(`${head}\n`);
    await file.writeFile(body);
  } catch (error) {
    await unlink(draft);
    throw error;
  } finally {
    await file.close();
  }
  await rename(draft, join(dir, name));
}
