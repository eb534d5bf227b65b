// Closed
// Reports files and folders whose mode was corrected because other users could read or write them.
//
//   Owns:          the words, and who gets them.
//   Does not own:  what is corrected, and when (ownership.ts, own-file.ts).
//
// CLOSED-1. Every corrected mode is reported: the old mode, the new one, and what to do if somebody may have read the file.

import { basename, dirname } from "node:path";

type Hear = (what: string) => void;

let hear: Hear = (what) => process.emitWarning(what, "SignalboxWarning");

/** @param listener gets later reports; without one they are warnings of the process. */
export function onClosed(listener: Hear): void {
  hear = listener;
}

const octal = (mode: number): string => (mode & 0o777).toString(8);

/** @param mode before the correction. */
export function tellFolderClosed(dir: string, mode: number): void {
  hear(
    `${dir} was open to others (mode ${octal(mode)}). It is closed now (mode 700): the files directly in it are yours. ` +
      `If others may have written there, look for new files: ls -la '${dir}'`,
  );
}

/** @param mode before the correction. */
export function tellSecretClosed(path: string, mode: number): void {
  hear(
    `Others could read ${path} (mode ${octal(mode)}). It is closed now (mode 600). ` +
      `Whoever has read it can use it. ${newOneFor(path)}`,
  );
}

function newOneFor(path: string): string {
  const name = basename(path);
  if (basename(dirname(path)) === "tokens")
    return `To make a new one: npx signalbox token rm ${name}, then npx signalbox token add ${name}`;
  if (name === "line-key")
    return `To make a new one, stop the engine, then: rm '${path}'. If you installed with --telemetry, run npx signalbox install --telemetry again.`;
  // Without the engine's own key, messages that it sealed count as forged.
  if (name === "key") return "Do not delete the key: without it, the folder's journal cannot be read.";
  return "If others may have read this secret, replace it everywhere.";
}
