// Frame
// Lays the board of `watch` out on a screen: which sessions, in which order, in how many lines.
//
//   Owns:          the order of the sessions on the board, the words and colours of the lines, the note about what does not fit.
//   Does not own:  updating the board (board.ts), which calls are shown (calls.ts), drawing (terminal.ts).
//
// FRAME-1. The board shows sessions that wait for a person first. These sessions and their approvals have the order of the
//     panel's inbox (runtime/risks/urgency). The other sessions follow, the one with the newest change first.
// FRAME-2. If not all sessions fit on the screen, a last line says how many more there are, and how many of them wait for a
//     person.

import type { Risk } from "../../../runtime/risks/risks.ts";
import { labelOf } from "../../../runtime/text/state-words.ts";
import { byUrgency, type Urgent } from "../../../runtime/risks/urgency.ts";
import { oneLine } from "../../../runtime/text/visible.ts";
import type { SessionAnswer } from "../answers.ts";
import type { Terminal, Tone, Toned } from "../output/terminal.ts";
import { cut } from "../output/width.ts";
import { agoOf, nameOfSession, plural } from "../wording.ts";

export interface Asked extends Urgent {
  readonly tool: string;
  readonly gist: string;
  readonly why: string;
  readonly risks: readonly Pick<Risk, "level" | "label">[];
}

export interface Shown {
  readonly session: SessionAnswer;
  readonly at: number;
  readonly asked: readonly Asked[];
  readonly calls: readonly string[];
}

export type Size = Terminal["size"];

const ASKED_MAX = 3;
const STATE_COLUMNS = 16;

/** @param sessions the one that changed last comes first. @returns at most `size.rows - 2` lines. */
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

/** How many sessions have at least their first line within the given number of lines. */
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

/** The session's most urgent approval. If none is known yet, the time of the session's last change stands for it. */
const mostUrgent = ({ asked, at }: Shown): Urgent => asked[0] ?? { askedAt: at, risks: [] };

const byWaiting = (a: Shown, b: Shown): number =>
  Number(isWaiting(b)) - Number(isWaiting(a)) || (isWaiting(a) ? byUrgency(mostUrgent(a), mostUrgent(b)) : 0);

const untilOf = ({ deadlineAt }: Asked, now: number): string =>
  deadlineAt === undefined ? "" : `, ${agoOf(now, deadlineAt)} left`;

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
