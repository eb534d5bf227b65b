// Strace
// What a child asked of the kernel, in order of completion.
//
//   Owns:          reading strace's log.
//   Does not own:  running it (children.ts).

import { readFileSync } from "node:fs";

/**
 * @returns the calls in the log, as text. A call of lmdb's threads stands where it finished, a line printed by the
 * child where it began: a line printed before a call was done stands before that call.
 */
export function callsOf(log: string): string[] {
  const calls: string[] = [];
  const begun = new Map<string, string>();
  for (const line of readFileSync(log, "utf8").split("\n")) {
    const [, thread = "", text = ""] = /^(\d+) +(.*)$/.exec(line) ?? [];
    const resumed = /^<\.\.\. \w+ resumed>/.test(text);
    const call = resumed ? (begun.get(thread) ?? "") : text;
    const says = call.startsWith("write(1,");
    if (text.endsWith("<unfinished ...>")) begun.set(thread, text);
    if (says ? !resumed : !text.endsWith("<unfinished ...>")) calls.push(call);
  }
  return calls;
}

/** The calls between two lines that the child printed. */
export function between(calls: readonly string[], from: string, to: string): string[] {
  const at = (line: string) => calls.findIndex((call) => call.startsWith(`write(1, "${line}`));
  return calls.slice(at(from) + 1, at(to));
}
