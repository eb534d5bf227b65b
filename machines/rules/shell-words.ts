// Shell words
// Reads a shell command in two ways: strictly, for rules that allow; loosely, to find everything that it may run.
//
//   Owns:          what a plain command is; finding everything in a text that may be a command.
//   Does not own:  what the pattern of a rule means (command-pattern).
//
// SHELL-WORDS-1. A plain command is one command with its words, which sh, bash and zsh read in the same way. It is printable
//     ASCII without operators, redirections, expansions, globs, comments, escapes, line breaks, assignments or a reserved word
//     at the beginning. The strict reading of any other text finds no words.
// SHELL-WORDS-2. In the loose reading every operator, substitution and variable ends a word. Text in quotes is also read as
//     a command. Text that is too long or too deeply nested is not read.

import { remembered } from "./remembered.ts";

/** The pieces of a word, with any characters between two pieces. A plain word has one piece: its whole text. */
export type Word = readonly string[];

export const COMMAND_MAX = 16_384;
const DEPTH_MAX = 4;
const PARTS_MAX = 4_096;

/** Characters that a shell takes literally outside of quotes. `~`, `^` and a leading `=` have a meaning in zsh. */
const LITERAL = /[A-Za-z0-9_@%+=:,./-]+/y;
const IN_SINGLE = /[ -&(-~]/;
/** All printable characters but `!`, `"`, `$`, `\` and the backtick. */
const IN_DOUBLE = /[ #%-[\]-_a-~]/;

/** Words that a shell interprets itself where a program could be named. Only zsh interprets the last of these words. */
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

/** The text that the pattern matches at this place, or an empty text. @param pattern must be sticky. */
function runAt(pattern: RegExp, text: string, at: number): string {
  pattern.lastIndex = at;
  return pattern.test(text) ? text.slice(at, pattern.lastIndex) : "";
}

function append(word: string[], more: string): void {
  word[word.length - 1] = (word.at(-1) ?? "") + more;
}

/** Where a quotation ends; undefined if it does not end, or if shells read it differently. */
function quotedEnd(text: string, from: number): number | undefined {
  const quote = text.charAt(from);
  const allowed = quote === "'" ? IN_SINGLE : IN_DOUBLE;
  for (let at = from + 1; at < text.length; at += 1) {
    if (text.charAt(at) === quote) {
      // zsh may read two single quotes in a quoted text as one quote.
      const isDoubled = quote === "'" && text.charAt(at + 1) === quote;
      return isDoubled ? undefined : at;
    }
    if (!allowed.test(text.charAt(at))) return undefined;
  }
  return undefined;
}

/** Everything in the text that may be a command, each as its words; undefined if there is too much to read. */
export const looseParts = remembered((text: string): readonly (readonly string[])[] | undefined => {
  if (text.length > COMMAND_MAX) return undefined;
  const parts: string[][] = [];
  const isRead = cut(text, parts, 0) && (!text.includes("{") || cut(text.replace(/[{},]/g, " "), parts, 0));
  return isRead ? parts.filter((part) => part.length > 0) : undefined;
});

const ENDS_PART = "\n\r;&|()<>{}`";
const VARIABLE = /\$(?:\{[^}]*\}|\w+|[@*#?$!-])/y;
const ORDINARY = /[^\s;&|()<>{}`$\\'"]+/y;

/** @returns false if the text has too many parts, or is nested too deeply. */
function cut(text: string, parts: string[][], depth: number): boolean {
  if (depth > DEPTH_MAX) return false;
  let part: string[] = [];
  let word: string | undefined;
  /** How many quotations and escapes the word consists of. */
  let pieces = 0;
  const scripts: string[] = [];
  const endWord = (): void => {
    if (word !== undefined) part.push(word);
    // A word made of several quotations may be a script, which is then read as a command, too.
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
    const variable = sign === "$" ? runAt(VARIABLE, text, at) : "";
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
