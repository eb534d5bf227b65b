// Audit export
// Writes audit rows and their proofs to a file, for readers who have neither the engine nor its data folder.
//
//   Owns:          which audit rows are written, and to which file.
//   Does not own:  the form of the file (runtime/audit/exported, runtime/tlog/proof-text).

import { writeFile } from "node:fs/promises";
import { exportHead, exportLine, extraOf } from "../../../runtime/audit/exported.ts";
import { hashesOf, type OpenedLog } from "../../../runtime/audit/kept-log.ts";
import { type Placed, rowsIn } from "../../../runtime/audit/rows-in.ts";
import { proofText } from "../../../runtime/tlog/proof-text.ts";
import { inclusionProof } from "../../../runtime/tlog/tree.ts";
import type { Context } from "../command.ts";
import { Failure } from "../failures/failure.ts";
import { plural } from "../wording.ts";
import { type AuditOptions, filterOf, ownLog } from "./open.ts";

const FILE_MODE = 0o600;

export async function exportLog(
  out: string | undefined,
  options: AuditOptions,
  context: Context,
): Promise<void> {
  const log = await ownLog(options, context);
  const rows = [...rowsIn(log, filterOf(options, context.now()))].reverse();
  await put(linesOf(log, rows, log.signer.text), out, plural(rows.length, "entry", "entries"), context);
}

export async function proveRows(id: string, options: AuditOptions, context: Context): Promise<void> {
  const log = await ownLog(options, context);
  const rows = [...rowsIn(log, { id })].reverse();
  const last = rows.at(-1);
  if (!last)
    throw new Failure(
      `The audit log has no row about ${id}.`,
      "A new row reaches the log within a minute: try again then.",
    );
  const text = options.tlogProof === true ? tlogProof(log, last) : linesOf(log, rows, log.signer.text);
  await put(text, options.out, plural(rows.length, "entry", "entries"), context);
}

function linesOf(log: OpenedLog, rows: readonly Placed[], key: string): Iterable<string> {
  const hashes = hashesOf(log);
  const lines = [exportHead(log, key), ...rows.map((row) => exportLine(row, log.size, hashes))];
  return lines.map((line) => `${JSON.stringify(line)}\n`);
}

const tlogProof = (log: OpenedLog, leaf: Placed): readonly string[] => {
  const proof = inclusionProof(leaf.index, log.size, hashesOf(log));
  return [proofText({ extra: extraOf(leaf), index: leaf.index, proof, checkpoint: log.note })];
};

async function put(
  text: Iterable<string>,
  out: string | undefined,
  what: string,
  { terminal }: Context,
): Promise<void> {
  if (out !== undefined) await writeFile(out, text, { mode: FILE_MODE });
  terminal.out(
    out === undefined
      ? [...text].join("").trimEnd()
      : `Wrote ${what} with proofs to ${out}. To check: npx signalbox audit verify ${out} --key KEY`,
  );
}
