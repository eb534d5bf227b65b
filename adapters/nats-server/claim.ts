// Claim
// Lets only one `signalbox up` at a time use a private server's folder, and ends a server that a killed `signalbox up` left
// running.
//
//   Owns:          the file that names the folder's owner, ending a server that was left running.
//   Does not own:  the server that this process runs (private-server.ts).
//
// NATS-SERVER-CLAIM-1. A process is ended only if it runs nats-server on this folder's configuration file.
// NATS-SERVER-CLAIM-2. While the folder's owner is alive, nobody else gets the folder.

import { link, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { storeBusy } from "../../runtime/errors/errors.ts";
import { unless, unlessMissing } from "../../runtime/errors/system-codes.ts";
import { ownerFileOf } from "./files.ts";

export interface Processes {
  /** @returns a text that tells the process from earlier and later ones with its id; undefined if no process has the id. */
  readonly markOf: (pid: number) => string | undefined;
  /** @returns the command line of a process; undefined if it cannot be read. */
  readonly commandOf: (pid: number) => string | undefined;
}

/** @param dir the server's folder. @throws FatalError STORE_BUSY while another process has claimed the folder. */
export async function claim(dir: string, { markOf }: Processes): Promise<void> {
  const file = ownerFileOf(dir);
  const draft = `${file}.${process.pid}`;
  await writeFile(draft, `${process.pid} ${markOf(process.pid) ?? ""}\n`, { mode: 0o600 });
  try {
    if (!(await take(file, draft, (owner) => isAlive(owner, markOf)))) throw storeBusy(join(dir, ".."));
  } finally {
    await rm(draft);
  }
}

/**
 * Makes `file` a link to the draft, unless a living process has the file. Only the process that has taken `<file>.next` removes a
 * dead owner's file: otherwise, of two such processes, the second could remove the first one's new file (NATS-SERVER-CLAIM-2).
 * @returns whether this process has the file.
 */
async function take(file: string, draft: string, isLive: (owner: string) => boolean): Promise<boolean> {
  const isTaken = (): Promise<boolean> =>
    unless(
      ["EEXIST"],
      link(draft, file).then(() => true),
    ).then(Boolean);
  const textOf = async (): Promise<string> => (await unlessMissing(readFile(file, "utf8"))) ?? "";
  if (await isTaken()) return true;
  if (isLive(await textOf())) return false;
  const next = `${file}.next`;
  if (!(await take(next, draft, isLive))) return false;
  try {
    const owner = await textOf();
    if (isLive(owner)) return false;
    if (owner !== "") await rm(file);
    return await isTaken();
  } finally {
    await rm(next);
  }
}

export async function release(dir: string): Promise<void> {
  await rm(ownerFileOf(dir), { force: true });
}

/** Whether the owner still runs. A later process with the owner's id does not count as the owner, nor does this process. */
function isAlive(owner: string, markOf: Processes["markOf"]): boolean {
  const [id = "", ...mark] = owner.trim().split(" ");
  return Number(id) !== process.pid && mark.join(" ") !== "" && markOf(Number(id)) === mark.join(" ");
}

const ENDS_WITHIN_MS = 10_000;
const KILLED_WITHIN_MS = 5_000;
const LOOK_MS = 20;

/** Ends the server on `configFile` that a killed `signalbox up` left running. @throws Error if the server does not end. */
export async function endOrphan(
  pidFile: string,
  configFile: string,
  { markOf, commandOf }: Processes,
): Promise<void> {
  const pid = Number(await readFile(pidFile, "utf8").catch(() => ""));
  const isOurs = (): boolean => {
    if (!Number.isSafeInteger(pid) || pid <= 1 || markOf(pid) === undefined) return false;
    const command = commandOf(pid) ?? "";
    return command.includes("nats-server") && command.endsWith(` ${configFile}`);
  };
  for (const [signal, withinMs] of [
    ["SIGTERM", ENDS_WITHIN_MS],
    ["SIGKILL", KILLED_WITHIN_MS],
  ] as const) {
    if (isOurs()) process.kill(pid, signal);
    for (let waited = 0; isOurs() && waited < withinMs; waited += LOOK_MS) await sleep(LOOK_MS);
  }
  if (isOurs())
    throw new Error(
      `A nats-server from an earlier start still runs as process ${pid}, and does not end. End it by hand.`,
    );
  await rm(pidFile, { force: true });
}
