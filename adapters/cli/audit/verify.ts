// Audit verify
// Checks an audit log or a file of proofs, and says what is wrong with it.
//
//   Owns:          finding out whether the target is a log or a file of proofs; the progress bar, the words of the result, the
//                  exit code.
//   Does not own:  checking the proofs and rows (runtime/audit).
//
// AUDIT-VERIFY-1. The exit code of `audit verify` is 1 if anything is wrong, or if there was nothing to check.
// AUDIT-VERIFY-2. If a file of proofs was checked only with a key that is in the same file, the output says so, because
//     whoever forged the file could have put the key there.

import { readFile, stat } from "node:fs/promises";
import { type ProvenFile, provenFile, provenText } from "../../../runtime/audit/exported.ts";
import { isStatement, openedStatement } from "../../../runtime/audit/statement.ts";
import type { KeptLog } from "../../../runtime/audit/kept-log.ts";
import { verifyLog } from "../../../runtime/audit/verify-log.ts";
import { type Checkpoint, openedCheckpoint } from "../../../runtime/tlog/checkpoint.ts";
import type { Verifier } from "../../../runtime/tlog/note.ts";
import { PROOF_HEAD } from "../../../runtime/tlog/proof-text.ts";
import type { Context } from "../command.ts";
import { misused } from "../failures/failure.ts";
import { withProgress } from "../output/progress.ts";
import { plural } from "../wording.ts";
import { type AuditOptions, keyFor, noLog } from "./open.ts";
import { jsonOf } from "./show.ts";

/** @param target a log's folder or a file; undefined for the data folder's own log. */
export async function verifyAudit(
  target: string | undefined,
  options: AuditOptions,
  context: Context,
): Promise<void> {
  const folder = context.wiring.audit(options.data);
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
  const { wrong, ...sums } = await withProgress("{value}/{total} entries", 0, (progress) =>
    verifyLog(kept, { verifier, against: copies, progress }),
  );
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
        ? `The audit log ${origin} is as the engine wrote it: every hash and signature is right. It has ${plural(size, "entry", "entries")}, of which ${rows} are audit rows.`
        : `The audit log ${origin} is not as the engine wrote it. Wrong places: ${wrong.length === 100 ? "more than 99" : wrong.length}, the first at ${wrong[0]?.place ?? ""}. Keep the files as they are, and compare them with an earlier copy.`,
      isOpened
        ? `The content of ${plural(removed, "entry", "entries")} was removed. The log itself records that ${plural(missing, "audit row")} could not be written to it.`
        : "Only the public part of the log is here, so the content was not checked.",
      ...(against === undefined || wrong.length > 0
        ? []
        : [`The log agrees with ${plural(copies.length, "checkpoint")} kept elsewhere.`]),
    ].join("\n"),
  );
}

function checkpointsIn(text: string, verifier: Verifier): readonly Checkpoint[] {
  const notes = text.match(/(?:[^\n]+\n)+\n(?:— [^\n]+\n)+/g) ?? [];
  if (notes.length === 0)
    throw misused(
      "There is no checkpoint in the file that --against names.",
      "Name a file that `up --checkpoint-file` wrote.",
    );
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
    throw misused(
      "A proof is checked with a key.",
      "Add --key with the key that `npx signalbox audit keys` prints.",
    );
  const found: ProvenFile = isProof && verifier ? provenText(text, verifier) : provenFile(text, verifier);
  const { checkpoint, rows, key } = found;
  if (json === true) {
    for (const each of rows) terminal.json(jsonOf(each));
    terminal.json({ origin: checkpoint.origin, size: checkpoint.size, key, rows: rows.length });
    return;
  }
  terminal.out(
    `The file proves that the audit log ${checkpoint.origin} contained the file's ${plural(rows.length, "entry", "entries")} when the log had ${checkpoint.size} entries.`,
  );
  if (!verifier)
    terminal.err(
      `The file was checked only with the key that it names itself, which a forger may have made. Compare this key with the one that \`npx signalbox audit keys\` prints where the log is:\n${key}`,
    );
}
