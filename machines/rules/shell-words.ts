// Shell words
// Reads a shell command in two ways: strictly, for rules that allow; loosely, to find everything that it may run.
//
//   Owns:          what a plain command is; finding everything in a text that may be a command.
//   Does not own:  what the pattern of a rule means (command-pattern).
//
// SHELL-WORDS-1. A plain command is one command whose words sh, bash and zsh read in the same way. A plain command is printable
//     ASCII without operators, redirections, expansions, globs, comments, escapes, line breaks, assignments or a reserved word at
//     the beginning. The strict reading of any other text finds no words.
// SHELL-WORDS-2. In the loose reading every operator, substitution and variable ends a word. Text in quotes is also read as a
//     command. A text that is too long or too deeply nested is not read at all.

import { remembered } from "./remembered.ts";

/** The pieces of a word, with any characters between two pieces. A plain word has one piece: its whole text. */
export type Word = readonly string[];

export const COMMAND_MAX = 16_384;
const DEPTH_MAX = 4;
const PARTS_MAX = 4_096;

/** Characters that a shell takes literally outside of quotes. `~`, `^` and a leading `=` have a meaning in zsh. */
const LITERAL = /[A-Za-z0-9_@%+=:,./-]+/y;
const IN_SINGLE = /[ -&(-~]/;
/** Matches a character that may stand in double quotes: every printable one but `!`, `"`, `$`, `\` and the backtick. */
const IN_DOUBLE = /[ #%-[\]-_a-~]/;

/** Words that a shell itself interprets where a program could be named. Only zsh interprets those from `foreach` on. */
const RESERVED: ReadonlySet<string> = new Set(
  `if then elif else fi for while until select do done case esac in function time coproc
  foreach end repeat nocorrect noglob -`.split(/\s+/),
);

/** False for a word that no shell reads as the name of a program, or that shells read differently. */
export const mayBeProgram = (word: string): boolean =>
  word !== "" && !word.includes("=") && !word.startsWith("%") && !RESERVED.has(word);

/** @returns the words of a plain command; undefined for any other text. */
export function plainWords(text: string): readonly string[] | undefined {
  if (text.length > COMMAND_MAX) return undefined;
  const words = wordsIn(text, false)?.map((pieces) => pieces.join(""));
  const [first] = words ?? [];
  return first !== undefined && mayBeProgram(first) ? words : undefined;
}

/** The words of a pattern, each cut at every `*` that is not quoted; undefined if no plain command can match. */
export const patternWords = (text: string): readonly Word[] | undefined => wordsIn(text, true);

function wordsIn(text: string, isPattern: boolean): readonly Word[] | undefined {
  const words: Word[] = [];
  let word: string[] | undefined;
  for (let at = 0; at < text.length; at += 1) {
    const sign = text.charAt(at);
    if (sign === " " || sign === "\t") {
      if (word) words.push(word);
      word = undefined;
      continue;
    }
    if (!word && sign === "=") return undefined;
    word ??= [""];
    if (sign === "*" && isPattern) word.push("");
    else if (sign === "'" || sign === '"') {
      const end = quotedEnd(text, at);
      if (end === undefined) return undefined;
      append(word, text.slice(at + 1, end));
      at = end;
    } else {
      const literal = runAt(LITERAL, text, at);
      if (literal === "") return undefined;
      append(word, literal);
      at += literal.length - 1;
    }
  }
  if (word) words.push(word);
  return words;
}

/** The text that the pattern matches at the index `at`, or an empty text. @param pattern must have the flag `y` (sticky). */
function runAt(pattern: RegExp, text: string, at: number): string {
  pattern.lastIndex = at;
  return pattern.test(text) ? text.slice(at, pattern.lastIndex) : "";
}

function append(word: string[], more: string): void {
  word[word.length - 1] = (word.at(-1) ?? "") + more;
}

/** The index where a quoted text ends; undefined if the quotation does not end, or if shells differ in how they read it. */
function quotedEnd(text: string, from: number): number | undefined {
  const quote = text.charAt(from);
  const allowed = quote === "'" ? IN_SINGLE : IN_DOUBLE;
  for (let at = from + 1; at < text.length; at += 1) {
    if (text.charAt(at) === quote) {
      // With its option RC_QUOTES, zsh reads `''` within a quoted text as one quote, so it is uncertain where the text ends.
      const isDoubled = quote === "'" && text.charAt(at + 1) === quote;
      return isDoubled ? undefined : at;
    }
    if (!allowed.test(text.charAt(at))) return undefined;
  }
  return undefined;
}

/** Every part of the text that may be a command, as its words; undefined if the text has too many parts to read. */
export const looseParts = remembered((text: string): readonly (readonly string[])[] | undefined => {
  if (text.length > COMMAND_MAX) return undefined;
  const parts: string[][] = [];
  const isRead = cut(text, parts, 0) && (!text.includes("{") || cut(text.replace(/[{},]/g, " "), parts, 0));
  return isRead ? parts.filter((part) => part.length > 0) : undefined;
});

const ENDS_PART = "\n\r;&|()<>{}`";
const VARIABLE = /\$(?:\{[^}]*\}|\w+|[@*#?$!-])/y;
const ORDINARY = /[^\s;&|()<>{}`$\\'"]+/y;

/** Cuts a text into parts that may be commands. @returns false if the text has too many parts, or is nested too deeply. */
function cut(text: string, parts: string[][], depth: number): boolean {
  if (depth > DEPTH_MAX) return false;
  let part: string[] = [];
  let word: string | undefined;
  /** How many quoted and escaped pieces the present word has so far. */
  let pieces = 0;
  const scripts: string[] = [];
  // The last `}` is looked up once, because a search from each `${` that does not end would take too long.
  const lastBrace = text.lastIndexOf("}");
  const endWord = (): void => {
    if (word !== undefined) part.push(word);
    // If a word is made of several quotations and looks like a script, it is read as a command, too.
    if (word !== undefined && pieces > 1 && isScript(word)) scripts.push(word);
    [word, pieces] = [undefined, 0];
  };
  const endPart = (): void => {
    endWord();
    parts.push(part);
    part = [];
  };
  for (let at = 0; at < text.length; at += 1) {
    const ordinary = runAt(ORDINARY, text, at);
    if (ordinary !== "") {
      word = (word ?? "") + ordinary;
      at += ordinary.length - 1;
      continue;
    }
    const sign = text.charAt(at);
    const isOpen = text.charAt(at + 1) === "{" && at > lastBrace;
    const variable = sign === "$" && !isOpen ? runAt(VARIABLE, text, at) : "";
    if (variable !== "") {
      endWord();
      at += variable.length - 1;
    } else if (sign === "\\") {
      at += 1;
      if (text.charAt(at) !== "\n") word = (word ?? "") + text.charAt(at);
      pieces += 1;
    } else if (sign === "'" || sign === '"') {
      const { content, end } = quoted(text, at);
      word = (word ?? "") + content;
      pieces += 1;
      if (isScript(content) && !cut(content, parts, depth + 1)) return false;
      at = end;
    } else if (ENDS_PART.includes(sign)) endPart();
    else if (sign !== "$") endWord();
    if (parts.length > PARTS_MAX) return false;
  }
  endPart();
  return scripts.every((script) => cut(script, parts, depth + 1));
}

const isScript = (text: string): boolean => /[^\w./-]/.test(text);

function quoted(text: string, from: number): { readonly content: string; readonly end: number } {
  const quote = text.charAt(from);
  let content = "";
  for (let at = from + 1; at < text.length; at += 1) {
    const sign = text.charAt(at);
    if (sign === quote) return { content, end: at };
    if (sign === "\\" && quote === '"') at += 1;
    content += sign === "\\" && quote === '"' ? text.charAt(at) : sign;
  }
  return { content, end: text.length };
}
