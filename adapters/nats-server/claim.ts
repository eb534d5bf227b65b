// Claim
// Assigns a folder's private server to one `signalbox up` at a time, and ends a server that a killed `signalbox up` left
// running.
//
//   Owns:          the file that names the owner, ending an orphan.
//   Does not own:  the server of this process (private-server.ts).
//
// NATS-SERVER-CLAIM-1. A process is ended only if it runs nats-server on this folder's own configuration file, never by its id
//     alone.
// NATS-SERVER-CLAIM-2. A live owner keeps the folder.

import { link, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { storeBusy } from "../../runtime/errors/errors.ts";
import { ownerFileOf } from "./files.ts";

export interface Processes {
  /** @returns a mark that no other process with this number has had or will have; undefined if no process has it. */
  readonly markOf: (pid: number) => string | undefined;
  /** @returns its command line; undefined if it cannot be read. */
  readonly commandOf: (pid: number) => string | undefined;
}

/** If two processes find a dead owner at once, both write; the overwritten one must notice that. */
const SETTLE_MS = 50;

/** @param dir the server's folder. @throws FatalError STORE_BUSY while another process has it. */
export async function claim(dir: string, { markOf }: Processes): Promise<void> {
  const file = ownerFileOf(dir);
  const mine = `${process.pid} ${markOf(process.pid) ?? ""}\n`;
  const draft = `${file}.${process.pid}`;
  await writeFile(draft, mine, { mode: 0o600 });
  try {
    await link(draft, file);
    await rm(draft);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
    if (isAlive(await readFile(file, "utf8"), markOf)) {
      await rm(draft);
      throw storeBusy(join(dir, ".."));
    }
    await rename(draft, file);
    await sleep(SETTLE_MS);
  }
  if ((await readFile(file, "utf8")) !== mine) throw storeBusy(join(dir, ".."));
}

export async function release(dir: string): Promise<void> {
  await rm(ownerFileOf(dir), { force: true });
}

/** A later process with the owner's id does not count, nor does this process. */
function isAlive(owner: string, markOf: Processes["markOf"]): boolean {
  const [id = "", ...mark] = owner.trim().split(" ");
  return Number(id) !== process.pid && mark.join(" ") !== "" && markOf(Number(id)) === mark.join(" ");
}

const ENDS_WITHIN_MS = 10_000;
const KILLED_WITHIN_MS = 5_000;
const LOOK_MS = 20;

/** Ends a server that runs on `configFile` without an owner. @throws Error if it does not end. */
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
