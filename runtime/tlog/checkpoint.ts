// Checkpoint
// The text that a log signs: the log's name, size and root hash.
//
//   Owns:          the form of a checkpoint's text (C2SP tlog-checkpoint).
//   Does not own:  signing (note.ts), when a checkpoint is made (adapters/audit-log).
//
// TLOG-CHECKPOINT-1. Reading a checkpoint returns what was written; a number or a hash in another spelling is refused.

import { RefusedError } from "../errors/errors.ts";
import { HASH_BYTES } from "./hashes.ts";
import { openedNote, signedNote, type Signer, type Verifier } from "./note.ts";

export interface Checkpoint {
  readonly origin: string;
  readonly size: number;
  readonly root: Buffer;
}

/** The text of a checkpoint, signed with the key whose name is the log's name. */
export const signedCheckpoint = (size: number, root: Buffer, signer: Signer): string =>
  signedNote(`${signer.name}\n${size}\n${root.toString("base64")}\n`, signer);

/** @param log the log's own key, whose name is its origin. @throws RefusedError BAD_CHECKPOINT, and as `openedNote`. */
export function openedCheckpoint(note: string, log: Verifier): Checkpoint {
  const [origin = "", size = "", coded = ""] = openedNote(note, [log]).split("\n");
  const root = Buffer.from(coded, "base64");
  const isRight =
    origin === log.name &&
    /^(0|[1-9]\d{0,13})$/.test(size) &&
    root.length === HASH_BYTES &&
    root.toString("base64") === coded;
  if (isRight) return { origin, size: Number(size), root };
  throw new RefusedError(
    "BAD_CHECKPOINT",
    "The signed text is no checkpoint of this log.",
    "Use a checkpoint of this log.",
  );
}
