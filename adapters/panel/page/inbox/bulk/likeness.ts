// Likeness
// What "like this" may mean of a call: the very same, its first words, its folder.
//
//   Owns:          the choices that a card offers.
//   Does not own:  what a rule may say (the engine refuses it, with a reason).
//
// LIKENESS-1. First words are offered for a plain command only, and end in front of its options: where one of them is an
//     option, all words are offered. A file that runs later is offered by itself, not its folder.

import { runsLater } from "../../../../../machines/rules/later-files.ts";
import { plainWords } from "../../../../../machines/rules/shell-words.ts";
import { isAbout, isChanging, mayAllowByPattern } from "../../../../../machines/rules/subject.ts";

/** A choice of inputs, as a rule has it. */
export interface Likeness {
  readonly label: string;
  readonly kind: "exact" | "prefix";
  /** The beginning that a prefix rule is about; it can be corrected. */
  readonly text: string;
}

const FILES = ["file_path", "notebook_path"] as const;
const WORDS = 2;

/** The narrowest first. */
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

/** LIKENESS-1 */
function beginningOf(command: string): string | undefined {
  if (!plainWords(command)) return undefined;
  const words = command.trim().split(/\s+/);
  const first = words.slice(0, WORDS);
  return first.some((word) => /^-|['"]/.test(word)) ? command.trim() : first.join(" ");
}
