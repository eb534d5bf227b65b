// Likeness
// Offers what "like this" may mean for a call: the same input, a command with the same first words, a file in the same folder.
//
//   Owns:          the choices that a card offers for "like this".
//   Does not own:  what a rule may contain (the engine refuses an invalid rule, with a reason).
//
// LIKENESS-1. The first two words of a command are offered only if the command is plain: one command without operators or
//     variables (machines/rules/shell-words). If one of the two words is an option or has a quotation mark, the whole command
//     is offered instead. For a call that writes a file which some program runs later, such as a git hook, only the file is
//     offered, not its folder.

import { runsLater } from "../../../../../machines/rules/later-files.ts";
import { plainWords } from "../../../../../machines/rules/shell-words.ts";
import { isAbout, isChanging, mayAllowByPattern } from "../../../../../machines/rules/subject.ts";

export interface Likeness {
  readonly label: string;
  readonly kind: "exact" | "prefix";
  /** The beginning of the input, for a rule by prefix; a person can correct it. */
  readonly text: string;
}

const FILES = ["file_path", "notebook_path"] as const;
const WORDS = 2;

/** What "like this" may mean for a call: the choices, the narrowest first. */
export function likenessesOf(tool: string, input: unknown): readonly Likeness[] {
  const same: Likeness = { label: "exactly this input", kind: "exact", text: "" };
  if (typeof input !== "object" || input === null || !mayAllowByPattern(tool)) return [same];
  if (isAbout(tool) === "command") {
    const command: unknown = Reflect.get(input, "command");
    const text = typeof command === "string" ? beginningOf(command) : undefined;
    return text === undefined ? [same] : [same, { label: "commands that begin with", kind: "prefix", text }];
  }
  const path = FILES.map((field): unknown => Reflect.get(input, field)).find(
    (each) => typeof each === "string",
  );
  if (typeof path !== "string" || !path.startsWith("/")) return [same];
  if (isChanging(tool) && runsLater(path)) return [same, { label: "this file", kind: "prefix", text: path }];
  return [same, { label: "files in the folder", kind: "prefix", text: path.slice(0, path.lastIndexOf("/")) }];
}

/** LIKENESS-1. The beginning by which a rule matches like commands; undefined for a command that is not plain. */
function beginningOf(command: string): string | undefined {
  if (!plainWords(command)) return undefined;
  const words = command.trim().split(/\s+/);
  const first = words.slice(0, WORDS);
  return first.some((word) => /^-|['"]/.test(word)) ? command.trim() : first.join(" ");
}
