// Waiting list
// The pending approvals, as they come and go.
//
//   Owns:          which are pending, in which order; the lines at the bottom of the screen.
//   Does not own:  following the engine (follow.ts), the words of one (approval/text.ts).
//   Decided in:    docs/decisions/0027-approvals-in-a-terminal.md.

import { oneLine } from "../../../runtime/text/visible.ts";
import { type ApprovalRef, type ShownApproval, rowOf } from "../approval/index.ts";
import { cut, widthOf } from "../width.ts";
import { agoOf, plural } from "../wording.ts";

const END = "Ctrl-C ends.";
const GAP = "  ";
/** The column for the approval's subject. */
const GIST = 3;
const GIST_MIN = 24;

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

  remove(named: ApprovalRef): void {
    this.#approvals = this.#approvals.filter(({ approval }) => !isOf(approval, named));
  }

  /**
   * @param now ms. @param isLost whether the engine is away.
   * @returns at most half a screen: the rest is counted.
   */
  frame(
    size: { readonly columns: number; readonly rows: number },
    now: number,
    isLost: boolean,
  ): readonly string[] {
    const lost = isLost ? ["The connection is lost. Trying again."] : [];
    const [oldest] = this.#approvals;
    if (!oldest) return fitted([...lost, `Nothing waits for an answer. ${END}`], size.columns);
    const shown = this.#approvals.slice(0, Math.max(1, Math.floor(size.rows / 2) - 2));
    const gistMax = Math.max(GIST_MIN, Math.floor(size.columns / 3));
    const rows = shown.map((each) =>
      rowOf(each, now).map((cell, column) => cut(oneLine(cell), column === GIST ? gistMax : Infinity)),
    );
    const widths = [0, 1, 2, GIST].map((column) =>
      Math.max(...rows.map((row) => widthOf(row[column] ?? ""))),
    );
    const lines = rows.map((row) =>
      row
        .map((cell, column) => cell + " ".repeat(Math.max(0, (widths[column] ?? 0) - widthOf(cell))))
        .join(GAP),
    );
    const rest = this.#approvals.length - shown.length;
    const count = this.#approvals.length;
    const head = `${plural(count, "approval")} ${count === 1 ? "waits" : "wait"}, the oldest for ${agoOf(oldest.approval.askedAt, now)}. ${END}`;
    return fitted([...lost, head, ...lines, ...(rest > 0 ? [`and ${rest} more`] : [])], size.columns);
  }
}

const fitted = (lines: readonly string[], columns: number): readonly string[] =>
  lines.map((line) => cut(line, columns - 1));

/** Oldest first; of approvals that one session asked for at the same time, the earlier call's first. */
function inOrder(one: ShownApproval, other: ShownApproval): number {
  const [a, b] = [one.approval, other.approval];
  return (
    a.askedAt - b.askedAt ||
    a.workspace.localeCompare(b.workspace, "en") ||
    a.sessionId.localeCompare(b.sessionId, "en") ||
    (one.call?.batchId ?? "").localeCompare(other.call?.batchId ?? "", "en", { numeric: true }) ||
    (one.call?.index ?? 0) - (other.call?.index ?? 0)
  );
}
