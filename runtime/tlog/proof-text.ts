// Proof text
// The proof that an entry is in a log, as a text from which alone the proof can be checked.
//
//   Owns:          the form of a proof's text (C2SP tlog-proof).
//   Does not own:  checking the proof (tree.ts), what the text's extra line contains (runtime/audit).
//
// TLOG-PROOF-TEXT-1. Reading a proof returns what was written; an index in another spelling is refused.

import { RefusedError } from "../errors/errors.ts";

export const PROOF_HEAD = "c2sp.org/tlog-proof@v1";

export interface ProofText {
  /**
   * The entry and its opening, as JSON. Whoever checks the proof computes the leaf's hash from this entry: the proof itself has
   * no hash of it.
   */
  readonly extra: string;
  readonly index: number;
  readonly proof: readonly Buffer[];
  /** The log's checkpoint, as a signed note. */
  readonly checkpoint: string;
}

export function proofText({ extra, index, proof, checkpoint }: ProofText): string {
  const lines = [
    PROOF_HEAD,
    `extra ${Buffer.from(extra).toString("base64")}`,
    `index ${index}`,
    ...proof.map((hash) => hash.toString("base64")),
  ];
  return `${lines.join("\n")}\n\n${checkpoint}`;
}

/** @throws RefusedError BAD_PROOF */
export function readProof(text: string): ProofText {
  const end = text.indexOf("\n\n");
  const [head, extra = "", index = "", ...hashes] = text.slice(0, Math.max(0, end)).split("\n");
  const isRight =
    head === PROOF_HEAD && extra.startsWith("extra ") && /^index (0|[1-9]\d{0,13})$/.test(index);
  if (!isRight)
    throw new RefusedError("BAD_PROOF", "This text is not a proof of a log.", "Copy the whole proof.");
  return {
    extra: Buffer.from(extra.slice(6), "base64").toString(),
    index: Number(index.slice(6)),
    proof: hashes.map((hash) => Buffer.from(hash, "base64")),
    checkpoint: text.slice(end + 2),
  };
}
