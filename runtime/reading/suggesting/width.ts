// Width
// The widest calls that a suggestion permits, as people read them.
//
//   Owns:          what is put where a pattern is open, the widest first.
//   Does not own:  what a rule allows (machines/rules): each is asked of it.
//   Decided in:    docs/decisions/0080-rules-are-suggested-from-answers.md.
//
// SUGGESTING-WIDTH-1. Each example is a call that the rule allows, even with its marks. A rule that leaves nothing open
//     has one example: its own call.

import {
  type AskedCall,
  type Guarded,
  MAIN_AGENT,
  type RuleTerms,
  rulingOf,
  type SessionId,
} from "../../../machines/index.ts";
import { isAbout } from "../../../machines/rules/subject.ts";
import { toolInput } from "../../canonical.ts";
import { withMarks } from "../../risks/marked.ts";

const WIDEST_MAX = 3;

/** What may stand for `*`, the furthest first: above, somewhere deep, hidden, with a blank, empty. */
const FILLERS = ["../../any", "../any", "any/folder/any", ".any", "any any", "-any", "any", ""];

/** @param example what stands behind a rule for the very input. */
export function widestOf(terms: RuleTerms, example: string, guarded: Guarded): readonly string[] {
  const { match, tool } = terms;
  if (!match || match.kind === "exact") return [example];
  const isPath = isAbout(tool) === "path";
  const filled = isStarred(match.text)
    ? FILLERS.map((name) => filledIn(match.text, name, isPath))
    : [match.text];
  return [...new Set(filled)].filter((text) => isAllowed(terms, text, guarded)).slice(0, WIDEST_MAX);
}

const unquoted = /^((?:[^'*]|'[^']*')*)\*(.*)$/s;

const isStarred = (text: string): boolean => unquoted.test(text);

function filledIn(text: string, name: string, isPath: boolean): string {
  if (isPath) return text.replace("*", () => name);
  const [, before = "", after = ""] = unquoted.exec(text) ?? [];
  const [word = ""] = /\S*$/.exec(before) ?? [];
  const [rest = ""] = /^\S*/.exec(after) ?? [];
  const whole = word + name + rest;
  const shown = whole.includes(" ") ? `'${whole}'` : whole;
  return before.slice(0, before.length - word.length) + shown + after.slice(rest.length);
}

function isAllowed(terms: RuleTerms, text: string, guarded: Guarded): boolean {
  const { tool, project } = terms;
  const field =
    isAbout(tool) === "path" ? (tool.startsWith("Notebook") ? "notebook_path" : "file_path") : "command";
  const call: AskedCall = {
    ...{ tool, input: toolInput({ [field]: text }), agentId: MAIN_AGENT, isAmbiguous: false, at: 0 },
    // Any id will do: a suggestion is limited to no session.
    sessionId: "any" as SessionId,
    ...(project !== undefined && { cwd: project }),
  };
  return rulingOf([terms], withMarks(call), guarded)?.effect === "allow";
}
