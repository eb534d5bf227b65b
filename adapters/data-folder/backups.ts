// Backups
// Lists the backups of the folder that were made, and their paths, for users who want to remove data from all backups.
//
//   Owns:          the file that lists the backups.
//   Does not own:  making a backup (composition/backup), whether a backup is still at its path.
//
// BACKUPS-1. The file lists the newest 500 backups. A file that cannot be read is reported, and never overwritten.

import { z } from "zod";
import { jsonIn } from "../../machines/json.ts";
import { RefusedError } from "../../runtime/errors/errors.ts";
import { readOwn, writeOwn } from "./own-file.ts";
import type { DataFolder } from "./place.ts";

export interface MadeBackup {
  readonly file: string;
  /** When the backup was made, ms. */
  readonly at: number;
}

const KEPT = 500;
const noted = z.array(z.strictObject({ file: z.string(), at: z.number() }));

/** Adds a backup to the list. A file that was replaced is listed once. @throws as `readBackups` does; the system's error. */
export async function noteBackup(folder: DataFolder, made: MadeBackup): Promise<void> {
  const before = (await readBackups(folder)).filter(({ file }) => file !== made.file);
  await writeOwn(folder.backups, `${JSON.stringify([...before, made].slice(-KEPT))}\n`);
}

/** @returns the backups, the oldest first. @throws RefusedError BACKUPS_UNREADABLE, and as `readOwn` does. */
export async function readBackups(folder: DataFolder): Promise<readonly MadeBackup[]> {
  const text = await readOwn(folder.backups);
  if (text === undefined) return [];
  const { data } = noted.safeParse(jsonIn(text));
  if (data) return data;
  throw new RefusedError(
    "BACKUPS_UNREADABLE",
    `The file ${folder.backups} is no valid list of backups.`,
    "Look at the file, and move it away: the next backup begins a new list.",
  );
}
