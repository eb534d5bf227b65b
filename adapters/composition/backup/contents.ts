// Contents
// The content of a backup's frames, for the code that writes them and the code that reads them.
//
//   Owns:          the fields of each part.
//   Does not own:  the form of frames (backup-file), the rows in them (lmdb).
//
// BACKUP-CONTENTS-1. The header comes first. The encrypted part comes last, so that its seal covers everything before it.

import { z } from "zod";
import { PIECE_KINDS } from "../../lmdb/index.ts";

export const header = z.object({
  part: z.literal("header"),
  /** The version that made the backup, and when (ms). */
  build: z.string(),
  madeAt: z.number(),
  /** The store's format, and its epoch. */
  store: z.union([z.number(), z.string()]).optional(),
  epoch: z.int().nonnegative(),
  /** The last journal entry that the store had read: the backup contains all that was acknowledged up to it. */
  position: z.int().nonnegative(),
  /** The journal, as the folder's file names it. */
  journal: z.discriminatedUnion("kind", [
    z.object({ kind: z.literal("embedded") }),
    z.object({ kind: z.literal("private") }),
    z.object({ kind: z.literal("server"), at: z.string() }),
  ]),
  /** Whether the backup contains the journal: the built-in one, or that of a stopped private server. */
  hasJournal: z.boolean(),
  hasSecrets: z.boolean(),
});
export type Header = z.infer<typeof header>;

export const piece = z.object({ part: z.enum(PIECE_KINDS), n: z.int(), rows: z.int() });

export const blob = z.object({ part: z.literal("blobs"), name: z.string(), at: z.number() });

/** A file of the private server's store. */
export const natsFile = z.object({ part: z.literal("nats"), name: z.string() });

/** The seal's key, if the folder has one; the tokens by name, and the access of limited ones. */
export const secrets = z.object({
  key: z.string().optional(),
  tokens: z.record(z.string(), z.string()),
  grants: z.record(z.string(), z.string()).optional(),
});
export type Secrets = z.infer<typeof secrets>;
