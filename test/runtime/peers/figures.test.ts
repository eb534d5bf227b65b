// Figures
// The figures of several engines, against those of one engine that has what all of them have.

import { describe, expect, it } from "vitest";
import { answeredAll, seriesAll } from "../../../runtime/peers/figures.ts";
import type { Answers, AnswersRow, Waits } from "../../../runtime/reading/figures/answers.ts";

const NONE: Waits = { count: 0, p50: 0, p90: 0, longest: 0 };
const row = (name: string, asked: number, waitMs: Waits = NONE): AnswersRow => ({
  ...{ name, asked, allowed: asked, denied: 0, waitMs },
  ...{ person: asked, client: 0, rule: 0, model: 0, nobody: 0, waiting: 0 },
});
const answers = (rows: readonly AnswersRow[], all: AnswersRow): Answers => ({
  ...{ since: 0, all, more: false },
  tables: { day: rows, tool: rows, by: [], project: [], agent: [] },
  afterDenials: { denials: 1, same: 1, changed: 0, other: 0, none: 0 },
});
const WAITS: Waits = { count: 3, p50: 20, p90: 40, longest: 50 };

describe("figures", () => {
  it("PEERS-FIGURES-1: counts are added row by row, whatever a peer sends", () => {
    const own = answers([row("Bash", 2)], row("all", 2));
    const peers = [
      { engine: "shop", body: answers([row("Edit", 9), row("Bash", 1)], row("all", 10)) },
      { engine: "liar", body: { all: "nonsense", tables: [], more: true } },
    ];
    const { all, tables, afterDenials, more } = answeredAll(own, peers, 0);
    expect(all).toMatchObject({ asked: 12, allowed: 12, person: 12 });
    expect(tables.tool.map(({ name, asked }) => [name, asked])).toEqual([
      ["Edit", 9],
      ["Bash", 3],
    ]);
    expect(tables.day.map(({ name }) => name)).toEqual(["Edit", "Bash"]);
    expect([afterDenials.same, more]).toEqual([2, true]);
  });

  it("PEERS-FIGURES-1: a row that a peer may have, but did not send, is absent", () => {
    const own = answers([row("Bash", 50)], row("all", 50));
    const full = Array.from({ length: 100 }, (_, n) => row(`tool-${n}`, 9));
    const rowsWith = (rows: readonly AnswersRow[]) =>
      answeredAll(own, [{ engine: "shop", body: answers(rows, row("all", 905)) }], 0).tables;
    expect(rowsWith(full).tool.map(({ name }) => name)).not.toContain("Bash");
    expect(rowsWith([...full.slice(1), row("Bash", 9)]).tool[0]).toMatchObject({ name: "Bash", asked: 59 });
    expect(rowsWith(full.slice(1)).tool[0]).toMatchObject({ name: "Bash", asked: 50 });
  });

  it("PEERS-FIGURES-1: a median of several engines is absent, and that of one engine stays", () => {
    const own = answers([row("Bash", 3, WAITS), row("Edit", 3, WAITS)], row("all", 6, WAITS));
    const peer = answers([row("Bash", 1, { ...WAITS, count: 1, longest: 90 })], row("all", 1));
    const { tables, all } = answeredAll(own, [{ engine: "shop", body: peer }], 0);
    expect(tables.tool.map(({ waitMs }) => waitMs)).toEqual([{ count: 4, longest: 90 }, WAITS]);
    expect(all.waitMs).toEqual(WAITS);
  });

  it("PEERS-FIGURES-1: the approvals behind a number are the newest of all engines", () => {
    const item = (approvalId: string, askedAt: number) => ({
      ...{ approvalId, askedAt, workspace: "w", sessionId: "s", tool: "Bash", input: "", state: "approved" },
    });
    const own = { ...answers([], row("all", 2)), items: [item("a", 9), item("b", 1)] };
    const peer = { ...answers([], row("all", 1)), items: [item("c", 5)] };
    const { items } = answeredAll(own, [{ engine: "shop", body: peer }], 2);
    expect(items).toMatchObject([{ approvalId: "a" }, { approvalId: "c", engine: "shop" }]);
  });

  it("PEERS-FIGURES-1: intervals are added by their times; of the longest waits, the longest counts", () => {
    const interval = (at: number, asked: number, waitedMaxMs: number) => ({
      ...{ at, asked, waitedMaxMs, changes: 1, ended: 0, completed: 0, failed: 0, denied: 0 },
      ...{ unreported: 0, answered: 0, waitedMs: 0, waiting: asked },
    });
    const own = { items: [interval(60, 1, 7), interval(120, 2, 0)], stepMs: 60 };
    const peer = { items: [interval(120, 3, 4), interval(180, 9, 9)], stepMs: 60, since: 120 };
    const { items, since } = seriesAll(own, [{ engine: "shop", body: peer }]);
    expect(items.map(({ at, asked, waiting, waitedMaxMs }) => [at, asked, waiting, waitedMaxMs])).toEqual([
      [60, 1, 1, 7],
      [120, 5, 5, 4],
    ]);
    expect(since).toBe(120);
  });
});
