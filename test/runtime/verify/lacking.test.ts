// What is verified of a journal that lacks entries, at its beginning or in its middle.

import { describe, expect, test } from "vitest";
import type { Verifying } from "../../../runtime/verify/verified.ts";
import { Rig } from "../../support/engine/rig.ts";
import { verified } from "../../support/engine/verifying.ts";
import { busy } from "../../support/sessions/busy.ts";
import { call, said } from "../../support/sessions/said.ts";

describe("a hole in the journal", () => {
  test("VERIFY-4: an entry that was lost after it was applied is named, and nothing is said to be before the first", async () => {
    const rig = await Rig.start();
    for (const session of ["s1", "s2"]) await busy(rig, session);
    const hole = rig.disk.tail - 5;
    await busy(rig, "s3");
    const entry: Verifying["entry"] = (position) =>
      Promise.resolve(position === hole ? undefined : rig.disk.entries[position - 1]);
    const found = await verified(rig.disk, { entry });
    expect(found).toMatchObject({ first: 1, earlier: 0, unproven: 0, differences: [] });
    expect(found.missing).toEqual([{ first: hole, last: hole, wasApplied: true }]);
    expect(found.behind).toBeGreaterThan(0);
    expect(found.compared + found.behind).toBe(rig.disk.tail - 1);
    // The session that began behind the hole, and all that was before it.
    expect(found.compared).toBeGreaterThanOrEqual(hole - 1 + 8);
  });

  test("VERIFY-4, DUE-2: half a journal of holes moves its beginning nowhere", async () => {
    const rig = await Rig.start();
    await busy(rig, "s1");
    const half = Math.ceil(rig.disk.tail / 2);
    const entry: Verifying["entry"] = (position) =>
      Promise.resolve(position > half || position === 1 ? rig.disk.entries[position - 1] : undefined);
    const found = await verified(rig.disk, { entry });
    expect([found.first, found.earlier, found.missing.map(({ first, last }) => [first, last])]).toEqual([
      1,
      0,
      [[2, half]],
    ]);
  });
});

describe("a journal that was trimmed", () => {
  test("VERIFY-2, KEPT-NUMBERS-1: of a journal that was trimmed, the sessions that began later are compared", async () => {
    const rig = await Rig.start();
    for (const session of ["s1", "s2"]) await busy(rig, session);
    const trimmed = rig.disk.tail;
    rig.disk.entries.splice(0, trimmed - rig.disk.trimmed);
    rig.disk.trimmed = trimmed;
    await rig.tell("s1", said.prompt("p9"), said.pre(call("c9")));
    await busy(rig, "s3");
    await rig.quiet();
    const found = await verified(rig.disk);
    expect(found).toMatchObject({
      first: trimmed + 1,
      unproven: 0,
      differences: [],
      rows: { differences: [] },
    });
    expect(found.earlier).toBeGreaterThanOrEqual(1);
    expect(found.compared).toBeGreaterThanOrEqual(9);
    expect(found.rows.differences).toEqual([]);
    expect(found.rows.unchecked).toContainEqual(expect.objectContaining({ table: "actor", why: "earlier" }));
  });

  test("VERIFY-2, VERIFY-ROWS-2: of a journal that was trimmed, rows of a session that began later are named, others told", async () => {
    const rig = await Rig.start();
    await busy(rig, "s1");
    const trimmed = rig.disk.tail;
    rig.disk.entries.splice(0, trimmed);
    rig.disk.trimmed = trimmed;
    await busy(rig, "s3");
    await rig.quiet();
    const { rows } = rig.disk;
    const of = (session: string): readonly string[] =>
      [...rows.range({ gte: " ", lt: "~" })]
        .map(([key]) => key)
        .filter((key) => key.includes(`w/${session}`));
    expect(of("s3").length).toBeGreaterThan(20);
    for (const key of of("s3")) {
      const text = rows.get(key) ?? "";
      rows.delete(key);
      const { differences } = (await verified(rig.disk)).rows;
      expect(differences.map((each) => `${each.what} ${each.key}`)).toEqual([`missing ${key}`]);
      rows.set(key, text);
    }
    for (const key of of("s1")) rows.set(key, "{");
    const named = (await verified(rig.disk)).rows.differences;
    expect(named.map((each) => [each.key, each.what])).toEqual(of("s1").map((key) => [key, "unreadable"]));
  });
});
