// Exported
// A file that contains audit rows and everything needed to prove that the audit log has these rows.
//
//   Owns:          the form of a file of audit rows, checking such a file with nothing but the log's public key.
//   Does not own:  choosing the rows for a file (cli), computing the proofs (runtime/tlog).
//
// EXPORTED-1. A file is valid only if the hash of each of its rows leads to the root hash that the file's checkpoint signs.
// EXPORTED-2. To check a file, one needs only the file and the key, and no engine, store or log.

import { z } from "zod";
import { jsonIn } from "../../machines/json.ts";
import { RefusedError } from "../errors/errors.ts";
import { type Checkpoint, openedCheckpoint } from "../tlog/checkpoint.ts";
import { leafHash } from "../tlog/hashes.ts";
import { type Verifier, verifierOf } from "../tlog/note.ts";
import { readProof } from "../tlog/proof-text.ts";
import { inclusionProof, rootByInclusion, type SubtreeHash } from "../tlog/tree.ts";
import { entryIn, type Leaf, openedRow } from "./entry.ts";
import type { OpenedLog } from "./kept-log.ts";
import type { Placed } from "./rows-in.ts";

const FORMAT = "signalbox-audit/1";

const head = z.strictObject({ format: z.literal(FORMAT), key: z.string(), checkpoint: z.string() });
const line = z.strictObject({
  index: z.int().nonnegative(),
  entry: z.string(),
  opening: z.string(),
  proof: z.array(z.base64()),
});
const extra = z.strictObject({ entry: z.string(), opening: z.string() });

export type ProvenRow = Omit<Placed, keyof Leaf>;

export interface ProvenFile {
  readonly checkpoint: Checkpoint;
  readonly key: string;
  readonly rows: readonly ProvenRow[];
}

/** @param key the verifier's key, as text. */
export const exportHead = ({ note }: OpenedLog, key: string): object => ({
  format: FORMAT,
  key,
  checkpoint: note,
});

export const exportLine = ({ index, entry, opening }: Placed, size: number, hashes: SubtreeHash): object => ({
  index,
  entry,
  opening,
  proof: inclusionProof(index, size, hashes).map((each) => each.toString("base64")),
});

export const extraOf = ({ entry, opening }: Leaf): string => JSON.stringify({ entry, opening });

/**
 * @param known the log's key, if the caller knows it; if undefined, the key that the file itself names is used.
 * @throws RefusedError BAD_EXPORT; NOT_PROVEN, and the errors of `openedCheckpoint` and `openedRow`.
 */
export function provenFile(text: string, known: Verifier | undefined): ProvenFile {
  const [first = "", ...lines] = text.trimEnd().split("\n");
  const { key, checkpoint: note } = read(head, first);
  const verifier = known ?? verifierOf(key);
  const checkpoint = openedCheckpoint(note, verifier);
  const rows = lines.map((each) => {
    const { proof, ...leaf } = read(line, each);
    return proven(
      leaf,
      checkpoint,
      proof.map((hash) => Buffer.from(hash, "base64")),
    );
  });
  return { checkpoint, key: verifier.text, rows };
}

/** Checks the text of one proof, as `proofText` writes it (C2SP tlog-proof). @throws as `provenFile`, RefusedError BAD_PROOF */
export function provenText(text: string, verifier: Verifier): ProvenFile {
  const { index, proof, checkpoint: note, extra: said } = readProof(text);
  const checkpoint = openedCheckpoint(note, verifier);
  return {
    checkpoint,
    key: verifier.text,
    rows: [proven({ ...read(extra, said), index }, checkpoint, proof)],
  };
}

/** Checks that a row's hash leads to the root hash that the checkpoint signs (EXPORTED-1). */
function proven(
  { index, entry, opening }: Leaf & { readonly index: number },
  { size, root }: Checkpoint,
  proof: readonly Buffer[],
): ProvenRow {
  const bytes = Buffer.from(entry);
  if (!rootByInclusion(leafHash(bytes), { index, size, proof })?.equals(root))
    throw new RefusedError(
      "NOT_PROVEN",
      `The entry with index ${index} is not in the log that the checkpoint signs.`,
      "Have the file exported again. If the entry is still not in the log, the file was altered.",
    );
  const said = entryIn(bytes);
  return { index, said, row: openedRow(said, opening) };
}

function read<T>(schema: z.ZodType<T>, text: string): T {
  const found = schema.safeParse(jsonIn(text));
  if (found.success) return found.data;
  throw new RefusedError(
    "BAD_EXPORT",
    "This file was not written by `audit export` or `audit prove`.",
    "Use a whole, unchanged copy of the exported file.",
  );
}
