// Closed
// What others could read or write, and was closed: whoever runs this is told.
//
//   Owns:          the words, and who hears them.
//   Does not own:  what is closed, and when (ownership.ts, own-file.ts).
//
// CLOSED-1. No mode is changed without a word: what it was, what it is now, and what to do where somebody may have looked.

import { basename, dirname } from "node:path";

type Hear = (what: string) => void;

let hear: Hear = (what) => process.emitWarning(what, "SignalboxWarning");

/** @param listener hears it from now on; without one it is a warning of the process. */
export function onClosed(listener: Hear): void {
  hear = listener;
}

const octal = (mode: number): string => (mode & 0o777).toString(8);

/** @param mode as it was. */
export function tellFolderClosed(dir: string, mode: number): void {
  hear(
    `${dir} was open to others (mode ${octal(mode)}). It is closed now (mode 700): what lies right in it is yours. ` +
      `If others had time there, look at what is new: ls -la '${dir}'`,
  );
}

/** @param mode as it was. */
export function tellSecretClosed(path: string, mode: number): void {
  hear(
    `Others could read ${path} (mode ${octal(mode)}). It is closed now (mode 600). ` +
      `Whoever read it has what it opens. ${newOneFor(path)}`,
  );
}

function newOneFor(path: string): string {
  const name = basename(path);
  if (basename(dirname(path)) === "tokens")
    return `To make a new one: npx signalbox token rm ${name}, then npx signalbox token add ${name}`;
  if (name === "line-key")
    return `To make a new one, stop the engine, then: rm '${path}'. What was installed with --telemetry needs npx signalbox install --telemetry again.`;
  // Without the engine's own key, messages that it sealed count as forged.
  if (name === "key") return "Keep it all the same: the folder's journal cannot be read without it.";
  return "If others may have read it, use a new one everywhere.";
}
