// Audit log key
// The key that signs a log, and the log's name, which is derived from the key.
//
//   Owns:          the log's name.
//   Does not own:  storing the seed (composition), signing (runtime/tlog/note).
//
// AUDIT-LOG-KEY-1. A log with another key is another log with another name. A proof of the one log is not valid for the other.

import { hash } from "node:crypto";
import { type Signer, signerOf } from "../../runtime/tlog/note.ts";

const NAME_DIGITS = 16;

/** @param seed 32 bytes in base64url. @throws RefusedError BAD_KEY */
export const logSigner = (seed: string): Signer =>
  signerOf(
    Buffer.from(seed, "base64url"),
    (key) => `signalbox/audit/${hash("sha256", key, "hex").slice(0, NAME_DIGITS)}`,
  );
