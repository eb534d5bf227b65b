// System shell
// Checks whether a command of the user's can be run at all, without running it.
//
//   Owns:          asking the shell for its grammar, and for its first program.
//   Does not own:  running a command (notify), the message about a command that cannot be run (the caller).
//
// SYSTEM-SHELL-1. No part of the command is run.

import { spawn } from "node:child_process";

export type Runnable = "yes" | "grammar" | "missing";

/** A plain name or path: no variable, no quote, no substitution. */
const PLAIN = /^\s*([\w./+@-]+)(?=\s|$|[;|&<>])/;

/**
 * @param command the command for the shell. @returns "missing" if its first word plainly names a program that does not exist.
 */
export async function runnable(command: string): Promise<Runnable> {
  if (!(await succeeds(["-n", "-c", command]))) return "grammar";
  const [, first] = PLAIN.exec(command) ?? [];
  if (first === undefined) return "yes";
  return (await succeeds(["-c", 'command -v "$1" >/dev/null', "sh", first])) ? "yes" : "missing";
}

function succeeds(args: readonly string[]): Promise<boolean> {
  return new Promise((tell) => {
    const child = spawn("/bin/sh", args, { stdio: "ignore" });
    child.once("error", () => tell(false)).once("exit", (code) => tell(code === 0));
  });
}
