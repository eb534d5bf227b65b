// Board
// The board of `watch`: sessions, each with its name, its activity, its pending approvals and its newest calls.
//
//   Owns:          updating the board after changes, the line that describes a change.
//   Does not own:  following the change stream (commands/watch.ts), the lines on the screen (frame.ts), drawing (terminal.ts).
//
// BOARD-1. The board of `watch` shows a limited number of sessions, and of calls for each session (calls.ts). Sessions with
//     pending approvals are dropped last.
// BOARD-2. A pending approval is shown with the best known words that say why its call is made. Better words are printed when
//     they arrive.
// BOARD-3. `watch` prints lines about every kind of entity in the stream, from sessions to alarms. An alarm's line says why there
//     is an alarm.

import {
  alarmAnswer,
  type ApprovalAnswer,
  approvalAnswer,
  type CallAnswer,
  callAnswer,
  type ChangeAnswer,
  requestAnswer,
  type SessionAnswer,
  sessionAnswer,
} from "../answers.ts";
import { toolOf } from "../nested.ts";
import { risksOf } from "../../../runtime/risks/risks.ts";
import { alarmWords, labelOf } from "../../../runtime/text/state-words.ts";
import { byUrgency } from "../../../runtime/risks/urgency.ts";
import { oneLine } from "../../../runtime/text/visible.ts";
import type { Found } from "../approval/read.ts";
import type { Toned } from "../output/terminal.ts";
import { Calls } from "./calls.ts";
import { type Asked, frameOf, type Size } from "./frame.ts";
import {
  causeOfCall,
  gistIn,
  intentIn,
  nameOfSession,
  stateOfApproval,
  stateOfRequest,
  timeOf,
  waitsForAnswer,
} from "../wording.ts";

const NONE = "No session is open. Start your agent; its calls appear here.";
const SESSIONS_MAX = 100;
const ENDED_SHOWN_MS = 60_000;
const GIST_MAX = 200;
const INTENT_MAX = 100;
const STATE_COLUMNS = 12;

interface Panel {
  session: SessionAnswer | undefined;
  at: number;
  readonly calls: Calls;
  readonly asked: Map<string, Asked>;
}

export class Board {
  readonly #awaited: string | undefined;
  /** The sessions, in the order of their last changes: the session that changed last is last. */
  readonly #panels = new Map<string, Panel>();

  constructor(awaited?: string) {
    this.#awaited = awaited;
  }

  get waitsFor(): string | undefined {
    if (this.#panels.size > 0) return undefined;
    return this.#awaited === undefined ? NONE : `No session ${this.#awaited} yet; waiting for it.`;
  }

  /** Brings the board up to date with lists just read. @param waiting the pending approvals, with their sessions. */
  seed(sessions: readonly SessionAnswer[], waiting: readonly Found[] = []): void {
    for (const session of [...sessions].sort((a, b) => a.lastEvent.at - b.lastEvent.at)) {
      const panel = this.#panel(`${session.workspace}/${session.id}`, session.lastEvent.at);
      panel.session = session;
    }
    // Some of the known approvals may have been answered while the connection was lost.
    for (const { asked } of this.#panels.values()) asked.clear();
    for (const { approval, session, call } of waiting) {
      const { workspace, sessionId, id } = approval;
      const panel = this.#panel(`${workspace}/${sessionId}`, session?.lastEvent.at ?? approval.askedAt);
      panel.session ??= session;
      panel.asked.set(id, askedIn(approval, panel.session?.cwd, call && intentIn(call, INTENT_MAX)));
    }
  }

  apply(change: ChangeAnswer): string | undefined {
    const panel = this.#panel(`${change.workspace}/${change.sessionId}`, change.at);
    const what = this.#take(panel, change);
    if (what === undefined || isBetween(change)) return undefined;
    const name = panel.session ? nameOfSession(panel.session) : change.sessionId;
    return oneLine(`${timeOf(change.at)}  ${name}  ${what}`);
  }

  frame(size: Size, now: number): readonly Toned[] {
    const shown = [...this.#panels.values()].reverse().flatMap(({ session, at, calls, asked }) => {
      if (!session || (session.state === "ended" && now - at >= ENDED_SHOWN_MS)) return [];
      return [{ session, at, asked: [...asked.values()].sort(byUrgency), calls: calls.lines() }];
    });
    if (shown.length === 0) return [{ text: oneLine(this.waitsFor ?? NONE) }];
    return frameOf(shown, size, now);
  }

  #panel(key: string, at: number): Panel {
    const panel = this.#panels.get(key) ?? { session: undefined, at, calls: new Calls(), asked: new Map() };
    panel.at = Math.max(panel.at, at);
    this.#panels.delete(key);
    this.#panels.set(key, panel);
    if (this.#panels.size > SESSIONS_MAX) this.#letGo();
    return panel;
  }

  #letGo(): void {
    const all = [...this.#panels];
    const oldest = all.find(([, { asked }]) => asked.size === 0) ?? all[0];
    if (oldest) this.#panels.delete(oldest[0]);
  }

  #take(panel: Panel, change: ChangeAnswer): string | undefined {
    const { entity, view, to } = change;
    if (entity === "session") {
      panel.session = sessionAnswer.parse(view);
      return change.from === to ? undefined : `session: ${labelOf(to)}`;
    }
    if (entity === "request") {
      const request = requestAnswer.parse(view);
      return [`request: ${labelOf(stateOfRequest(request))}`, request.error].filter(Boolean).join(": ");
    }
    if (entity === "approval") {
      const approval = approvalAnswer.parse(view);
      const { tool, id } = approval;
      if (to === "annotated") return undefined;
      if (to === "pending") panel.asked.set(id, askedIn(approval, panel.session?.cwd));
      else panel.asked.delete(id);
      return to === "pending"
        ? [tool, "asks:", oneLine(gistIn(approval), GIST_MAX), "(npx signalbox approvals)"]
            .filter(Boolean)
            .join(" ")
        : `${tool} ${stateOfApproval(approval)}`;
    }
    if (entity === "callback") return `callback ${to}`;
    if (entity === "alarm") {
      const { tool, because } = alarmAnswer.parse(view);
      return [`alarm: ${labelOf(to)}: ${tool}`, because && alarmWords(because)].filter(Boolean).join(" ");
    }
    const call = callAnswer.parse(view);
    const line = [
      labelOf(call.execution).padEnd(STATE_COLUMNS),
      toolOf(call),
      gistIn(call),
      causeOfCall(call) && `(${causeOfCall(call)})`,
      waitsForAnswer(call) && intentIn(call, INTENT_MAX),
    ]
      .filter(Boolean)
      .join("  ");
    panel.calls.put(call, line);
    const why = newWords(panel, call);
    if (to === "annotated" && call.executedAfterDenial !== true)
      return why === undefined ? undefined : `${call.tool} asks because: ${why}`;
    return line;
  }
}

function newWords({ asked }: Panel, call: CallAnswer): string | undefined {
  const id = call.approval?.id;
  const known = id === undefined ? undefined : asked.get(id);
  const why = intentIn(call, INTENT_MAX);
  if (id === undefined || !known || why === "" || why === known.why) return undefined;
  asked.set(id, { ...known, why });
  return why;
}

/**
 * True for a change that gets no line: a call that was created, because the same turn changes it again; and an annotation, which
 * changes no state, of anything but a call. An annotation of a call may get a line, because it may have the agent's words.
 */
const isBetween = ({ entity, to }: ChangeAnswer): boolean =>
  entity === "toolcall" ? to === "created" : to === "annotated";

const askedIn = (approval: ApprovalAnswer, cwd: string | undefined, why = ""): Asked => ({
  why,
  tool: approval.tool,
  gist: oneLine(gistIn(approval), GIST_MAX),
  askedAt: approval.askedAt,
  deadlineAt: approval.deadlineAt,
  risks: risksOf(approval.tool, approval.input, cwd),
});
