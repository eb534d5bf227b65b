// Signals
// Lets a signal end the process by an exit, for as long as others must end with it.
//
//   Owns:          which signals, and the exit code.
//   Does not own:  what ends with the process: that listens to its exit.
//
// SIGNALS-1. A signal that ends a process runs none of its exit hooks. Meanwhile, it ends by an exit with the code that a
//     shell gives: 128 and the signal's number.

import { constants } from "node:os";

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** @returns what to call once a signal may do again what it did before. */
export function exitOnSignal(): () => void {
  const end = (signal: NodeJS.Signals): void => process.exit(128 + constants.signals[signal]);
  for (const signal of SIGNALS) process.on(signal, end);
  return () => {
    for (const signal of SIGNALS) process.off(signal, end);
  };
}
