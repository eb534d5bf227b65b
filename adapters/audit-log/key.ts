// Audit log key
// The key that signs a log, and the log's name, which is made of it.
//
//   Owns:          the name.
//   Does not own:  keeping the seed (composition), signing (runtime/tlog/note).
//
// AUDIT-LOG-KEY-1. Another key is another log: its name differs, and nothing of the one counts for the other.

import { hash } from "node:crypto";
import { type Signer, signerOf } from "../../runtime/tlog/note.ts";

const NAME_DIGITS = 16;

/** @param seed 32 bytes in base64url. @throws RefusedError BAD_KEY */
export const logSigner = (seed: string): Signer =>
  signerOf(
    Buffer.from(seed, "base64url"),
    (key) => `signalbox/audit/${hash("sha256", key, "hex").slice(0, NAME_DIGITS)}`,
  );
