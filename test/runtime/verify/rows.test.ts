// Damage at rest: whatever row is changed, removed or added, in whatever table, a verification names it.

import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import type { Rig } from "../../support/engine/rig.ts";
import { InvariantViolation } from "../../../runtime/errors/errors.ts";
import { keys } from "../../../runtime/rows/keys.ts";
import { tableOf, TABLES } from "../../../runtime/verify/tables.ts";
import { altered, everyTable, placesIn, shapesIn } from "../../support/engine/every-table.ts";
import { verified } from "../../support/engine/verifying.ts";
import { holdsLater } from "../../support/properties/property.ts";

const FILE = "test/runtime/verify/rows.test.ts";

let rig: Rig;
let shapes: ReadonlyMap<string, readonly string[]>;
beforeAll(async () => {
  rig = await everyTable();
  shapes = shapesIn(rig);
});

const textOf = (key: string): string => rig.disk.rows.get(key) ?? "";

/** What is named while a row is as given; undefined removes it. */
async function namedWith(key: string, text: string | undefined): Promise<readonly string[]> {
  const { rows } = rig.disk;
  const before = rows.get(key);
  if (text === undefined) rows.delete(key);
  else rows.set(key, text);
  try {
    const { differences, rows: found } = await verified(rig.disk, { build: "b" });
    const entries = differences.map(({ position }) => `the proof of entry ${position}`);
    return [...found.differences.map((each) => `${each.what} ${each.key}`), ...entries];
  } catch (error) {
    // Without this row nothing can be replayed.
    return [error instanceof InvariantViolation && key === keys.meta ? error.message : "nothing"];
  } finally {
    if (before === undefined) rows.delete(key);
    else rows.set(key, before);
  }
}

/** A wrong proof is told with its entry. */
const isNamed = (named: readonly string[], key: string): boolean =>
  named.some((each) => each.includes(key) || (/^(?:change|proof)/.test(key) && each.startsWith("the proof")));

/** The places of a row that mean something beside the start that made it. */
const placesOf = (key: string): readonly (readonly string[])[] =>
  placesIn(JSON.parse(textOf(key))).filter(([name]) => !(tableOf(key) === "change" && name === "epoch"));

const said = Object.keys(TABLES).filter((name) => TABLES[name]?.kind !== "start");
const unsaid = Object.keys(TABLES).filter((name) => TABLES[name]?.kind === "start");

describe("a store at rest", () => {
  test("VERIFY-ROWS-1, VERIFY-TABLES-1: without damage no row is named, and the store of this test has every table", async () => {
    const { rows, earlier, unproven } = await verified(rig.disk, { build: "b" });
    expect([rows.differences, earlier, unproven]).toEqual([[], 0, 0]);
    expect([...shapes].filter(([, found]) => found.length === 0)).toEqual([]);
  });

  test("VERIFY-TABLES-1: every key that the store can have is in a table", () => {
    const made = Object.values(keys).map((key) => {
      if (typeof key === "string") return key;
      const of = key as (...parts: unknown[]) => string;
      return key === keys.listed || key === keys.list || key === keys.listFrom
        ? of(["l"], 1, "w/s")
        : of("1", "2", "3", "4");
    });
    expect(made.filter((key) => !Object.hasOwn(TABLES, tableOf(key)))).toEqual([]);
    expect(made.length).toBeGreaterThan(50);
  });

  test.each(said)(
    "VERIFY-ROWS-1: in %s a row that was changed, removed or added is named",
    async (table) => {
      for (const key of shapes.get(table) ?? []) {
        const place = placesOf(key).at(-1) ?? [];
        const changed = await namedWith(key, altered(textOf(key), place));
        expect(isNamed(changed, key), `${key} at ${place.join(".")}: ${changed.join()}`).toBe(true);
        expect(await namedWith(key, undefined)).toContain(`missing ${key}`);
        const other = `${key}0`;
        if (key.includes("/")) expect(await namedWith(other, textOf(key))).toContain(`added ${other}`);
        expect(isNamed(await namedWith(key, "{"), key), `${key} cut`).toBe(true);
      }
    },
    120_000,
  );

  test.each(unsaid)(
    "VERIFY-TABLES-2: in %s a row that cannot be is named, and the others are told as not compared",
    async (table) => {
      for (const key of shapes.get(table) ?? [])
        for (const text of ["{", "-1", '{"position":1000000000}', '"x"']) {
          const { rows } = await verified(rig.disk, { build: "b" });
          expect(rows.unchecked).toContainEqual(expect.objectContaining({ table, why: "unsaid" }));
          expect((await namedWith(key, text)).join(), `${key} as ${text}`).toContain(key);
        }
    },
  );

  test("VERIFY-ROWS-1: any value of any row that was changed is named", async () => {
    const every = [...rig.disk.rows.range({ gte: " ", lt: "~" })].map(([key]) => key);
    const compared = every.filter((key) => TABLES[tableOf(key)]?.kind !== "start" && key !== keys.meta);
    const damage = fc.tuple(fc.constantFrom(...compared), fc.nat(1_000));
    await holdsLater(FILE, 60, damage, async ([key, chance]) => {
      const places = placesOf(key);
      const place = places[chance % places.length];
      if (!place) return;
      const named = await namedWith(key, altered(textOf(key), place));
      expect(isNamed(named, key), `${key} ${place.join(".")}: ${named.join()}`).toBe(true);
    });
  });

  test("VERIFY-ROWS-3: another order of a row's fields is no difference, and no value of a row is told", async () => {
    const every = [...shapes.entries()]
      .filter(([table]) => said.includes(table))
      .flatMap(([, found]) => found);
    let turned = 0;
    for (const key of every) {
      const row: unknown = JSON.parse(textOf(key));
      if (typeof row !== "object" || row === null || Array.isArray(row)) continue;
      turned += 1;
      const other = JSON.stringify(Object.fromEntries(Object.entries(row).toReversed()));
      expect(await namedWith(key, other), key).toEqual([]);
      const secret = JSON.stringify({ ...row, told: "a word that a person typed" });
      expect((await namedWith(key, secret)).join(), key).not.toContain("a person typed");
    }
    expect(turned).toBeGreaterThan(5);
  });

  test("VERIFY-TABLES-1: a row under a key of no table is named", async () => {
    expect(await namedWith("strange/1", "1")).toEqual(["added strange/1"]);
  });
});
