// Board
// The sessions as `watch` shows them: each one's name, what it is doing, its newest calls.
//
//   Owns:          keeping up with changes, the lines of a frame, the line of a change.
//   Does not own:  following the stream (commands/watch.ts), drawing (terminal.ts).
//
// BOARD-1. What it holds is bounded: the newest sessions, and of each the newest calls (calls.ts).

import {
  approvalAnswer,
  callAnswer,
  type ChangeAnswer,
  requestAnswer,
  type SessionAnswer,
  sessionAnswer,
} from "../answers.ts";
import { toolOf } from "../nested.ts";
import { oneLine } from "../../../runtime/text/visible.ts";
import { Calls } from "./calls.ts";
import { cut } from "../width.ts";
import {
  agoOf,
  causeOfCall,
  gistIn,
  intentIn,
  nameOfSession,
  plural,
  stateOfApproval,
  stateOfRequest,
  timeOf,
  waitsForAnswer,
} from "../wording.ts";

const NONE = "No session is open. Start your agent; its calls appear here.";
const SESSIONS_MAX = 100;
const ENDED_SHOWN_MS = 60_000;
const INTENT_MAX = 100;

interface Panel {
  session: SessionAnswer | undefined;
  at: number;
  readonly calls: Calls;
}

export class Board {
  readonly #awaited: string | undefined;
  /** The one changed last is last. */
  readonly #panels = new Map<string, Panel>();

  /** @param awaited the session's id, if only one is watched. */
  constructor(awaited?: string) {
    this.#awaited = awaited;
  }

  /** What to show while there is no session; undefined once there was one. */
  get waitsFor(): string | undefined {
    if (this.#panels.size > 0) return undefined;
    return this.#awaited === undefined ? NONE : `No session ${this.#awaited} yet; waiting for it.`;
  }

  /** Takes over a list's rows. */
  seed(sessions: readonly SessionAnswer[]): void {
    for (const session of [...sessions].sort((a, b) => a.lastEvent.at - b.lastEvent.at)) {
      const panel = this.#panel(`${session.workspace}/${session.id}`, session.lastEvent.at);
      panel.session = session;
    }
  }

  /** @returns the change as a line; undefined for one that matters to nobody by itself. */
  apply(change: ChangeAnswer): string | undefined {
    const panel = this.#panel(`${change.workspace}/${change.sessionId}`, change.at);
    const what = this.#take(panel, change);
    if (what === undefined || isBetween(change)) return undefined;
    const name = panel.session ? nameOfSession(panel.session) : change.sessionId;
    return oneLine(`${timeOf(change.at)}  ${name}  ${what}`);
  }

  /** The whole board. @param rows how many lines fit. */
  frame(size: { readonly columns: number; readonly rows: number }, now: number): readonly string[] {
    const panels = [...this.#panels.values()]
      .reverse()
      .filter(({ session, at }) => session && (session.state !== "ended" || now - at < ENDED_SHOWN_MS));
    const head = panels.length === 0 ? (this.waitsFor ?? NONE) : plural(panels.length, "session");
    const lines = panels.flatMap((panel) => ["", ...linesOf(panel, now)]);
    return [head, ...lines]
      .slice(0, Math.max(1, size.rows - 2))
      .map((line) => cut(oneLine(line), size.columns - 1));
  }

  #panel(key: string, at: number): Panel {
    const panel = this.#panels.get(key) ?? { session: undefined, at, calls: new Calls() };
    panel.at = Math.max(panel.at, at);
    this.#panels.delete(key);
    this.#panels.set(key, panel);
    const oldest = this.#panels.keys().next();
    if (this.#panels.size > SESSIONS_MAX && oldest.done !== true) this.#panels.delete(oldest.value);
    return panel;
  }

  #take(panel: Panel, change: ChangeAnswer): string | undefined {
    const { entity, view, to } = change;
    if (entity === "session") {
      panel.session = sessionAnswer.parse(view);
      return change.from === to ? undefined : `session ${to}`;
    }
    if (entity === "request") {
      const request = requestAnswer.parse(view);
      return [`request ${stateOfRequest(request)}`, request.error].filter(Boolean).join(": ");
    }
    if (entity === "approval") {
      const approval = approvalAnswer.parse(view);
      const { tool } = approval;
      return to === "pending"
        ? `${tool} asks: npx signalbox approvals`
        : `${tool} ${stateOfApproval(approval)}`;
    }
    if (entity === "callback") return `callback ${to}`;
    const call = callAnswer.parse(view);
    const line = [
      call.execution.padEnd(12),
      toolOf(call),
      gistIn(call),
      causeOfCall(call) && `(${causeOfCall(call)})`,
      waitsForAnswer(call) && intentIn(call, INTENT_MAX),
    ]
      .filter(Boolean)
      .join("  ");
    panel.calls.put(call, line);
    return line;
  }
}

/** Changes that need no line: a call is queued in the turn that creates it, notes change no state. */
function isBetween({ entity, to, view }: ChangeAnswer): boolean {
  if (to === "annotated")
    return !(entity === "toolcall" && callAnswer.parse(view).executedAfterDenial === true);
  return entity === "toolcall" && to === "created";
}

function linesOf({ session, calls, at }: Panel, now: number): readonly string[] {
  if (!session) return [];
  return [
    `${session.state.padEnd(13)} ${nameOfSession(session)}  (${agoOf(at, now)} ago)`,
    ...calls.lines().map((line) => `    ${line}`),
  ];
}
