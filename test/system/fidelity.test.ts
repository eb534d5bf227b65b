// Fidelity
// What `npm run eval:fidelity` measures, on a few recordings: nothing false is claimed, and what is known stays known.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { type Row, rowsOf, tableOf } from "../fidelity/table.ts";
import { WAYS } from "../fidelity/ways.ts";
import { recording } from "../support/sessions/recording.ts";

const DOCUMENT = readFileSync(join(import.meta.dirname, "..", "..", "docs", "why", "fidelity.md"), "utf8");
const FEW = [
  "s2-defer-resume",
  "s2-pre-deny",
  "s4-ask-parallel-reads",
  "s4-sdk-parallel-ask",
  "s5-fail",
  "s5-sigkill-resume",
  "s6-subagent",
  "s9-resume-fork",
  "t1-tui-deny-esc",
].map(recording);

let rows: ReadonlyMap<string, Row>;
beforeAll(async () => {
  rows = new Map((await rowsOf(FEW, 1)).map((row) => [row.way, row]));
}, 120_000);

const at = (way: string): Row => {
  const row = rows.get(way);
  if (!row) throw new Error(`There is no way called ${way}.`);
  return row;
};

describe("fidelity", () => {
  test.each(WAYS.map(({ name }) => name))(
    "C1–C5, I-24: %s: no call is said to have ended otherwise",
    (way) => {
      expect(at(way).calls).toBeGreaterThan(30);
      expect(at(way).wrong).toBe(0);
    },
  );

  test("I-24, SCORE-1, SCORE-2: with hooks and transcript every end and cause is exact, in whatever order the sources come", () => {
    const whole = WAYS.filter(({ name }) => name.startsWith("all:") || name === "hooks, then transcript");
    expect(whole.length).toBeGreaterThan(6);
    for (const { name } of whole) {
      expect([name, at(name).exact]).toEqual([name, at(name).calls]);
      expect([name, at(name).causesKnown]).toEqual([name, at(name).causes]);
    }
  });

  test("C3, C4, ORACLE-3: with hooks alone a denial is known as such, and what is lost does not turn into an end", () => {
    const unseen = 9;
    expect(at("hooks").exact).toBeGreaterThanOrEqual(at("hooks").calls - unseen);
    expect(at("hooks").approvalsRight).toBe(at("hooks").approvals);
    expect(at("hooks, reversed").exact).toBeGreaterThanOrEqual(at("hooks").exact - 4);
    expect(at("hooks, a third of the messages lost").exact * 2).toBeGreaterThan(
      at("hooks, a third of the messages lost").calls,
    );
  });

  test("Docs: docs/why/fidelity.md has a row for every way, with the columns of the command", () => {
    const header = tableOf([...rows.values()])
      .split("\n")[0]
      ?.replaceAll(/ +/g, " ");
    expect(DOCUMENT.replaceAll(/ +/g, " ")).toContain(header);
    for (const { name } of WAYS) expect(DOCUMENT).toContain(`| ${name} `);
  });
});
