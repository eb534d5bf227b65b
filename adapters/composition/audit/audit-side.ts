// Audit side
// The audit log of an engine on a data folder: the log's key, its files, where copies of its checkpoints go.
//
//   Owns:          where the key is stored and when it is made; copying a checkpoint to a file, a command and NATS.
//   Does not own:  the log (audit-log), running the command (notify), the order of start and stop (compose).
//
// AUDIT-SIDE-1. The key is in the log's folder: if that folder is moved away, the engine makes a new log with a new key.
// AUDIT-SIDE-2. A checkpoint is copied once it is on disk. The audit log does not wait for the copies; a failed copy is reported.

import { appendFile } from "node:fs/promises";
import { join } from "node:path";
import type { EngineSettings } from "../../../runtime/engine-settings.ts";
import type { Engine } from "../../../runtime/engine/engine.ts";
import type { Clock, Outlet } from "../../../runtime/ports.ts";
import { subjects } from "../../../runtime/rows/subjects.ts";
import type { Signer } from "../../../runtime/tlog/note.ts";
import { AuditLog, filesIn, logSigner } from "../../audit-log/index.ts";
import { NotifyRun } from "../../notify/index.ts";
import { type DataFolder, ensureSecret, makeDeep, readSecret } from "../../data-folder/index.ts";

type Copies = Pick<EngineSettings, "checkpointFile" | "checkpointCommand">;

interface Surroundings {
  readonly engine: Engine;
  readonly clock: Clock;
  /** Publishes checkpoints; undefined if the engine has no NATS server. */
  readonly outlet?: Pick<Outlet, "notify"> | undefined;
  readonly onError: (error: unknown) => void;
}

const keyFile = ({ audit }: DataFolder): string => join(audit, "key");

/** @returns the audit log; undefined for an engine without a data folder. */
export function auditLogOf(
  { folder, ...copies }: Copies & { readonly folder?: DataFolder },
  { outlet, ...surroundings }: Surroundings,
): AuditLog | undefined {
  if (!folder) return undefined;
  const signer = async (): Promise<Signer> => {
    await makeDeep(folder.audit);
    return logSigner(await ensureSecret(keyFile(folder)));
  };
  const onCheckpoint = async (note: string): Promise<void> => {
    const made = await Promise.allSettled([
      append(note, copies.checkpointFile),
      run(note, copies.checkpointCommand),
      outlet?.notify?.({ subject: subjects.checkpoint, body: note }),
    ]);
    const failed = made.find((one) => one.status === "rejected");
    if (failed) throw failed.reason;
  };
  return new AuditLog({ ...surroundings, files: filesIn(folder.audit), signer, onCheckpoint });
}

async function append(note: string, path: string | undefined): Promise<void> {
  // An empty line after each checkpoint separates it from the next.
  if (path !== undefined) await appendFile(path, `${note}\n`);
}

async function run(note: string, command: string | undefined): Promise<void> {
  if (command === undefined) return;
  const why = await new NotifyRun(command, { SIGNALBOX_CHECKPOINT: note }).ended;
  if (why !== undefined) throw new Error(`The command for checkpoints failed: ${why}.`);
}

/** Makes, for a command, the signer with the key of the folder's audit log; undefined if the folder has no such key. */
export async function auditSigner(folder: DataFolder): Promise<Signer | undefined> {
  const seed = await readSecret(keyFile(folder));
  return seed === undefined ? undefined : logSigner(seed);
}
