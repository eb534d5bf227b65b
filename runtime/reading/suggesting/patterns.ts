// Patterns
// Finds the patterns that an allowed call supports: one pattern for exactly this call, and patterns for this call with one part
// open (`*`).
//
//   Owns:          which part of a command or a path may be open, and how the pattern is written.
//   Does not own:  how many answers must agree (candidates), what a pattern allows (machines/rules).
//   Decided in:    docs/decisions/0080-rules-are-suggested-from-answers.md.
//
// SUGGESTING-PATTERNS-1. In a command only one word that names a file may be open, and only the file's name without its ending. A
//     program, a subcommand or an option is never open. In the command of an unknown program no word is open.
// SUGGESTING-PATTERNS-2. In a path only the file's name without its ending may be open, in a folder below the session's folder.
//     A folder is never open. So a person is still asked about files in other folders.

import { isKnownProgram } from "../../../machines/rules/programs/program-table.ts";
import type { Matcher } from "../../../machines/rules/terms.ts";
import type { Allowed } from "./answer.ts";

export interface Pattern {
  readonly match: Matcher;
  /**
   * The call's text at each open part of the pattern. A candidate needs answers with different texts at this part
   * (SUGGESTING-CANDIDATES-1).
   */
  readonly open: readonly string[];
  /** The words of the pattern's command before its open part. */
  readonly head?: string;
}

const PLAIN = /^[\w@%+=:,./-]+$/;

/** @returns the patterns; the first one matches exactly this call. */
export function patternsOf({ subject, folder }: Allowed): readonly Pattern[] {
  switch (subject.kind) {
    case "words":
      return ofWords(subject.words);
    case "path":
      return ofPath(subject.path, folder);
    case "input":
      return [{ match: { kind: "exact", inputHash: subject.hash }, open: [] }];
  }
}

const glob = (text: string): Matcher => ({ kind: "glob", text });

function ofWords(words: readonly string[]): readonly Pattern[] {
  const written = words.map(quoted);
  if (!written.every((word) => word !== undefined)) return [];
  const itself: Pattern = { match: glob(written.join(" ")), open: [] };
  if (!isKnownProgram(words[0] ?? "")) return [itself];
  const open = words.flatMap((word, at): readonly Pattern[] => {
    const parts = at > 0 && PLAIN.test(word) && !/^[-+=]/.test(word) ? partsOf(word) : undefined;
    if (!parts || (parts.folder === "" && parts.ending === "")) return [];
    const starred = `${parts.folder}*${parts.ending}`;
    const text = written.map((each, n) => (n === at ? starred : each)).join(" ");
    return [{ match: glob(text), open: [parts.name], head: written.slice(0, at).join(" ") }];
  });
  return [itself, ...open];
}

function ofPath(path: string, folder: string): readonly Pattern[] {
  const parts = partsOf(path);
  if (path.includes("*") || !path.startsWith("/") || !parts) return [];
  const itself: Pattern = { match: glob(path), open: [] };
  const below = `${folder.replace(/\/+$/, "")}/`;
  // For a file directly in the session's folder, the only pattern is the one that matches just this file.
  if (!parts.folder.startsWith(below) || parts.folder === below) return [itself];
  return [itself, { match: glob(`${parts.folder}*${parts.ending}`), open: [parts.name] }];
}

/** Cuts a path into folder, name and ending: `src/a.test.ts` into `src/`, `a.test` and `.ts`. */
function partsOf(
  word: string,
): { readonly folder: string; readonly name: string; readonly ending: string } | undefined {
  const slash = word.lastIndexOf("/") + 1;
  const file = word.slice(slash);
  const dot = file.lastIndexOf(".");
  if (file === "" || file === "." || file === "..") return undefined;
  const end = dot > 0 && dot < file.length - 1 ? dot : file.length;
  return { folder: word.slice(0, slash), name: file.slice(0, end), ending: file.slice(end) };
}

/** Writes a word as a pattern contains it; undefined for a word that no pattern can contain. */
function quoted(word: string): string | undefined {
  if (PLAIN.test(word) && !word.startsWith("=")) return word;
  return /^[ -&(-~]*$/.test(word) ? `'${word}'` : undefined;
}
