// Open
// Opens the log of a data folder for a command, and reads what people say of times and keys.
//
//   Owns:          which log and key are meant.
//   Does not own:  the files (wiring), what is done with the log.

import { readFile } from "node:fs/promises";
import { openLog, type OpenedLog } from "../../../runtime/audit/kept-log.ts";
import type { CoverageTable } from "../../../runtime/audit/coverage.ts";
import type { RowFilter } from "../../../runtime/audit/rows-in.ts";
import { type Signer, type Verifier, verifierOf } from "../../../runtime/tlog/note.ts";
import type { Context } from "../command.ts";
import { Failure, misused } from "../failures/failure.ts";
import { durationMs } from "../rules/index.ts";
import type { AuditFolder } from "./form.ts";

export interface AuditOptions {
  readonly data?: string;
  readonly json?: boolean;
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

/** The folder's own log and the key that signs it. @throws Failure where there is none. */
export async function ownLog(folder: AuditFolder): Promise<OpenedLog & { readonly signer: Signer }> {
  const signer = await folder.signer();
  if (!signer) throw noLog(folder);
  return { ...openLog(folder.kept(), signer), signer };
}

/** The key by which a log is checked: the one that is given, itself or in a file, else the folder's. */
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

/** @throws Failure if a text is no time. */
export function filterOf(options: AuditOptions, now: number): RowFilter {
  const { since, until, workspace, session, by, kind } = options;
  const at = (text: string | undefined): number | undefined =>
    text === undefined ? undefined : timeIn(text, now);
  return { since: at(since), until: at(until), workspace, session, by, kind };
}

/** `7d` for seven days ago, or a date. */
function timeIn(text: string, now: number): number {
  if (/^\d{1,6}[smhd]$/.test(text)) return now - durationMs(text);
  const at = Date.parse(text);
  if (Number.isNaN(at)) throw misused(`${text} is no time.`, "Write it as 7d, or as 2026-01-31.");
  return at;
}
