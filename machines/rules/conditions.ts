// Conditions
// The table of conditions that limit a rule to some calls: one entry for each field that a person can set.
//
//   Owns:          which calls a condition matches, which conditions are invalid, how a condition is put into words; combining
//                  the conditions of a rule.
//   Does not own:  ways to match an input (matchers), which rule answers (ruling), the fields of a rule (terms).
//
// CONDITIONS-1. A rule to allow answers a call only if each condition of the rule matches the call for certain. A rule to deny or
//     to ask applies to a call if each of its conditions matches. If one condition is unsure and none excludes the call, the rule
//     is unsure.
// CONDITIONS-2. If several conditions of a rule are invalid, the reported flaw is that of the first in the table. The text that
//     describes a rule follows the table's order, too.

import { isId, MAIN_AGENT } from "../ids.ts";
import type { Fit } from "./command-pattern.ts";
import type { Condition, Flaw, SeenCall, ShownTerms } from "./condition.ts";
import { approversText, flawOfApprovals, flawOfApprovers } from "./demand.ts";
import { hoursIn, isWithin } from "./hours.ts";
import { allowedBy, concernedBy, flawOfMatch, matchText } from "./matchers.ts";
import { allowsPath, pathPrefix } from "./path-match.ts";
import { remembered } from "./remembered.ts";
import { isAbout, isChanging, isSameKind, subjectsOf } from "./subject.ts";
import {
  type ConditionKind,
  hasRoom,
  hasUses,
  isBeforeEnd,
  type Matcher,
  type RuleTerms,
  SHELL,
  type Usable,
} from "./terms.ts";

const fitOf = (is: boolean): Fit => (is ? "yes" : "no");

const whole = (holds: (rule: Usable, call: SeenCall) => boolean): Pick<Condition, "allow" | "concern"> => ({
  allow: holds,
  concern: (rule, call) => fitOf(holds(rule, call)),
});

const ANY = whole(() => true);

const CONDITIONS: Readonly<Record<ConditionKind, Condition>> = {
  tool: {
    allow: (rule, { tool, shell }) =>
      rule.tool === tool || (rule.tool === SHELL && shell?.command !== undefined),
    concern: (rule, call) => fitOf(isForTool(rule, call)),
    flaw: flawOfTool,
    show: ({ tool }) => tool,
  },
  agent: {
    allow: (rule, call) => agentFit(rule, call) === "yes",
    concern: agentFit,
    flaw: ({ agent }) => (agent === "" ? { path: "agent", reason: "is empty" } : undefined),
    show: ({ agent }) => (agent ? `agent ${agent}` : ""),
  },
  session: {
    ...whole(({ session }, { sessionId }) => session === undefined || session === sessionId),
    flaw: ({ session }) =>
      session === undefined || isId(session)
        ? undefined
        : { path: "session", reason: "must be a session's id" },
    show: ({ session }) => (session ? `session ${session}` : ""),
  },
  project: {
    allow: ({ project }, { cwd }) => project === undefined || isIn(project, cwd),
    // Only rules to allow have a project (RULE-2), so the condition `project` always holds for rules to deny or to ask.
    concern: () => "yes",
    flaw: flawOfProject,
    show: ({ project }) => (project ? `in ${project}` : ""),
  },
  uses: {
    ...whole(hasUses),
    flaw: (terms) => flawInAsk("uses", terms),
    show: () => "",
  },
  perHour: {
    ...whole((rule, { at }) => hasRoom(rule, at)),
    flaw: (terms) => flawInAsk("perHour", terms),
    show: ({ perHour }) => (perHour === undefined ? "" : `at most ${perHour} an hour`),
  },
  hours: {
    ...whole(({ hours }, { at }) => isInHours(hours, at)),
    flaw: ({ hours }) =>
      hours === undefined || hoursIn(hours)
        ? undefined
        : { path: "hours", reason: "must be days, times and an offset: Mon-Fri 09:00-17:00+01:00" },
    show: ({ hours }) => hours ?? "",
  },
  expiresAt: { ...whole((rule, { at }) => isBeforeEnd(rule, at)), flaw: () => undefined, show: () => "" },
  match: {
    allow: ({ match }, call) => (match ? allowedBy(match, call) : allowsAny(call)),
    concern: (rule, call) => (rule.match ? matchFit(rule.match, rule, call) : "yes"),
    flaw: (terms) => terms.match && flawOfMatch(terms.match, terms),
    show: ({ match }) => (match ? matchText(match) : ""),
  },
  // In a rule to ask, `approvals` only says how many people must approve: it does not limit which calls the rule matches.
  approvals: {
    ...ANY,
    flaw: flawOfApprovals,
    show: ({ approvals }) => (approvals === undefined ? "" : `${approvals} people`),
  },
  approvers: {
    ...ANY,
    flaw: flawOfApprovers,
    show: ({ approvers }) => (approvers ? `asks ${approversText(approvers)}` : ""),
  },
  // `unmarked` is the last condition: finding risk marks is slow, so the engine looks for them only if all other conditions hold.
  unmarked: {
    allow: ({ unmarked }, { isMarked }) => unmarked === undefined || isMarked?.() === false,
    // Only rules to allow have the condition `unmarked`, so `unmarked` always holds for rules to deny or to ask.
    concern: () => "yes",
    flaw: ({ unmarked, effect }) =>
      unmarked === true && effect !== "allow"
        ? { path: "unmarked", reason: "can be used only in a rule to allow" }
        : undefined,
    show: ({ unmarked }) => (unmarked === true ? "without a risk's mark" : ""),
  },
};
const KINDS = Object.keys(CONDITIONS) as readonly ConditionKind[];

const ALL = KINDS.map((kind) => CONDITIONS[kind]);

export const allows = (rule: Usable, call: SeenCall): boolean =>
  ALL.every((condition) => condition.allow(rule, call));

export function concerns(rule: Usable, call: SeenCall): Fit {
  let all: Fit = "yes";
  for (const condition of ALL) {
    const fit = condition.concern(rule, call);
    if (fit === "no") return "no";
    if (fit === "unsure") all = "unsure";
  }
  return all;
}

const OF_CALL = [CONDITIONS.tool, CONDITIONS.match, CONDITIONS.project];

/** False if a rule cannot answer the call, whichever agent makes the call and whenever it does. */
export function mayAnswer(rule: Usable, call: SeenCall): boolean {
  for (const condition of OF_CALL) {
    const may =
      rule.effect === "allow" ? condition.allow(rule, call) : condition.concern(rule, call) !== "no";
    if (!may) return false;
  }
  return true;
}

export function flawOf(terms: RuleTerms): Flaw | undefined {
  for (const condition of ALL) {
    const flaw = condition.flaw(terms);
    if (flaw) return flaw;
  }
  return terms.dry === true && terms.effect === "ask"
    ? { path: "dry", reason: "cannot be used in a rule to ask: it answers nothing as it is" }
    : undefined;
}

/** The input that a rule matches, in words: `git status …`. Empty if the rule matches any input. */
export const inputText = (terms: ShownTerms): string => CONDITIONS.match.show(terms);

/** The limits of a rule other than its input, in words: `agent main, in /repo`. */
export const scopeText = (terms: ShownTerms): string =>
  KINDS.filter((kind) => kind !== "tool" && kind !== "match")
    .map((kind) => CONDITIONS[kind].show(terms))
    .filter(Boolean)
    .join(", ");

/** True if the time is within the hours that the text names. Always false for a text without hours, which no rule can have. */
function isInHours(text: string | undefined, at: number): boolean {
  const hours = text === undefined ? undefined : knownHours(text);
  return text === undefined || (hours !== undefined && isWithin(hours, at));
}

const knownHours = remembered(hoursIn);

/** True if the rule is for this tool. A pattern for one tool also applies to tools that do the same (SUBJECT-3). */
function isForTool({ tool: wanted, match }: RuleTerms, { tool, kind, commands }: SeenCall): boolean {
  const names = (name: string): boolean =>
    wanted.endsWith("*") ? name.startsWith(wanted.slice(0, -1)) : name === wanted;
  if (names(tool) || names(kind)) return true;
  if (!match || match.kind === "exact") return false;
  return isSameKind(wanted, tool) || (isAbout(wanted) === "command" && commands.length > 0);
}

/** Compares a rule's exact input with the call's. A rule's exact input of Bash also matches the same command in another shell. */
function matchFit(match: Matcher, { tool: wanted }: RuleTerms, call: SeenCall): Fit {
  const fit = concernedBy(match, call);
  const isOtherForm = match.kind === "exact" && call.kind !== call.tool && wanted !== call.tool;
  if (fit !== "no" || !isOtherForm) return fit;
  if (match.input === undefined) return "unsure";
  const { own } = subjectsOf(call.kind, JSON.parse(match.input));
  return fitOf(own !== undefined && call.subjects.commands.includes(own.text));
}

function flawInAsk(path: "uses" | "perHour", terms: RuleTerms): Flaw | undefined {
  return terms[path] !== undefined && terms.effect === "ask"
    ? { path, reason: "cannot be used in a rule to ask: it answers nothing" }
    : undefined;
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

/** Compares a rule's agent with the call's. The type of a subagent comes in a separate message, which may still be missing. */
function agentFit({ agent }: RuleTerms, { agentId, agentType }: SeenCall): Fit {
  if (agent === undefined || agent === agentId) return "yes";
  if (agent === MAIN_AGENT || agentId === MAIN_AGENT) return "no";
  return agentType === undefined ? "unsure" : fitOf(agent === agentType);
}

const folderOf = remembered(pathPrefix);

/** True if a session works in this folder or below it. @param cwd the session's folder, undefined if unknown. */
export function isIn(project: string, cwd: string | undefined): boolean {
  const folder = folderOf(project);
  return folder !== undefined && cwd !== undefined && allowsPath(folder, cwd);
}

function flawOfProject({ effect, project }: RuleTerms): Flaw | undefined {
  if (project === undefined) return undefined;
  if (effect !== "allow")
    return {
      path: "project",
      reason: `cannot be used in a rule to ${effect}: an agent can leave its folder`,
    };
  return project === "/" || !pathPrefix(project)
    ? { path: "project", reason: "must be the absolute path of a folder, without .. and *" }
    : undefined;
}

/** RULING-6, RULING-7: true if a rule to allow without a pattern may allow this call. */
function allowsAny({ tool, kind, subjects, telling }: SeenCall): boolean {
  const isUnderstood = isAbout(tool) !== "path" || !isChanging(tool) || subjects.own !== undefined;
  return (
    isAbout(kind) !== "command" && subjects.commands.length === 0 && telling.length === 0 && isUnderstood
  );
}
