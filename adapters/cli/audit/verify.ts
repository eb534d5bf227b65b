// Audit verify
// Checks an audit log, or a file of proofs, and names what is wrong.
//
//   Owns:          whether the target is a log or a file, the progress bar, the words, the exit code.
//   Does not own:  the comparison (runtime/audit).
//
// AUDIT-VERIFY-1. The exit code is 1 if anything is wrong, or if there was nothing to check.
// AUDIT-VERIFY-2. If a file is checked only by the key in the same file, the output says so.

import { readFile, stat } from "node:fs/promises";
import { type ProvenFile, provenFile, provenText } from "../../../runtime/audit/exported.ts";
import { isStatement, openedStatement } from "../../../runtime/audit/statement.ts";
import type { KeptLog } from "../../../runtime/audit/kept-log.ts";
import { verifyLog, type VerifiedLog } from "../../../runtime/audit/verify-log.ts";
import { type Checkpoint, openedCheckpoint } from "../../../runtime/tlog/checkpoint.ts";
import type { Verifier } from "../../../runtime/tlog/note.ts";
import { PROOF_HEAD } from "../../../runtime/tlog/proof-text.ts";
import type { Context } from "../command.ts";
import { misused } from "../failures/failure.ts";
import { progressOf } from "../output/progress.ts";
import { plural } from "../wording.ts";
import { type AuditOptions, folderOf, keyFor, noLog } from "./open.ts";
import { jsonOf } from "./show.ts";

/** @param target a log's folder or a file; undefined for the data folder's own log. */
export async function verifyAudit(
  target: string | undefined,
  options: AuditOptions,
  context: Context,
): Promise<void> {
  const folder = folderOf(options, context);
  const verifier = await keyFor(options, folder);
  if (target !== undefined && (await stat(target)).isFile())
    return verifyFile(target, verifier, options, context);
  if (!verifier) throw noLog(folder);
  return verifyFolder(folder.kept(target), verifier, options, context);
}

async function verifyFolder(
  kept: KeptLog,
  verifier: Verifier,
  { against, json }: AuditOptions,
  { terminal, exitWith }: Context,
): Promise<void> {
  const copies = against === undefined ? [] : checkpointsIn(await readFile(against, "utf8"), verifier);
  const bar = progressOf("{value}/{total} entries");
  let found: VerifiedLog;
  try {
    found = verifyLog(kept, { verifier, against: copies, progress: bar.show });
  } finally {
    bar.stop();
  }
  const { wrong, ...sums } = found;
  if (wrong.length > 0) exitWith(1);
  if (json === true) {
    for (const each of wrong) terminal.json(each);
    terminal.json({ ...sums, wrong: wrong.length, copies: copies.length });
    return;
  }
  for (const { place, what } of wrong) terminal.err(`${place}: ${what}`);
  const { size, rows, removed, missing, origin, isOpened } = sums;
  terminal.out(
    [
      wrong.length === 0
        ? `Every hash and signature of ${origin} is right: ${plural(size, "entry", "entries")}, of which ${rows} stand for rows.`
        : `${origin} was changed after it was written: ${wrong.length === 100 ? "more than 99" : wrong.length} wrong, the first at ${wrong[0]?.place ?? ""}.`,
      isOpened
        ? `The content of ${removed} was removed; the log itself says that it never had ${plural(missing, "row")}.`
        : "Only the public part of the log is here, so the content was not checked.",
      ...(against === undefined
        ? []
        : [`The log agrees with ${plural(copies.length, "checkpoint")} kept elsewhere.`]),
    ].join("\n"),
  );
}

/** The checkpoints of a file to which each new checkpoint was appended. */
function checkpointsIn(text: string, verifier: Verifier): readonly Checkpoint[] {
  const notes = text.match(/(?:[^\n]+\n)+\n(?:— [^\n]+\n)+/g) ?? [];
  if (notes.length === 0)
    throw misused("There is no checkpoint in that file.", "Name a file that `up --checkpoint-file` wrote.");
  return notes.map((note) => openedCheckpoint(note, verifier));
}

async function verifyFile(
  path: string,
  verifier: Verifier | undefined,
  { json }: AuditOptions,
  { terminal }: Context,
): Promise<void> {
  const text = await readFile(path, "utf8");
  if (verifier && isStatement(text)) {
    const said = openedStatement(JSON.parse(text), verifier);
    if (json === true) terminal.json(said);
    else terminal.out("The statement is signed by the log's key.");
    return;
  }
  const isProof = text.startsWith(PROOF_HEAD);
  if (isProof && !verifier)
    throw misused("By which key?", "Add --key with the key that `npx signalbox audit keys` prints.");
  const found: ProvenFile = isProof && verifier ? provenText(text, verifier) : provenFile(text, verifier);
  const { checkpoint, rows, key } = found;
  if (json === true) {
    for (const each of rows) terminal.json(jsonOf(each));
    terminal.json({ origin: checkpoint.origin, size: checkpoint.size, key, rows: rows.length });
    return;
  }
  terminal.out(
    `${plural(rows.length, "entry", "entries")} proven: in ${checkpoint.origin} when it had ${checkpoint.size} entries.`,
  );
  if (!verifier)
    terminal.err(
      `By the key that the file itself names: compare it with one you have from elsewhere.\n${key}`,
    );
}
