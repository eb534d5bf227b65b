// Audit side
// The audit log of an engine on a data folder: its key, its files.
//
//   Owns:          where the key is kept, when it is made.
//   Does not own:  the log (audit-log), the order of start and stop (compose).
//
// AUDIT-SIDE-1. The key stands in the log's own folder: who moves that away moves both, and a new log gets a new key.

import { join } from "node:path";
import type { Engine } from "../../runtime/engine/engine.ts";
import type { Clock } from "../../runtime/ports.ts";
import type { Signer } from "../../runtime/tlog/note.ts";
import { AuditLog, filesIn, logSigner } from "../audit-log/index.ts";
import { type DataFolder, ensureSecret, makeDeep, readSecret } from "../data-folder/index.ts";

interface Surroundings {
  readonly engine: Engine;
  readonly clock: Clock;
  readonly onError: (error: unknown) => void;
}

const keyFile = ({ audit }: DataFolder): string => join(audit, "key");

/** @returns undefined for an engine that keeps nothing. */
export function auditLogOf(folder: DataFolder | undefined, surroundings: Surroundings): AuditLog | undefined {
  if (!folder) return undefined;
  const signer = async (): Promise<Signer> => {
    await makeDeep(folder.audit);
    return logSigner(await ensureSecret(keyFile(folder)));
  };
  return new AuditLog({ ...surroundings, files: filesIn(folder.audit), signer });
}

/** The key of a folder's log, for this user's commands; undefined where there is none. */
export async function auditSigner(folder: DataFolder): Promise<Signer | undefined> {
  const seed = await readSecret(keyFile(folder));
  return seed === undefined ? undefined : logSigner(seed);
}
