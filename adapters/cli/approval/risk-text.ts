// Risk text
// Describes an approval's risks in words, with the same signs as in the panel.
//
//   Owns:          the lines that explain risks, their short form in lists, the order of approvals by urgency.
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

export const byTheirUrgency = (one: Seen, other: Seen): number => byUrgency(urgencyOf(one), urgencyOf(other));

const urgencyOf = ({ approval, session }: Seen): Urgent => ({
  askedAt: approval.askedAt,
  deadlineAt: approval.deadlineAt,
  risks: risksIn({ approval, ...(session && { session }) }),
});

export const tonedLines = (text: string): readonly Toned[] =>
  text.split("\n").map((text) => ({ text, ...(MARKED.test(text) && { tone: toneOfMark(text) }) }));

const MARKED = /^ {2}risk {2}/;
const toneOfMark = (line: string): Tone => (/^ {2}risk +! /.test(line) ? "bad" : "waiting");

/** Each risk with its reason and the text that shows it. A grave risk has a sign before it, for screens without colours. */
export const riskLines = (risks: readonly Risk[]): readonly string[] =>
  risks.map(({ level, label, why, found }) =>
    [`${level === "high" ? "! " : ""}${label}.`, why, found].filter(Boolean).join(" "),
  );

export function riskMark(risks: readonly Risk[]): string {
  const [first, ...others] = risks;
  if (!first) return "";
  return `${first.level === "high" ? "! " : ""}${first.label}${others.length > 0 ? ` +${others.length}` : ""}`;
}

export function toneOfRisks(found: Seen): Tone | undefined {
  const [first] = risksIn(found);
  return first && (first.level === "high" ? "bad" : "waiting");
}

export const isGrave = (found: Seen): boolean => risksIn(found).some(({ level }) => level === "high");
