// Frame
// The board on a screen: which sessions are shown, in which order, in how many lines.
//
//   Owns:          the order, the words and tones of the lines, the note about lines that do not fit.
//   Does not own:  keeping up with changes (board.ts), a session's calls (calls.ts), drawing (terminal.ts).
//
// FRAME-1. Sessions with pending approvals come first, in the order of the panel's inbox (runtime/risks/urgency), and so do the
//     approvals of each. The other sessions follow, the newest change first.
// FRAME-2. If sessions do not fit, a last line counts them, and names those with pending approvals.

import type { Risk } from "../../../runtime/risks/risks.ts";
import { labelOf } from "../../../runtime/text/state-words.ts";
import { byUrgency, type Urgent } from "../../../runtime/risks/urgency.ts";
import { oneLine } from "../../../runtime/text/visible.ts";
import type { SessionAnswer } from "../answers.ts";
import type { Tone, Toned } from "../output/terminal.ts";
import { cut } from "../output/width.ts";
import { agoOf, nameOfSession, plural } from "../wording.ts";

/** A pending approval of a session. */
export interface Asked extends Urgent {
  readonly tool: string;
  readonly gist: string;
  /** Why the agent makes the call; empty if it gave no reason. */
  readonly why: string;
  readonly risks: readonly Pick<Risk, "level" | "label">[];
}

export interface Shown {
  readonly session: SessionAnswer;
  readonly at: number;
  /** The pending approvals, the most urgent first. */
  readonly asked: readonly Asked[];
  readonly calls: readonly string[];
}

export interface Size {
  readonly columns: number;
  readonly rows: number;
}

const ASKED_MAX = 3;
const STATE_COLUMNS = 16;

/** @param sessions the newest change first. @returns at most `size.rows - 2` lines. */
export function frameOf(sessions: readonly Shown[], size: Size, now: number): readonly Toned[] {
  const ordered = sessions.toSorted(byWaiting);
  const waiting = ordered.filter(isWaiting).length;
  const head = [plural(sessions.length, "session"), waiting > 0 && `${waiting} waiting for you`];
  const room = Math.max(1, size.rows - 2);
  const blocks = ordered.map((shown) => [line(""), ...linesOf(shown, now)]);
  const all = [line(head.filter(Boolean).join(", "), waiting > 0 ? "waiting" : "quiet"), ...blocks.flat()];
  if (all.length <= room) return all.map((each) => fitted(each, size));
  const kept = all.slice(0, Math.max(1, room - 1));
  const rest = ordered.slice(wholeOrBegun(blocks, kept.length - 1));
  const more = restText(rest);
  const shown = more === undefined ? all.slice(0, room) : [...kept, more].slice(0, room);
  return shown.map((each) => fitted(each, size));
}

/** How many sessions have at least their first line among so many lines. */
function wholeOrBegun(blocks: readonly (readonly Toned[])[], lines: number): number {
  let [begun, at] = [0, 0];
  for (const block of blocks) {
    if (at + 2 > lines) break;
    begun += 1;
    at += block.length;
  }
  return begun;
}

function restText(rest: readonly Shown[]): Toned | undefined {
  if (rest.length === 0) return undefined;
  const waiting = rest.filter(isWaiting).length;
  const others = rest.length - waiting;
  if (waiting === 0) return line(`… and ${others} more`, "quiet");
  const text = `… and ${waiting} more that ${waiting === 1 ? "waits" : "wait"}`;
  return line(others === 0 ? text : `${text}, ${others} that ${others === 1 ? "does" : "do"} not`, "waiting");
}

function linesOf({ session, at, asked, calls }: Shown, now: number): readonly Toned[] {
  const hidden = asked.length - ASKED_MAX;
  const state = labelOf(asked.length > 0 ? "waiting_input" : session.state);
  return [
    line(
      `${state.padEnd(STATE_COLUMNS)} ${nameOfSession(session)}  (${agoOf(at, now)} ago)`,
      toneOf(session, asked),
    ),
    ...asked
      .slice(0, ASKED_MAX)
      .flatMap((each) => [
        line(
          `  asks ${agoOf(each.askedAt, now)} ago${untilOf(each, now)}${riskOf(each)}: ${each.tool}  ${each.gist}`,
          "waiting",
        ),
        ...(each.why === "" ? [] : [line(`       why: ${each.why}`, "waiting")]),
      ]),
    ...(hidden > 0 ? [line(`  and asks ${hidden} more`, "waiting")] : []),
    ...calls.map((each) => line(`    ${each}`)),
  ];
}

const isWaiting = ({ session, asked }: Shown): boolean =>
  asked.length > 0 || session.state === "waiting_input";

/** The session's most urgent approval; if its details are not known yet, the time of the session's change. */
const mostUrgent = ({ asked, at }: Shown): Urgent => asked[0] ?? { askedAt: at, risks: [] };

const byWaiting = (a: Shown, b: Shown): number =>
  Number(isWaiting(b)) - Number(isWaiting(a)) || (isWaiting(a) ? byUrgency(mostUrgent(a), mostUrgent(b)) : 0);

const untilOf = ({ deadlineAt }: Asked, now: number): string =>
  deadlineAt === undefined ? "" : `, ${agoOf(now, deadlineAt)} left`;

/** The label of the first risk, as in the panel's inbox. */
const riskOf = ({ risks: [first] }: Asked): string => (first ? ` [${first.label}]` : "");

function toneOf(session: SessionAnswer, asked: readonly Asked[]): Tone {
  if (asked.length > 0 || session.state === "waiting_input") return "waiting";
  return session.state === "running" ? "running" : "quiet";
}

const line = (text: string, tone?: Tone): Toned => ({ text, tone });

const fitted = ({ text, ...tone }: Toned, { columns }: Size): Toned => ({
  ...tone,
  text: cut(oneLine(text), columns - 1),
});
