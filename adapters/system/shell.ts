// System shell
// Checks whether a command that the user has configured can be run at all, without running it.
//
//   Owns:          having the shell check the command's grammar, and look for the program with which the command begins.
//   Does not own:  running a command (notify), the message about a command that cannot be run (the caller).
//
// SYSTEM-SHELL-1. The check runs no part of the command.

import { spawn } from "node:child_process";

export type Runnable = "yes" | "grammar" | "missing";

/** Matches a command whose first word is a plain name or path, without variables, quotes and substitutions. */
const PLAIN = /^\s*([\w./+@-]+)(?=\s|$|[;|&<>])/;

/** @returns "grammar" if the shell cannot parse the command; "missing" if its first word plainly names no existing program. */
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
