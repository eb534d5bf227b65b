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

import { type AgentId, MAIN_AGENT, type SessionId } from "../ids.ts";
import type { ToolInput } from "../inputs.ts";
import {
  allowsCommand,
  commandGlob,
  commandPrefix,
  type CommandRead,
  concernsCommand,
  type Fit,
  namesProgram,
  readCommand,
} from "./command-match.ts";
import { allowsPath, concernsPath, pathGlob, pathPrefix } from "./path-match.ts";
import type { Matcher, Rule, RuleEffect, RuleTerms } from "./rule.ts";
import { isAbout, isGuarded, type Subject, subjectOf } from "./subject.ts";

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

/** @param rules in the order in which they were made. */
export function rulingOf<R extends Usable>(rules: readonly R[], question: AskedCall): Ruling<R> | undefined {
  const seen = rules.length > 0 ? seenIn(question) : undefined;
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
  readonly subject: Subject | undefined;
  readonly command: CommandRead | undefined;
  readonly isGuarded: boolean;
}

/** RULING-2 */
function seenIn({ tool, input, isAmbiguous }: AskedCall): Seen | undefined {
  if (isAmbiguous || !input || !("text" in input)) return undefined;
  const { text, hash } = input;
  const subject = subjectOf(tool, text);
  const command = subject?.about === "command" ? readCommand(subject.text) : undefined;
  return { hash, subject, command, isGuarded: isGuarded(text, subject) };
}

function allows(rule: RuleTerms, question: AskedCall, { hash, subject, command, isGuarded }: Seen): boolean {
  const { tool, sessionId, cwd } = question;
  if (rule.tool !== tool || isGuarded || agentFit(rule, question) !== "yes") return false;
  if (rule.session !== undefined && rule.session !== sessionId) return false;
  if (rule.project !== undefined && !isIn(rule.project, cwd)) return false;
  const { match } = rule;
  if (!match) return isAbout(tool) !== "command";
  if (match.kind === "exact") return match.inputHash === hash;
  if (!subject || subject.hasMore) return false;
  if (command) {
    const pattern = commandIn(match);
    return pattern !== undefined && namesProgram(pattern) && allowsCommand(pattern, command);
  }
  const pattern = pathIn(match);
  return pattern !== undefined && allowsPath(pattern, subject.text);
}

function concerns(rule: RuleTerms, question: AskedCall, seen: Seen): Fit {
  const { tool, sessionId } = question;
  const isTool = rule.tool.endsWith("*") ? tool.startsWith(rule.tool.slice(0, -1)) : tool === rule.tool;
  if (!isTool || (rule.session !== undefined && rule.session !== sessionId)) return "no";
  const agent = agentFit(rule, question);
  const input = agent === "no" ? "no" : inputFit(rule, question, seen);
  return agent === "unsure" && input === "yes" ? "unsure" : input;
}

function inputFit({ match }: RuleTerms, { cwd }: AskedCall, { hash, subject, command }: Seen): Fit {
  if (!match) return "yes";
  if (match.kind === "exact") return match.inputHash === hash ? "yes" : "no";
  if (!subject) return "no";
  if (command) {
    const pattern = commandIn(match);
    return pattern ? concernsCommand(pattern, command) : "no";
  }
  const pattern = pathIn(match);
  return pattern ? concernsPath(pattern, subject.text, cwd) : "no";
}

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
