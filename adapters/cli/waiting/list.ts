// Waiting list
// The list of pending approvals at the bottom of the terminal's screen.
//
//   Owns:          which approvals are listed, and in which order; the lines at the bottom of the screen.
//   Does not own:  following the engine's changes (follow.ts), the words about an approval (approval/text.ts).
//   Decided in:    docs/decisions/0027-approvals-in-a-terminal.md.

import { oneLine } from "../../../runtime/text/visible.ts";
import type { ApprovalRef, ShownApproval } from "../approval/read.ts";
import { byTheirUrgency, isGrave, toneOfRisks } from "../approval/risk-text.ts";
import { rowOf } from "../approval/text.ts";
import type { Terminal, Toned } from "../output/terminal.ts";
import { cut, widthOf } from "../output/width.ts";
import { agoOf, plural } from "../wording.ts";

const END = "Ctrl-C ends.";
const GAP = "  ";
/** The column for the approval's subject. */
const GIST = 3;
const GIST_MIN = 24;
/** The mark of a grave risk. The risk's reasons were printed above the list, with the whole approval. */
const GRAVE = "! ";

const isOf = (approval: ApprovalRef, { workspace, id }: ApprovalRef): boolean =>
  approval.workspace === workspace && approval.id === id;

export class WaitingList {
  #approvals: readonly ShownApproval[] = [];

  get all(): readonly ShownApproval[] {
    return this.#approvals;
  }

  find(named: ApprovalRef): ShownApproval | undefined {
    return this.#approvals.find(({ approval }) => isOf(approval, named));
  }

  add(shown: ShownApproval): void {
    this.#approvals = [...this.#approvals, shown].sort(inOrder);
  }

  replace(shown: ShownApproval): void {
    this.remove(shown.approval);
    this.add(shown);
  }

  remove(named: ApprovalRef): void {
    this.#approvals = this.#approvals.filter(({ approval }) => !isOf(approval, named));
  }

  /** @param isLost whether the engine does not answer. @returns at most half a screen; the rest is only counted. */
  frame(size: Terminal["size"], now: number, isLost: boolean): readonly Toned[] {
    const lost = isLost ? ["The connection is lost. Trying again."] : [];
    if (this.#approvals.length === 0)
      return fitted([...lost, `Nothing waits for an answer. ${END}`].map(plain), size.columns);
    const shown = this.#approvals.slice(0, Math.max(1, Math.floor(size.rows / 2) - 2));
    const gistMax = Math.max(GIST_MIN, Math.floor(size.columns / 3));
    const rows = shown.map((each) =>
      rowOf(each, now).map((cell, column) =>
        column === GIST ? cut(`${isGrave(each) ? GRAVE : ""}${oneLine(cell)}`, gistMax) : oneLine(cell),
      ),
    );
    const widths = [0, 1, 2, GIST].map((column) =>
      Math.max(...rows.map((row) => widthOf(row[column] ?? ""))),
    );
    const toneAt = (at: number) => shown.slice(at, at + 1).map(toneOfRisks)[0];
    const lines = rows.map((row, at) => ({
      text: row
        .map((cell, column) => cell + " ".repeat(Math.max(0, (widths[column] ?? 0) - widthOf(cell))))
        .join(GAP),
      tone: toneAt(at),
    }));
    const rest = this.#approvals.length - shown.length;
    const count = this.#approvals.length;
    const oldest = this.#approvals.reduce((at, { approval }) => Math.min(at, approval.askedAt), Infinity);
    const head = `${plural(count, "approval")} ${count === 1 ? "waits" : "wait"}, the oldest for ${agoOf(oldest, now)}. ${END}`;
    const more = rest > 0 ? [`and ${rest} more`] : [];
    return fitted([...[...lost, head].map(plain), ...lines, ...more.map(plain)], size.columns);
  }
}

const plain = (text: string): Toned => ({ text });

const fitted = (lines: readonly Toned[], columns: number): readonly Toned[] =>
  lines.map(({ text, tone }) => ({ text: cut(text, columns - 1), tone }));

/** Sorts by urgency; of approvals that one session requested at the same time, the earlier call's comes first. */
function inOrder(one: ShownApproval, other: ShownApproval): number {
  const [a, b] = [one.approval, other.approval];
  return (
    byTheirUrgency(one, other) ||
    a.workspace.localeCompare(b.workspace, "en") ||
    a.sessionId.localeCompare(b.sessionId, "en") ||
    (one.call?.batchId ?? "").localeCompare(other.call?.batchId ?? "", "en", { numeric: true }) ||
    (one.call?.index ?? 0) - (other.call?.index ?? 0)
  );
}
