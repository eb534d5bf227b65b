// Open
// Opens the audit log of a data folder for a command, and parses times and keys of the command line.
//
//   Owns:          which log and key are used.
//   Does not own:  the files (wiring), what the command does with the log.

import { readFile } from "node:fs/promises";
import { openLog, type OpenedLog } from "../../../runtime/audit/kept-log.ts";
import type { CoverageTable } from "../../../runtime/audit/coverage.ts";
import type { RowFilter } from "../../../runtime/audit/rows-in.ts";
import { type Signer, type Verifier, verifierOf } from "../../../runtime/tlog/note.ts";
import type { Context, OfFolder } from "../command.ts";
import { Failure, misused } from "../failures/failure.ts";
import { durationMs } from "../rules/index.ts";
import type { AuditFolder } from "./form.ts";

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

export const folderOf = ({ data }: AuditOptions, { wiring }: Context): AuditFolder => wiring.audit(data);

/** The folder's own log and the key that signs it. @throws Failure if the folder has no log. */
export async function ownLog(folder: AuditFolder): Promise<OpenedLog & { readonly signer: Signer }> {
  const signer = await folder.signer();
  if (!signer) throw noLog(folder);
  return { ...openLog(folder.kept(), signer), signer };
}

/** The key that checks a log: the given key or key file, otherwise the folder's own. */
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

/** @throws Failure if an option is not a time. */
export function filterOf(options: AuditOptions, now: number): RowFilter {
  const { since, until, workspace, session, by, kind } = options;
  const at = (text: string | undefined): number | undefined =>
    text === undefined ? undefined : timeIn(text, now);
  return { since: at(since), until: at(until), workspace, session, by, kind };
}

/** Parses `7d` (seven days ago) or a date. */
function timeIn(text: string, now: number): number {
  if (/^\d{1,6}[smhd]$/.test(text)) return now - durationMs(text);
  const at = Date.parse(text);
  if (Number.isNaN(at)) throw misused(`${text} is not a time.`, "Write a time as 7d, or as 2026-01-31.");
  return at;
}
