// Measuring
// What is kept of a workspace beside its live rows is bounded by itself: the oldest past approvals go.

import fc from "fast-check";
import { expect, test } from "vitest";
import { measured } from "../../../runtime/engine/measuring.ts";
import { ENGINE, type Measured } from "../../../runtime/message.ts";
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
    const words = await measured(rig.engine.store, () => false, max);
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

test("PAST-APPROVALS-3: a measurement drops past approvals alone, whatever it names", async () => {
  const rig = await Rig.start();
  const said: Measured = { type: "measured", of: [], past: ["meta", keys.pastApproval(1, "w", "s", "a")] };
  await rig.engine.own(ENGINE.workspace, ENGINE.session, said);
  expect(rig.rows().has("meta")).toBe(true);
  await rig.engine.stop();
});
