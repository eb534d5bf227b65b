// Rule
// A standing answer to questions of one kind: whose calls, which tool, which input, until when, how often.
//
//   Owns:          its shape, and which rules nobody may make.
//   Does not own:  whether it answers a question (ruling), keeping it (runtime/rules).
//
// RULE-1. A rule to allow names one tool, and one that runs commands it restricts by its input. Its pattern of words
//     names the program, and what that program is to run.
// RULE-2. A rule to deny or to ask has no project: an agent can leave its folder. One to ask has no number of uses: it
//     answers nothing.

import { isId, type SessionId, type WorkspaceId } from "../ids.ts";
import { leavesOpen } from "./command-match.ts";
import { commandGlob, type CommandPattern, commandPrefix, namesProgram } from "./command-pattern.ts";
import { pathGlob, pathPrefix } from "./path-match.ts";
import { isAbout, mayAllowByPattern } from "./subject.ts";

export type RuleEffect = "deny" | "ask" | "allow";

export type Matcher =
  /** The very same input. `input`: its canonical text, where that is short enough to be shown. */
  | { readonly kind: "exact"; readonly inputHash: string; readonly input?: string }
  /** The first words of a command, or a folder. */
  | { readonly kind: "prefix"; readonly text: string }
  | { readonly kind: "glob"; readonly text: string };

/** What a person says of a rule. */
export interface RuleTerms {
  readonly effect: RuleEffect;
  /** A tool's name; for a rule to deny or to ask also its beginning and `*`. */
  readonly tool: string;
  /** Any input if it is left out. */
  readonly match?: Matcher;
  /** `main`, a subagent's type, or its id; any agent if it is left out. */
  readonly agent?: string;
  readonly session?: SessionId;
  /** A folder: the session works in it, or below it. */
  readonly project?: string;
  /** On the journal's clock, ms. */
  readonly expiresAt?: number;
  /** How many questions it may answer. */
  readonly uses?: number;
  readonly note?: string;
}

export interface Rule extends RuleTerms {
  readonly id: string;
  readonly workspace: WorkspaceId;
  readonly madeBy: string;
  readonly madeAt: number;
  /** How often it was used, and when last. */
  readonly used: number;
  readonly usedAt?: number;
}

/** What is wrong with a rule, and with which field of it. */
export interface Flaw {
  readonly path: string;
  readonly reason: string;
}

const TEXT_MAX = 512;

/** @returns the first fault of a rule; undefined for one that can be made. */
export function flawOf(terms: RuleTerms): Flaw | undefined {
  return flawOfTool(terms) ?? flawOfScope(terms) ?? flawOfMatch(terms);
}

function flawOfTool({ effect, tool, match }: RuleTerms): Flaw | undefined {
  const wild = tool.indexOf("*");
  if (wild >= 0 && wild < tool.length - 1) return { path: "tool", reason: "may have a * at its end only" };
  if (wild >= 0 && effect === "allow")
    return { path: "tool", reason: "must be one tool's whole name in a rule to allow" };
  if (effect === "allow" && !match && isAbout(tool) === "command")
    return { path: "match", reason: `is missing: a rule that allows every ${tool} command cannot be made` };
  return undefined;
}

function flawOfScope({ effect, session, project, uses, agent }: RuleTerms): Flaw | undefined {
  if (session !== undefined && !isId(session)) return { path: "session", reason: "must be a session's id" };
  if (agent === "") return { path: "agent", reason: "is empty" };
  if (project !== undefined && effect !== "allow")
    return {
      path: "project",
      reason: `cannot be used in a rule to ${effect}: an agent can leave its folder`,
    };
  if (project !== undefined && (project === "/" || !pathPrefix(project)))
    return { path: "project", reason: "must be the absolute path of a folder, without .. and *" };
  if (uses !== undefined && effect === "ask")
    return { path: "uses", reason: "cannot be used in a rule to ask: it answers nothing" };
  return undefined;
}

function flawOfMatch({ effect, tool, match }: RuleTerms): Flaw | undefined {
  if (!match || match.kind === "exact") return undefined;
  const path = `match.${match.kind}`;
  if (match.text.length > TEXT_MAX) return { path, reason: `must be at most ${TEXT_MAX} characters` };
  const about = isAbout(tool);
  // Any tool of an MCP server may take a command or a path.
  const isAny = tool.endsWith("*") || (effect !== "allow" && tool.startsWith("mcp__"));
  if (about === undefined && !isAny)
    return {
      path,
      reason: `cannot be used for ${tool}: only a command's words and a file's path have patterns`,
    };
  if (effect === "allow" && !mayAllowByPattern(tool))
    return { path, reason: `cannot be used to allow ${tool}: what it does is not seen from its text alone` };
  const asCommand = match.kind === "glob" ? commandGlob(match.text) : commandPrefix(match.text);
  const asPath = match.kind === "glob" ? pathGlob(match.text) : pathPrefix(match.text);
  if (about === "command")
    return asCommand ? flawOfWords(effect, asCommand, path) : { path, reason: NO_WORDS };
  if (about === "path" && !asPath) return { path, reason: "must be an absolute path, without .. and \\" };
  return asCommand || asPath ? undefined : { path, reason: "is neither the words of a command nor a path" };
}

const NO_WORDS = "must be the words of one plain command: no operators, redirections, $, `, \\, ~ or ?";

function flawOfWords(effect: RuleEffect, pattern: CommandPattern, path: string): Flaw | undefined {
  if (effect !== "allow") return undefined;
  if (!namesProgram(pattern)) return { path, reason: "must begin with a program's name, without *" };
  const [program = ""] = pattern.words[0] ?? [];
  return leavesOpen(pattern)
    ? { path, reason: `leaves open what ${program} runs: name that, too, or use exact` }
    : undefined;
}

const BY = "rule:";

/** Who a rule's decision is by. */
export const byRule = (id: string): string => `${BY}${id}`;

/** The rule that a decision is by; undefined for a decision by anybody else. */
export const ruleBehind = (by: string): string | undefined =>
  by.startsWith(BY) ? by.slice(BY.length) : undefined;
