// Risk text
// The risks of an approval as text: the same marks as in the panel.
//
//   Owns:          their lines and their short form.
//   Does not own:  finding them (runtime/risks), showing hidden characters (runtime/text).

import { type Risk, risksOf } from "../../../runtime/risks/risks.ts";
import { byUrgency, type Urgent } from "../../../runtime/risks/urgency.ts";
import type { Tone, Toned } from "../output/terminal.ts";
import type { ApprovalAnswer, SessionAnswer } from "../answers.ts";

interface Seen {
  readonly approval: ApprovalAnswer;
  readonly session?: SessionAnswer;
}

/** @returns the grave ones first; none where the input is not there to be read. */
export const risksIn = ({ approval, session }: Seen): readonly Risk[] =>
  risksOf(approval.tool, approval.input, session?.cwd);

/** The order of the panel's inbox and of `watch`. */
export const byTheirUrgency = (one: Seen, other: Seen): number => byUrgency(urgencyOf(one), urgencyOf(other));

const urgencyOf = ({ approval, session }: Seen): Urgent => ({
  askedAt: approval.askedAt,
  deadlineAt: approval.deadlineAt,
  risks: risksIn({ approval, ...(session && { session }) }),
});

/** The lines of a description, those with a mark in colour. */
export const tonedLines = (text: string): readonly Toned[] =>
  text.split("\n").map((text) => ({ text, ...(MARKED.test(text) && { tone: toneOfMark(text) }) }));

const MARKED = /^ {2}risk {2}/;
const toneOfMark = (line: string): Tone => (/^ {2}risk +! /.test(line) ? "bad" : "waiting");

/** Each with its reason and the words that show it. A grave one has a sign before it that colours do not need. */
export const riskLines = (risks: readonly Risk[]): readonly string[] =>
  risks.map(({ level, label, why, found }) =>
    [`${level === "high" ? "! " : ""}${label}.`, why, found].filter(Boolean).join(" "),
  );

/** For a list: the gravest, and how many more. */
export function riskMark(risks: readonly Risk[]): string {
  const [first, ...others] = risks;
  if (!first) return "";
  return `${first.level === "high" ? "! " : ""}${first.label}${others.length > 0 ? ` +${others.length}` : ""}`;
}

/** The colour of a line about an approval; none where it has no mark. */
export function toneOfRisks(found: Seen): Tone | undefined {
  const [first] = risksIn(found);
  return first && (first.level === "high" ? "bad" : "waiting");
}

export const isGrave = (found: Seen): boolean => risksIn(found).some(({ level }) => level === "high");
