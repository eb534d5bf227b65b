// Closed
// Reports each file or folder that other users could read or write, and whose mode Signalbox has corrected.
//
//   Owns:          the words of the report, and who gets it.
//   Does not own:  which modes are corrected, and when (ownership.ts, own-file.ts).
//
// CLOSED-1. Every corrected mode is reported: the old mode, the new mode, and what to do if somebody may have read the file.

import { basename, dirname } from "node:path";
import { pasted } from "../../runtime/text/quoted.ts";

type Hear = (what: string) => void;

let hear: Hear = (what) => process.emitWarning(what, "SignalboxWarning");

/** @param listener gets the reports from now on; without a listener, each report is a warning of the Node process. */
export function onClosed(listener: Hear): void {
  hear = listener;
}

const octal = (mode: number): string => (mode & 0o777).toString(8);

/** Reports a folder that was open to others, and is closed now. @param mode the folder's mode before. */
export function tellFolderClosed(dir: string, mode: number): void {
  hear(
    `${dir} was open to others (mode ${octal(mode)}). It is closed now (mode 700): the files directly in it are yours. ` +
      `If others may have written there, look for new files: ls -la ${pasted(dir)}`,
  );
}

/** Reports a secret's file that others could read, and is closed now. @param mode the file's mode before. */
export function tellSecretClosed(path: string, mode: number): void {
  hear(
    `Others could read ${path} (mode ${octal(mode)}). It is closed now (mode 600). ` +
      `Whoever has read it can use it. ${newOneFor(path)}`,
  );
}

function newOneFor(path: string): string {
  const name = basename(path);
  if (basename(dirname(path)) === "tokens")
    return `To make a new token: npx signalbox token rm ${name}, then npx signalbox token add ${name}`;
  if (name === "line-key")
    return `To make a new key, stop the engine, then: rm ${pasted(path)}. If you installed with --telemetry, run npx signalbox install --telemetry again.`;
  // Without the engine's own key, the messages that the engine has sealed count as forged.
  if (name === "key") return "Do not delete the key: without it, the folder's journal cannot be read.";
  return "If others may have read this secret, replace it everywhere.";
}
