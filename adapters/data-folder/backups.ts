// Backups
// Which backups were made of the folder, and where they were put: for whoever wants something gone from all of them.
//
//   Owns:          the file.
//   Does not own:  making a backup (composition/backup), whether one is still where it was put.
//
// BACKUPS-1. The newest are kept, a bounded number. A note that cannot be read is told, and never written over.

import { z } from "zod";
import { jsonIn } from "../../machines/json.ts";
import { RefusedError } from "../../runtime/errors/errors.ts";
import { readOwn, writeOwn } from "./own-file.ts";
import type { DataFolder } from "./place.ts";

/** A backup, and when it was made, ms. */
export interface MadeBackup {
  readonly file: string;
  readonly at: number;
}

const KEPT = 500;
const noted = z.array(z.strictObject({ file: z.string(), at: z.number() }));

/** Notes one; a file that was replaced by it is noted once. @throws as `readBackups`; the system's error. */
export async function noteBackup(folder: DataFolder, made: MadeBackup): Promise<void> {
  const before = (await readBackups(folder)).filter(({ file }) => file !== made.file);
  await writeOwn(folder.backups, `${JSON.stringify([...before, made].slice(-KEPT))}\n`);
}

/** @returns the oldest first. @throws RefusedError BACKUPS_UNREADABLE, and as `readOwn`. */
export async function readBackups(folder: DataFolder): Promise<readonly MadeBackup[]> {
  const text = await readOwn(folder.backups);
  if (text === undefined) return [];
  const { data } = noted.safeParse(jsonIn(text));
  if (data) return data;
  throw new RefusedError(
    "BACKUPS_UNREADABLE",
    `${folder.backups} is not the list of backups that it should be.`,
    "Look at it, and move it away: the next backup begins a new one.",
  );
}
