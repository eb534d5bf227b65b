// Measuring
// A workspace keeps a bounded number of past approvals: the oldest go.

import fc from "fast-check";
import { expect, test } from "vitest";
import { surplusPast } from "../../../runtime/engine/measuring.ts";
import { ENGINE, type Measured } from "../../../runtime/message.ts";
import { completed } from "../../../runtime/config.ts";
import { NO_QUOTA } from "../../../runtime/quota.ts";
import { PAST_MAX } from "../../../runtime/rows/past-approvals.ts";
import { keys } from "../../../runtime/rows/keys.ts";
import { Rig } from "../../support/engine/rig.ts";
import { holdsLater } from "../../support/properties/property.ts";

const FILE = "test/runtime/engine/measuring.test.ts";

const past = fc.uniqueArray(
  fc.record({ at: fc.nat({ max: 500 }), workspace: fc.constantFrom("w", "w2", "v") }),
  { maxLength: 40, selector: ({ at, workspace }) => `${at}/${workspace}` },
);

test("PAST-APPROVALS-3: of each workspace the newest past approvals stay, and no other row goes", async () => {
  await holdsLater(FILE, 60, fc.tuple(past, fc.integer({ min: 1, max: 12 })), async ([rows, max]) => {
    const rig = await Rig.start();
    const keyOf = ({ at, workspace }: (typeof rows)[number]): string =>
      keys.pastApproval(at, workspace, "s", `a${at}`);
    for (const row of rows)
      rig.disk.rows.set(keyOf(row), JSON.stringify({ at: row.at, approvalId: `a${row.at}` }));
    const before = [...rig.rows().keys()].filter((key) => !key.startsWith(keys.pastApprovals));
    const words = await surplusPast(rig.engine.store, () => false, max);
    for (const said of words) await rig.engine.own(ENGINE.workspace, ENGINE.session, said);
    const newest = ["w", "w2", "v"].flatMap((workspace) =>
      rows
        .filter((row) => row.workspace === workspace)
        .sort((one, other) => other.at - one.at)
        .slice(0, max)
        .map(keyOf),
    );
    const left = [...rig.rows().keys()];
    expect(left.filter((key) => key.startsWith(keys.pastApprovals)).sort()).toEqual(newest.sort());
    expect(before.filter((key) => !left.includes(key))).toEqual([]);
    await rig.engine.stop();
  });
});

test("PAST-APPROVALS-3: a sweep keeps the newest past approvals even if nothing bounds what a workspace keeps", async () => {
  const rig = await Rig.start({ configuration: completed({ quota: NO_QUOTA }) });
  const now = rig.clock.now();
  const keyOf = (n: number): string => keys.pastApproval(now - PAST_MAX + n, "w", "s", `a${n}`);
  for (let n = 0; n < PAST_MAX + 3; n += 1) rig.disk.rows.set(keyOf(n), JSON.stringify({ at: now }));
  await rig.engine.retention.sweep(Infinity);
  await rig.quiet();
  expect(rig.rows(keys.pastApprovals).size).toBe(PAST_MAX);
  expect([2, 3].map((n) => rig.rows().has(keyOf(n)))).toEqual([false, true]);
  await rig.engine.stop();
});

test("PAST-APPROVALS-3: a measurement drops past approvals alone, whatever it names", async () => {
  const rig = await Rig.start();
  const said: Measured = { type: "measured", of: [], past: ["meta", keys.pastApproval(1, "w", "s", "a")] };
  await rig.engine.own(ENGINE.workspace, ENGINE.session, said);
  expect(rig.rows().has("meta")).toBe(true);
  await rig.engine.stop();
});
