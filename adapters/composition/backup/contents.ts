// Contents
// What the frames of a backup say, the same for who writes them and who reads them.
//
//   Owns:          the fields of each part.
//   Does not own:  the form of frames (backup-file), the rows in them (lmdb).
//
// BACKUP-CONTENTS-1. The header comes first; what the passphrase opens comes last, so that its seal covers all before it.

import { z } from "zod";
import { PIECE_KINDS } from "../../lmdb/index.ts";

export const header = z.object({
  part: z.literal("header"),
  /** The version that made it, and when, ms. */
  build: z.string(),
  madeAt: z.number(),
  /** The store's format, and how often it had been opened. */
  store: z.union([z.number(), z.string()]).optional(),
  epoch: z.int().nonnegative(),
  /** The last entry of the journal that the store had read: all that was acknowledged up to it is in the backup. */
  position: z.int().nonnegative(),
  /** The journal, as the folder's file names it. */
  journal: z.discriminatedUnion("kind", [
    z.object({ kind: z.literal("embedded") }),
    z.object({ kind: z.literal("private") }),
    z.object({ kind: z.literal("server"), at: z.string() }),
  ]),
  /** The journal is in it: the built-in one, or that of a private server that did not run. */
  hasJournal: z.boolean(),
  hasSecrets: z.boolean(),
});
export type Header = z.infer<typeof header>;

export const piece = z.object({ part: z.enum(PIECE_KINDS), n: z.int(), rows: z.int() });

export const blob = z.object({ part: z.literal("blobs"), name: z.string(), at: z.number() });

/** A file of the private server's store. */
export const natsFile = z.object({ part: z.literal("nats"), name: z.string() });

/** The seal's key, where the folder has one; people's tokens by name, and what those open that do not open everything. */
export const secrets = z.object({
  key: z.string().optional(),
  tokens: z.record(z.string(), z.string()),
  grants: z.record(z.string(), z.string()).optional(),
});
export type Secrets = z.infer<typeof secrets>;
