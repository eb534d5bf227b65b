// Strace
// What a child asked of the kernel, in the order it was done.
//
//   Owns:          reading strace's log.
//   Does not own:  running it (children.ts).

import { readFileSync } from "node:fs";

/**
 * @returns the calls in the log, as text. A call of lmdb's threads stands where it was finished, a line the child said
 * where it was begun: what is seen before it was done would stand before it.
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

/** The calls between two lines the child said. */
export function between(calls: readonly string[], from: string, to: string): string[] {
  const at = (line: string) => calls.findIndex((call) => call.startsWith(`write(1, "${line}`));
  return calls.slice(at(from) + 1, at(to));
}
