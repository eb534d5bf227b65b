// Binding
// Which journal the folder's store has read from: another one is not gone on with by accident.
//
//   Owns:          the file.
//   Does not own:  the journal's own identity (its incarnation stands in the store, and is checked there).
//
// D3. A folder without a store is bound to nothing; a store without the file has the built-in journal.

import { readFile, rename, stat, writeFile } from "node:fs/promises";
import { RefusedError } from "../../runtime/errors.ts";
import type { DataFolder } from "./place.ts";

/** The built-in journal, the private server's, or that of the server whose address, without any secret, is `at`. */
export type Binding =
  | { readonly kind: "embedded" }
  | { readonly kind: "private" }
  | { readonly kind: "server"; readonly at: string };

/** Notes the journal a store is about to be opened with. */
export async function writeBinding(folder: DataFolder, binding: Binding): Promise<void> {
  const draft = `${folder.journal}.${process.pid}`;
  const words = binding.kind === "server" ? [binding.kind, binding.at] : [binding.kind];
  await writeFile(draft, `${words.join(" ")}\n`, { mode: 0o600 });
  await rename(draft, folder.journal);
}

/** @returns what the folder is bound to; undefined for a new one. @throws Error for a file that says something else. */
export async function readBinding(folder: DataFolder): Promise<Binding | undefined> {
  if (!(await isThere(folder.store))) return undefined;
  const text = await isThere(folder.journal).then((is) =>
    is ? readFile(folder.journal, "utf8") : "embedded",
  );
  const [kind, at = "", ...more] = text.trim().split(" ");
  if (more.length === 0) {
    if (kind === "server" && at !== "") return { kind, at };
    if ((kind === "embedded" || kind === "private") && at === "") return { kind };
  }
  throw new Error(
    `The file ${folder.journal} does not say which journal the folder has. Put the right one back.`,
  );
}

export const journalDiffers = (dir: string, found: Binding, wanted: Binding): RefusedError =>
  new RefusedError(
    "JOURNAL_DIFFERS",
    `The store in ${dir} has read from ${nameOf(found)}, not from ${nameOf(wanted)}.`,
    "Start it as before, or move it: the same command with --adopt-journal. What the old journal holds unread stays behind: stop the engine in order first.",
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

async function isThere(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return false;
    throw error;
  }
}
