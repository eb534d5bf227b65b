// Contents
// The content of a backup's frames, for the code that writes them and the code that reads them.
//
//   Owns:          the fields of each part of a backup.
//   Does not own:  the form of frames (backup-file), the rows in them (lmdb).
//
// BACKUP-CONTENTS-1. A backup's header comes first. The encrypted part comes last: it is bound to the digest of everything before
//     it, so that its decryption fails if any earlier part was altered.

import { z } from "zod";
import { PIECE_KINDS } from "../../lmdb/index.ts";

export const header = z.object({
  part: z.literal("header"),
  /** The version of Signalbox that made the backup. */
  build: z.string(),
  /** When the backup was made, ms. */
  madeAt: z.number(),
  store: z.union([z.number(), z.string()]).optional(),
  /** The store's epoch; the restored store gets a higher one. */
  epoch: z.int().nonnegative(),
  /** The last journal entry that the store had read: the backup contains all messages that were acknowledged up to this entry. */
  position: z.int().nonnegative(),
  /** The journal that the data folder's file `journal` names. */
  journal: z.discriminatedUnion("kind", [
    z.object({ kind: z.literal("embedded") }),
    z.object({ kind: z.literal("private") }),
    z.object({ kind: z.literal("server"), at: z.string() }),
  ]),
  /** Whether the backup contains the journal, which is the built-in journal or that of a stopped private server. */
  hasJournal: z.boolean(),
  hasSecrets: z.boolean(),
});
export type Header = z.infer<typeof header>;

export const piece = z.object({ part: z.enum(PIECE_KINDS), n: z.int(), rows: z.int() });

export const blob = z.object({ part: z.literal("blobs"), name: z.string(), at: z.number() });

export const natsFile = z.object({ part: z.literal("nats"), name: z.string() });

/** The content of the encrypted part: the engine's seal key, all tokens by name, and the access of limited tokens. */
export const secrets = z.object({
  key: z.string().optional(),
  tokens: z.record(z.string(), z.string()),
  grants: z.record(z.string(), z.string()).optional(),
});
export type Secrets = z.infer<typeof secrets>;
