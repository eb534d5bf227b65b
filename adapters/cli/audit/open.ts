// Open
// Opens a data folder's audit log for a command, and parses the times and keys that the command line gives.
//
//   Owns:          which audit log and which key a command uses.
//   Does not own:  the files of the log (wiring), what the command does with the log.

import { readFile } from "node:fs/promises";
import { openLog, type OpenedLog } from "../../../runtime/audit/kept-log.ts";
import type { CoverageTable } from "../../../runtime/audit/coverage.ts";
import type { RowFilter } from "../../../runtime/audit/rows-in.ts";
import { type Signer, type Verifier, verifierOf } from "../../../runtime/tlog/note.ts";
import type { Context, OfFolder } from "../command.ts";
import { Failure, misused } from "../failures/failure.ts";
import { durationMs } from "../rules/terms.ts";
import type { AuditFolder } from "../wiring.ts";

export interface AuditOptions extends OfFolder {
  readonly since?: string;
  readonly until?: string;
  readonly workspace?: string;
  readonly session?: string;
  readonly by?: string;
  readonly kind?: string;
  readonly limit: number;
  readonly key?: string;
  readonly against?: string;
  readonly out?: string;
  readonly tlogProof?: boolean;
  readonly per: CoverageTable;
  readonly url?: string;
}

/** The data folder's log and the key that signs it. @throws Failure if the folder has no log. */
export async function ownLog(
  { data }: OfFolder,
  { wiring }: Context,
): Promise<OpenedLog & { readonly signer: Signer }> {
  const folder = wiring.audit(data);
  const signer = await folder.signer();
  if (!signer) throw noLog(folder);
  return { ...openLog(folder.kept(), signer), signer };
}

export async function keyFor({ key }: AuditOptions, folder: AuditFolder): Promise<Verifier | undefined> {
  if (key === undefined) return folder.signer();
  const kept = await readFile(key, "utf8").catch(() => key);
  return verifierOf(kept.trim());
}

export const noLog = ({ dir }: AuditFolder): Failure =>
  new Failure(
    `There is no audit log in ${dir} yet.`,
    "An engine begins one: npx signalbox up. For another log or a file, name it and its key: audit verify FILE --key KEY",
  );

export function filterOf(options: AuditOptions, now: number): RowFilter {
  const { since, until, workspace, session, by, kind } = options;
  const at = (text: string | undefined): number | undefined =>
    text === undefined ? undefined : timeIn(text, now);
  return { since: at(since), until: at(until), workspace, session, by, kind };
}

function timeIn(text: string, now: number): number {
  if (/^\d{1,6}[smhd]$/.test(text)) return now - durationMs(text);
  const at = Date.parse(text);
  if (Number.isNaN(at)) throw misused(`${text} is not a time.`, "Write a time as 7d, or as 2026-01-31.");
  return at;
}
