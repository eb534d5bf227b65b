// Answer
// Reads a call that a person allowed, in the form that the search for rules needs: a command's words, a path, or a whole input.
//
//   Owns:          from which answers the search for rules learns, and which parts of an answered call it reads.
//   Does not own:  making rules of people's answers (candidates), reading denials (denials).
//   Decided in:    docs/decisions/0080-rules-are-suggested-from-answers.md.
//
// SUGGESTING-ANSWER-1. The search learns from a call only if a person allowed it in this engine. The call's folder must be
//     known, and its input must be stored whole and have no risk mark.

import { isAbout, mayAllowByPattern, subjectsOf } from "../../../machines/rules/subject.ts";
import { plainWords } from "../../../machines/rules/shell-words.ts";
import { SHELL } from "../../../machines/rules/terms.ts";
import { answeredBy, type PastApproval } from "../../rows/past-approvals.ts";
import { type Marking, once } from "../backtest/once.ts";

export type Subject =
  | { readonly kind: "words"; readonly words: readonly string[] }
  | { readonly kind: "path"; readonly path: string }
  | { readonly kind: "input"; readonly hash: string };

export interface Allowed {
  readonly folder: string;
  readonly tool: string;
  readonly subject: Subject;
  /** What a person read before answering: the command, the path, or the input. */
  readonly text: string;
  /** Present only if the subject is a whole input: tells whether it has a risk mark. Called only when a candidate must know. */
  readonly isMarked?: () => boolean;
}

export interface Answer {
  /** The call that was allowed; the same object for equal calls. */
  readonly allowed: Allowed;
  readonly by: string;
  readonly sessionId: string;
  readonly at: number;
}

const TEXT_MAX = 4_096;

/**
 * Makes a function that reads the answer to a past approval. It returns undefined if the search cannot learn from the answer
 * (SUGGESTING-ANSWER-1).
 */
export function answersBy(marking: Marking): (past: PastApproval) => Answer | undefined {
  const allowedBy = once((past: PastApproval) => allowedIn(past, marking));
  return (past) => {
    const { state, by, sessionId, at } = past;
    if (state !== "approved" || by === undefined || answeredBy(past) !== "allow") return undefined;
    const allowed = allowedBy(past);
    return allowed && { allowed, by, sessionId, at };
  };
}

function allowedIn(past: PastApproval, marking: Marking): Allowed | undefined {
  const { tool, input, shell, cwd, isAmbiguous } = past;
  if (isAmbiguous || cwd === undefined || !input || !("text" in input) || input.text.length > TEXT_MAX)
    return undefined;
  if (shell && shell.cwd !== undefined && shell.cwd !== cwd) return undefined;
  const own = ownOf(tool, JSON.parse(input.text), shell?.command);
  const { isMarked } = marking(past);
  // The risk marks of a whole input are searched only when needed: this is slow, and most of these inputs occur only once.
  if (!own)
    return { folder: cwd, tool, subject: { kind: "input", hash: input.hash }, text: input.text, isMarked };
  return isMarked() ? undefined : { folder: cwd, tool: shell ? SHELL : tool, ...own };
}

function ownOf(
  tool: string,
  input: unknown,
  command: string | undefined,
): { readonly subject: Subject; readonly text: string } | undefined {
  if (command !== undefined) return wordsOf(command);
  const { own } = subjectsOf(tool, input);
  if (!own || own.hasMore || !mayAllowByPattern(tool)) return undefined;
  if (isAbout(tool) === "command") return wordsOf(own.text);
  return { subject: { kind: "path", path: own.text }, text: own.text };
}

function wordsOf(text: string): { readonly subject: Subject; readonly text: string } | undefined {
  const words = plainWords(text);
  return words && { subject: { kind: "words", words }, text };
}
