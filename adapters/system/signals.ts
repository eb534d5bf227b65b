// Signals
// Makes a signal end this process by `exit`, while other processes must end with it.
//
//   Owns:          which signals, and the exit code.
//   Does not own:  ending the other processes: their owners listen to this process's `exit` event.
//
// SIGNALS-1. A signal that ends a process runs none of its exit hooks. Meanwhile, a signal ends this process by `exit` with a
//     shell's code: 128 and the signal's number.

import { constants } from "node:os";

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** @returns a function that restores the signals' earlier effect. */
export function exitOnSignal(): () => void {
  const end = (signal: NodeJS.Signals): void => process.exit(128 + constants.signals[signal]);
  for (const signal of SIGNALS) process.on(signal, end);
  return () => {
    for (const signal of SIGNALS) process.off(signal, end);
  };
}
