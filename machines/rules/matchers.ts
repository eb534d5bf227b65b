// Matchers
// The ways in which a rule can match a tool input: exactly, by a prefix, or by a pattern.
//
//   Owns:          which inputs each kind of matcher matches, which matchers are invalid, how a matcher is put into words.
//   Does not own:  reading patterns (command-pattern, path-match), the conditions that are not about the input (conditions).

import { allowsCommand, concernsCommand, leavesOpen } from "./command-match.ts";
import {
  commandGlob,
  type CommandPattern,
  commandPrefix,
  type Fit,
  namesProgram,
} from "./command-pattern.ts";
import type { Flaw, SeenCall } from "./condition.ts";
import { plainName } from "./later-files.ts";
import { allowsPath, concernsPath, pathGlob, type PathPattern, pathPrefix } from "./path-match.ts";
import { remembered } from "./remembered.ts";
import { isAbout, mayAllowByPattern } from "./subject.ts";
import type { Matcher, RuleEffect, RuleTerms } from "./terms.ts";

/** Reads a text as a pattern of words or of a path; both functions return undefined for any other text. */
interface Reading {
  readonly words: (text: string) => CommandPattern | undefined;
  readonly path: (text: string) => PathPattern | undefined;
  readonly show: (text: string) => string;
}

const READINGS: Readonly<Record<"prefix" | "glob", Reading>> = {
  prefix: {
    words: remembered(commandPrefix),
    path: remembered(pathPrefix),
    show: (text) => `${text} …`,
  },
  glob: { words: remembered(commandGlob), path: remembered(pathGlob), show: (text) => text },
};

export const allowedBy = (match: Matcher, call: SeenCall): boolean =>
  match.kind === "exact"
    ? match.inputHash === call.hash
    : allowsByPattern(match.text, READINGS[match.kind], call);

export function concernedBy(match: Matcher, { cwd, commands, subjects, hash }: SeenCall): Fit {
  if (match.kind === "exact") return match.inputHash === hash ? "yes" : "no";
  const { words: wordsIn, path: pathIn } = READINGS[match.kind];
  const [words, path] = [wordsIn(match.text), pathIn(match.text)];
  const ofCommands = words ? worstOf(commands, (each) => concernsCommand(words, each)) : "no";
  const ofPaths = path ? worstOf(subjects.paths, (each) => concernsPath(path, each, cwd)) : "no";
  return ofCommands === "no" || ofPaths === "yes" ? ofPaths : ofCommands;
}

export function flawOfMatch(match: Matcher, terms: RuleTerms): Flaw | undefined {
  if (match.kind === "exact") return undefined;
  const reason = faultOf(match.text, READINGS[match.kind], terms);
  return reason === undefined ? undefined : { path: `match.${match.kind}`, reason };
}

export const matchText = (match: Matcher): string =>
  match.kind === "exact"
    ? (match.input ?? `input ${match.inputHash.slice(0, 12)}…`)
    : READINGS[match.kind].show(match.text);

/** RULING-7: true if a rule to allow with this pattern allows the call. */
function allowsByPattern(text: string, reading: Reading, call: SeenCall): boolean {
  const { kind, subjects, commands, telling } = call;
  const { own } = subjects;
  if (!own || own.hasMore || !mayAllowByPattern(kind)) return false;
  if (own.about === "command") {
    const [command] = commands;
    const pattern = reading.words(text);
    return (
      command !== undefined &&
      pattern !== undefined &&
      allowsCommand(pattern, command) &&
      namesProgram(pattern)
    );
  }
  const pattern = reading.path(text);
  if (!pattern || !allowsPath(pattern, own.text)) return false;
  const literal = new Set(pattern.names.filter((name) => !name.includes("*")).map(plainName));
  return telling.every((name) => literal.has(name));
}

function worstOf<T>(all: readonly T[], fitOf: (each: T) => Fit): Fit {
  let worst: Fit = "no";
  for (const each of all) {
    const fit = fitOf(each);
    if (fit === "yes") return fit;
    if (fit === "unsure") worst = fit;
  }
  return worst;
}

const TEXT_MAX = 512;
const NO_WORDS = "must be the words of one plain command: no operators, redirections, $, `, \\, ~ or ?";

function faultOf(text: string, reading: Reading, { effect, tool }: RuleTerms): string | undefined {
  if (text.length > TEXT_MAX) return `must be at most ${TEXT_MAX} characters`;
  const about = isAbout(tool);
  // A tool of an MCP server may have a command or a path in its input. So a rule to deny or to ask about such a tool may have a
  // pattern, and so may a rule for several tools (`*`).
  const isAny = tool.endsWith("*") || (effect !== "allow" && tool.startsWith("mcp__"));
  if (about === undefined && !isAny)
    return `cannot be used for ${tool}: only a command's words and a file's path have patterns`;
  if (effect === "allow" && !mayAllowByPattern(tool))
    return `cannot be used to allow ${tool}: what it does is not seen from its text alone`;
  const [words, path] = [reading.words(text), reading.path(text)];
  if (about === "command") return words ? faultOfWords(effect, words) : NO_WORDS;
  if (about === "path" && !path) return "must be an absolute path, without .. and \\";
  return words || path ? undefined : "is neither the words of a command nor a path";
}

function faultOfWords(effect: RuleEffect, pattern: CommandPattern): string | undefined {
  if (effect !== "allow") return undefined;
  if (!namesProgram(pattern)) return "must begin with a program's name, without *";
  const [program = ""] = pattern.words[0] ?? [];
  return leavesOpen(pattern) ? `leaves open what ${program} runs: name that, too, or use exact` : undefined;
}
