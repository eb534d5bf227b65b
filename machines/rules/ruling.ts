// Ruling
// What the rules of a workspace say to a question.
//
//   Owns:          which rule answers, if any.
//   Does not own:  carrying the answer out (runtime/rules), the patterns (command-match, path-match).
//
// RULING-1. Deny beats ask beats allow. Of several rules with the same effect the one that was made first answers.
// RULING-2. A question is answered only where it is certain what it is about: an ambiguous one, and one whose input is
//     not there to be read, go to a person.
// RULING-3. A rule to deny or to ask that cannot be sure asks a person.
// RULING-4. A rule that has expired, or has no uses left, says nothing.
// RULING-5. No rule allows a call that reaches the engine itself (guarded).
// RULING-6. A rule without a pattern allows nothing that is run: whatever the tool is called, a field with a command or with
//     code in it goes to a person, unless a rule has this very input.
// RULING-7. A file that runs later is written only by a rule that has the telling names of its path as they are, or the very
//     input: a folder, a `*` and a rule for any input do not reach it.

import { type AgentId, MAIN_AGENT, type SessionId } from "../ids.ts";
import type { ToolInput } from "../inputs.ts";
import { allowsCommand, type CommandRead, concernsCommand, readCommand } from "./command-match.ts";
import { commandGlob, commandPrefix, type Fit, namesProgram } from "./command-pattern.ts";
import { type Guarded, isGuarded } from "./guarded.ts";
import { plainName, tellingNames } from "./later-files.ts";
import { allowsPath, concernsPath, pathGlob, pathPrefix } from "./path-match.ts";
import type { Matcher, Rule, RuleEffect, RuleTerms } from "./rule.ts";
import { isAbout, isChanging, isSameKind, mayAllowByPattern, type Subjects, subjectsOf } from "./subject.ts";

/** Somebody asks whether a call may be made. */
export interface AskedCall {
  readonly sessionId: SessionId;
  readonly tool: string;
  readonly input?: ToolInput;
  readonly agentId: AgentId;
  readonly agentType?: string;
  /** Where the session works, as it said last. */
  readonly cwd?: string;
  /** Which call it is about is not certain. */
  readonly isAmbiguous: boolean;
  /** The turn's clock, ms. */
  readonly at: number;
}

export interface Ruling<R extends RuleTerms = Rule> {
  /** `ask`: a person is to answer. */
  readonly effect: RuleEffect;
  readonly rule: R;
}

type Usable = RuleTerms & { readonly used?: number };

/**
 * @param rules in the order in which they were made.
 * @param guarded where the engine is, as its journal has it.
 */
export function rulingOf<R extends Usable>(
  rules: readonly R[],
  question: AskedCall,
  guarded: Guarded,
): Ruling<R> | undefined {
  const seen = rules.length > 0 ? seenIn(question, guarded) : undefined;
  if (!seen) return undefined;
  let asking: R | undefined;
  let allowing: R | undefined;
  for (const rule of rules) {
    if (!isInForce(rule, question.at)) continue;
    if (rule.effect === "allow") {
      if (!allowing && allows(rule, question, seen)) allowing = rule;
      continue;
    }
    const fit = concerns(rule, question, seen);
    if (fit === "yes" && rule.effect === "deny") return { effect: "deny", rule };
    if (fit !== "no") asking ??= rule;
  }
  if (asking) return { effect: "ask", rule: asking };
  return allowing && { effect: "allow", rule: allowing };
}

/** RULING-4 */
export function isInForce({ expiresAt, uses, used = 0 }: Usable, at: number): boolean {
  return (expiresAt === undefined || at < expiresAt) && (uses === undefined || used < uses);
}

/** What there is to be looked at, read once for all rules. */
interface Seen {
  readonly hash: string;
  readonly subjects: Subjects;
  readonly commands: readonly CommandRead[];
  readonly isGuarded: () => boolean;
  /** The names by which files that the call writes are known to run later. */
  readonly telling: readonly string[];
}

/** RULING-2 */
function seenIn({ tool, input: given, isAmbiguous, cwd }: AskedCall, guarded: Guarded): Seen | undefined {
  if (isAmbiguous || !given || !("text" in given)) return undefined;
  const input: unknown = JSON.parse(given.text);
  const subjects = subjectsOf(tool, input);
  return {
    hash: given.hash,
    subjects,
    commands: subjects.commands.map((command) => readCommand(command, cwd)),
    isGuarded: once(() => isGuarded({ tool, input, cwd }, guarded)),
    telling: isChanging(tool) ? subjects.paths.flatMap(tellingNames) : [],
  };
}

/** Looked for only where a rule would allow. */
function once(find: () => boolean): () => boolean {
  let found: boolean | undefined;
  return () => (found ??= find());
}

function allows(rule: RuleTerms, question: AskedCall, seen: Seen): boolean {
  const { tool, sessionId, cwd } = question;
  if (rule.tool !== tool || agentFit(rule, question) !== "yes") return false;
  if (rule.session !== undefined && rule.session !== sessionId) return false;
  if (rule.project !== undefined && !isIn(rule.project, cwd)) return false;
  return allowsInput(rule, tool, seen) && !seen.isGuarded();
}

function allowsInput({ match }: RuleTerms, tool: string, seen: Seen): boolean {
  if (match?.kind === "exact") return match.inputHash === seen.hash;
  return match ? allowsByPattern(match, tool, seen) : allowsAny(tool, seen);
}

/** RULING-6, RULING-7 */
function allowsAny(tool: string, { subjects, telling }: Seen): boolean {
  const isUnderstood = isAbout(tool) !== "path" || !isChanging(tool) || subjects.own !== undefined;
  return (
    isAbout(tool) !== "command" && subjects.commands.length === 0 && telling.length === 0 && isUnderstood
  );
}

function allowsByPattern(match: Pattern, tool: string, { subjects, commands, telling }: Seen): boolean {
  const { own } = subjects;
  if (!own || own.hasMore || !mayAllowByPattern(tool)) return false;
  if (own.about === "command") {
    const [command] = commands;
    const pattern = commandIn(match);
    return (
      command !== undefined &&
      pattern !== undefined &&
      namesProgram(pattern) &&
      allowsCommand(pattern, command)
    );
  }
  const pattern = pathIn(match);
  if (!pattern || !allowsPath(pattern, own.text)) return false;
  const literal = new Set(pattern.names.filter((name) => !name.includes("*")).map(plainName));
  return telling.every((name) => literal.has(name));
}

function concerns(rule: RuleTerms, question: AskedCall, seen: Seen): Fit {
  const { tool, sessionId } = question;
  if (!isForTool(rule, tool, seen) || (rule.session !== undefined && rule.session !== sessionId)) return "no";
  const agent = agentFit(rule, question);
  const input = agent === "no" ? "no" : inputFit(rule, question, seen);
  return agent === "unsure" && input === "yes" ? "unsure" : input;
}

/** A pattern for one tool is about every other tool that does the same (SUBJECT-3). */
function isForTool({ tool: wanted, match }: RuleTerms, tool: string, { commands }: Seen): boolean {
  if (wanted.endsWith("*") ? tool.startsWith(wanted.slice(0, -1)) : tool === wanted) return true;
  if (!match || match.kind === "exact") return false;
  return isSameKind(wanted, tool) || (isAbout(wanted) === "command" && commands.length > 0);
}

function inputFit({ match }: RuleTerms, { cwd }: AskedCall, { hash, subjects, commands }: Seen): Fit {
  if (!match) return "yes";
  if (match.kind === "exact") return match.inputHash === hash ? "yes" : "no";
  const [words, path] = [commandIn(match), pathIn(match)];
  return worstOf([
    ...(words ? commands.map((command) => concernsCommand(words, command)) : []),
    ...(path ? subjects.paths.map((each) => concernsPath(path, each, cwd)) : []),
  ]);
}

const worstOf = (fits: readonly Fit[]): Fit =>
  fits.includes("yes") ? "yes" : fits.includes("unsure") ? "unsure" : "no";

/** A subagent's type is learnt from a message of its own, which may not have come. */
function agentFit({ agent }: RuleTerms, { agentId, agentType }: AskedCall): Fit {
  if (agent === undefined || agent === agentId) return "yes";
  if (agent === MAIN_AGENT || agentId === MAIN_AGENT) return "no";
  return agentType === undefined ? "unsure" : agent === agentType ? "yes" : "no";
}

function isIn(project: string, cwd: string | undefined): boolean {
  const folder = pathPrefix(project);
  return folder !== undefined && cwd !== undefined && allowsPath(folder, cwd);
}

type Pattern = Exclude<Matcher, { kind: "exact" }>;
const pathIn = ({ kind, text }: Pattern) => (kind === "glob" ? pathGlob(text) : pathPrefix(text));
const commandIn = ({ kind, text }: Pattern) => (kind === "glob" ? commandGlob(text) : commandPrefix(text));
