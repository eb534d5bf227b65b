// Answers
// How approvals were answered, counted from kept and from removed ones, against what was really said.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { ApprovalId, SessionId } from "../../../../machines/index.ts";
import { type Answers, answers } from "../../../../runtime/reading/figures/answers.ts";
import { TABLES, wishIn } from "../../../../runtime/reading/figures/counted.ts";
import { Reader } from "../../../../runtime/reading/reader.ts";
import { DAY_MS, HOUR_MS, Rig, WORKSPACE } from "../../../support/engine/rig.ts";
import { holdsLater } from "../../../support/properties/property.ts";
import { approvalIn, ruleFor } from "../../../support/rules/ruled.ts";
import { glob } from "../../../support/rules/terms.ts";
import { call, said } from "../../../support/sessions/said.ts";

const FILE = "test/runtime/reading/figures/answers.test.ts";

interface Asked {
  readonly tool: "Bash" | "Edit";
  readonly way: "ann" | "ben" | "rule" | "nobody";
  readonly decision: "approve" | "deny";
  readonly waitMs: number;
}

const asked: fc.Arbitrary<readonly Asked[]> = fc.array(
  fc.record({
    tool: fc.constantFrom<Asked["tool"]>("Bash", "Edit"),
    way: fc.constantFrom<Asked["way"]>("ann", "ben", "rule", "nobody"),
    decision: fc.constantFrom<Asked["decision"]>("approve", "deny"),
    waitMs: fc.integer({ min: 0, max: 120_000 }),
  }),
  { minLength: 1, maxLength: 20 },
);

async function played(rig: Rig, all: readonly Asked[]): Promise<void> {
  await ruleFor(rig, glob("deny", "rm *"));
  for (const [n, { tool, way, decision, waitMs }] of all.entries()) {
    const [session, id] = [`s${n}` as SessionId, `a${n}`];
    await rig.tell(session, said.prompt(`p${n}`));
    const its = call(`c${n}`, way === "rule" ? "Bash" : tool, { command: way === "rule" ? "rm x" : "ls" });
    await rig.tell(session, said.announced(its), said.ask(id, its));
    rig.clock.advance(waitMs);
    if (way === "ann" || way === "ben")
      await rig.engine.own(WORKSPACE, session, {
        type: "decision",
        approvalId: id as ApprovalId,
        decision,
        ...(decision === "approve" && { inputHash: approvalIn(rig, id, session)?.input?.hash ?? "" }),
        by: `local:${way}`,
      });
    await rig.tell(session, said.sessionEnd());
  }
}

const counted = (rig: Rig, since = 0): Promise<Answers> =>
  answers(new Reader(rig.engine.store), { workspace: WORKSPACE, since });

const COLUMNS = ["allowed", "denied", "person", "client", "rule", "model", "nobody", "waiting"] as const;

/** A wish with a number's table, row and column has that many, each once, the newest first. */
async function eachNumberNamesIts(rig: Rig, { tables }: Answers): Promise<void> {
  const reader = new Reader(rig.engine.store);
  for (const table of TABLES)
    for (const row of tables[table])
      for (const column of [undefined, ...COLUMNS]) {
        const wish = { table, name: row.name, limit: 50, ...(column && { column }) };
        const { all, items = [] } = await answers(reader, { workspace: WORKSPACE, since: 0, ...wish });
        const number = column === undefined ? row.asked : row[column];
        expect([table, row.name, column, all.asked, items.length]).toEqual([
          ...[table, row.name, column],
          ...[number, number],
        ]);
        expect(new Set(items.map(({ approvalId }) => approvalId)).size).toBe(number);
        const times = items.map(({ askedAt }) => askedAt);
        expect(times).toEqual(times.toSorted((one, other) => other - one));
        expect(items.every(({ workspace }) => workspace === WORKSPACE)).toBe(true);
      }
}

/** Two times that meet have what the whole time has. */
async function splits(rig: Rig): Promise<void> {
  const reader = new Reader(rig.engine.store);
  const whole = await answers(reader, { workspace: WORKSPACE, since: 0, limit: 50 });
  const times = whole.items?.map(({ askedAt }) => askedAt) ?? [];
  const middle = times[Math.floor(times.length / 2)] ?? 0;
  const early = await answers(reader, { workspace: WORKSPACE, since: 0, until: middle });
  const late = await answers(reader, { workspace: WORKSPACE, since: middle });
  expect(early.all.asked).toBe(times.filter((each) => each < middle).length);
  expect(early.all.asked + late.all.asked).toBe(whole.all.asked);
}

/** The nearest rank, by counting anew. */
function quantile(waits: readonly number[], share: number): number {
  return waits.find((wait) => waits.filter((each) => each <= wait).length >= waits.length * share) ?? 0;
}

/** What must be told, from the script alone. */
function expected(all: readonly Asked[]) {
  const people = all.filter(({ way }) => way === "ann" || way === "ben");
  const by = (way: Asked["way"]): number => all.filter((each) => each.way === way).length;
  const waits = people.map(({ waitMs }) => waitMs).toSorted((one, other) => one - other);
  return {
    asked: all.length,
    allowed: people.filter(({ decision }) => decision === "approve").length,
    denied: people.filter(({ decision }) => decision === "deny").length + by("rule"),
    person: people.length,
    client: 0,
    rule: by("rule"),
    model: 0,
    nobody: by("nobody"),
    waiting: 0,
    waitMs: {
      count: waits.length,
      p50: quantile(waits, 0.5),
      p90: quantile(waits, 0.9),
      longest: waits.at(-1) ?? 0,
    },
  };
}

describe("answers", () => {
  test("FIGURES-ANSWERS-1, FIGURES-ANSWERS-2, FIGURES-COUNTED-1, ASKED-BEFORE-1: counts each approval once in each table, the same once it is removed", async () => {
    await holdsLater(FILE, 12, asked, async (all) => {
      const rig = await Rig.start();
      await played(rig, all);
      const before = await counted(rig);
      expect(before.all).toEqual({ name: "all", ...expected(all) });
      for (const rows of Object.values(before.tables))
        expect(rows.reduce((sum, row) => sum + row.asked, 0)).toBe(all.length);
      for (const name of ["Bash", "Edit"]) {
        const its = all.filter(({ tool, way }) => (way === "rule" ? "Bash" : tool) === name);
        expect(before.tables.tool.find((row) => row.name === name)?.asked ?? 0).toBe(its.length);
      }
      for (const name of ["ann", "ben"] as const) {
        const its = all.filter(({ way }) => way === name);
        const row = before.tables.by.find((each) => each.name === `local:${name}`);
        expect(row ? [row.asked, row.person] : [0, 0]).toEqual([its.length, its.length]);
      }
      await rig.pass(2 * DAY_MS, HOUR_MS);
      expect([...rig.rows("past/").keys()]).toHaveLength(all.length);
      // What came after a denial goes with the calls (AFTER-DENIAL-1).
      await eachNumberNamesIts(rig, before);
      const { afterDenials: _, ...kept } = before;
      expect(await counted(rig)).toMatchObject(kept);
      await eachNumberNamesIts(rig, before);
      expect((await counted(rig, rig.clock.now())).all.asked).toBe(0);
      await splits(rig);
      await rig.engine.stop();
    });
  });

  test("FIGURES-ANSWERS-1, ASKED-BEFORE-2: one that waits, one answered at the client and one that cannot be read", async () => {
    const rig = await Rig.start();
    for (const session of ["s1", "s2", "s3"]) {
      await rig.tell(session, said.prompt(`p-${session}`));
      const its = call(`c-${session}`, "Bash", { command: "ls" });
      await rig.tell(session, said.announced(its), said.ask(`a-${session}`, its));
      if (session === "s2") await rig.tell(session, said.post(its));
    }
    await rig.engine.stop();
    rig.disk.rows.set("actor/w/s3/approval/a-s3", "{");
    const next = await rig.restart();
    const { all } = await counted(next);
    expect(all).toMatchObject({ asked: 2, waiting: 1, client: 1, allowed: 1, waitMs: { count: 0 } });
  });

  test.each([
    [{ table: "weekday", name: "Mon" }, "table"],
    [{ column: "asked" }, "column"],
    [{ table: "tool" }, "name"],
    [{ name: "Bash" }, "name"],
    [{ limit: "0" }, "limit"],
    [{ limit: "1001" }, "limit"],
    [{ limit: "ten" }, "limit"],
  ])("FIGURES-COUNTED-1: a wish that names no number is refused: %j", (given, path) => {
    expect(() => wishIn(given)).toThrow(expect.objectContaining({ path }));
  });
});
