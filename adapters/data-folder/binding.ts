// Binding
// Records which journal the folder's store has read from, so that the store does not go on with another journal by mistake.
//
//   Owns:          the file that names the journal.
//   Does not own:  the journal's own identity (the store contains its incarnation and checks it).
//   Decided in:    docs/decisions/0029-a-folder-that-knows-what-it-holds.md.
//
// DATA-FOLDER-BINDING-1. A folder without a store is new and has no journal yet; a folder that has a store but not this file
//     uses the built-in journal.

import { stat } from "node:fs/promises";
import { isThere } from "../../runtime/errors/system-codes.ts";
import { RefusedError } from "../../runtime/errors/errors.ts";
import { readOwn, writeOwn } from "./own-file.ts";
import type { DataFolder } from "./place.ts";
import { checkHeld } from "./record.ts";
import { inWords } from "./trouble.ts";

/**
 * The journal of a folder: the built-in one, the private server's, or that of the NATS server at `at`, without a password in it.
 */
export type Binding =
  | { readonly kind: "embedded" }
  | { readonly kind: "private" }
  | { readonly kind: "server"; readonly at: string };

/** Records the folder's journal. Must be called before a store is opened with this journal. */
export async function writeBinding(folder: DataFolder, binding: Binding): Promise<void> {
  const words = binding.kind === "server" ? [binding.kind, binding.at] : [binding.kind];
  await writeOwn(folder.journal, `${words.join(" ")}\n`);
}

/**
 * @returns the folder's journal; undefined for a new folder.
 * @throws RefusedError BAD_BINDING; FOLDER_LOST if a part is missing.
 */
export async function readBinding(folder: DataFolder): Promise<Binding | undefined> {
  await checkHeld(folder);
  if (!(await inWords(folder.dir, () => isThere(stat(folder.store))))) return undefined;
  const text = (await readOwn(folder.journal)) ?? "embedded";
  const [kind, at = "", ...more] = text.trim().split(" ");
  if (more.length === 0) {
    if (kind === "server" && at !== "") return { kind, at };
    if ((kind === "embedded" || kind === "private") && at === "") return { kind };
  }
  throw new RefusedError(
    "BAD_BINDING",
    `The file ${folder.journal} does not say which journal the folder has.`,
    'Restore the file. It has one line: "embedded", "private", or "server" with its address.',
  );
}

export const journalDiffers = (dir: string, found: Binding, wanted: Binding): RefusedError =>
  new RefusedError(
    "JOURNAL_DIFFERS",
    `The store in ${dir} has read from ${nameOf(found)}, not from ${nameOf(wanted)}.`,
    "Start the engine with its old journal; or add --adopt-journal to this command to move to the new one. Stop the engine with `npx signalbox down` first: entries of the old journal that the engine has not read are left behind.",
  );

function nameOf(binding: Binding): string {
  switch (binding.kind) {
    case "embedded":
      return "the built-in journal";
    case "private":
      return "its private NATS server";
    case "server":
      return `the NATS server at ${binding.at}`;
  }
}
