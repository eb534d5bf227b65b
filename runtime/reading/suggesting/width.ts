// Width
// Makes examples of the widest calls that a suggested rule allows, for people to read.
//
//   Owns:          the texts that are put into the open part of a pattern to make examples, the widest first.
//   Does not own:  deciding whether a rule allows an example (machines/rules).
//   Decided in:    docs/decisions/0080-rules-are-suggested-from-answers.md.
//
// SUGGESTING-WIDTH-1. Each example is a call that the suggested rule allows, even if the call has risk marks. If the rule's
//     pattern has no open part, the only example is the call that the rule names.

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

/** Texts that may be put in place of `*`, the widest first: above the folder, deep below it, hidden, with a blank, empty. */
const FILLERS = ["../../any", "../any", "any/folder/any", ".any", "any any", "-any", "any", ""];

/** @param example the call to show for a rule that allows one whole input. */
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
    // The session may have any id, because a suggested rule is not limited to one session.
    sessionId: "any" as SessionId,
    ...(project !== undefined && { cwd: project }),
  };
  return rulingOf([terms], withMarks(call), guarded)?.effect === "allow";
}
