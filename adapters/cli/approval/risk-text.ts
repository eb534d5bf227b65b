// Risk text
// The text about an approval's risks, with the same marks as in the panel.
//
//   Owns:          their lines and their short form.
//   Does not own:  finding risks (runtime/risks), showing hidden characters (runtime/text).

import { type Risk, risksOf } from "../../../runtime/risks/risks.ts";
import { byUrgency, type Urgent } from "../../../runtime/risks/urgency.ts";
import type { Tone, Toned } from "../output/terminal.ts";
import type { ApprovalAnswer, SessionAnswer } from "../answers.ts";

interface Seen {
  readonly approval: ApprovalAnswer;
  readonly session?: SessionAnswer;
}

/** @returns the grave risks first; empty if the input cannot be read. */
export const risksIn = ({ approval, session }: Seen): readonly Risk[] =>
  risksOf(approval.tool, approval.input, session?.cwd);

/** Sorts approvals as the panel's inbox and `watch` do. */
export const byTheirUrgency = (one: Seen, other: Seen): number => byUrgency(urgencyOf(one), urgencyOf(other));

const urgencyOf = ({ approval, session }: Seen): Urgent => ({
  askedAt: approval.askedAt,
  deadlineAt: approval.deadlineAt,
  risks: risksIn({ approval, ...(session && { session }) }),
});

/** The lines of a description; lines with a risk mark get a colour. */
export const tonedLines = (text: string): readonly Toned[] =>
  text.split("\n").map((text) => ({ text, ...(MARKED.test(text) && { tone: toneOfMark(text) }) }));

const MARKED = /^ {2}risk {2}/;
const toneOfMark = (line: string): Tone => (/^ {2}risk +! /.test(line) ? "bad" : "waiting");

/** Each risk with its reason and the text that shows it. A grave risk has a sign before it, for screens without colours. */
export const riskLines = (risks: readonly Risk[]): readonly string[] =>
  risks.map(({ level, label, why, found }) =>
    [`${level === "high" ? "! " : ""}${label}.`, why, found].filter(Boolean).join(" "),
  );

/** The gravest risk, and how many more there are. */
export function riskMark(risks: readonly Risk[]): string {
  const [first, ...others] = risks;
  if (!first) return "";
  return `${first.level === "high" ? "! " : ""}${first.label}${others.length > 0 ? ` +${others.length}` : ""}`;
}

/** The colour of an approval's line; undefined for an approval without risks. */
export function toneOfRisks(found: Seen): Tone | undefined {
  const [first] = risksIn(found);
  return first && (first.level === "high" ? "bad" : "waiting");
}

export const isGrave = (found: Seen): boolean => risksIn(found).some(({ level }) => level === "high");
