// Signals
// Makes a signal end this process by `exit`, so that other processes can be ended together with this one.
//
//   Owns:          which signals end the process by `exit`, and the exit code.
//   Does not own:  ending the other processes: their owners listen to this process's `exit` event.
//
// SIGNALS-1. Node runs no exit hooks when a signal ends a process. So this process handles the signal, and calls `exit` with 128
//     plus the signal's number.

import { constants } from "node:os";

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** @returns a function that gives the signals their earlier effect again. */
export function exitOnSignal(): () => void {
  const end = (signal: NodeJS.Signals): void => process.exit(128 + constants.signals[signal]);
  for (const signal of SIGNALS) process.on(signal, end);
  return () => {
    for (const signal of SIGNALS) process.off(signal, end);
  };
}
