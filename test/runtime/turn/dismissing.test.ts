// Dismissing
// A dead letter that needs nobody any more, for everybody: who said so, taken back, and after a restart.

import { describe, expect, test } from "vitest";
import { ENGINE } from "../../../runtime/message.ts";
import { keys } from "../../../runtime/rows/keys.ts";
import { Rig } from "../../support/engine/rig.ts";

const dismiss = (rig: Rig, letters: readonly number[], isBack?: true) =>
  rig.engine.own(ENGINE.workspace, ENGINE.session, {
    ...{ type: "dismissed", letters, by: "http:ada" },
    ...(isBack && { isBack }),
  } as const);

/** An engine with two dead letters. */
async function withTwo(): Promise<Rig> {
  const rig = await Rig.start();
  for (const n of [1, 2]) await (await rig.submit("s", [], { id: `odd${n}`, type: "test.refused" })).settled;
  expect([rig.row(keys.dead(1)), rig.row(keys.dead(2))]).toMatchObject([{ n: 1 }, { n: 2 }]);
  return rig;
}

describe("dismissing dead letters", () => {
  test("DISMISSING-1: a dismissed letter stays, with who dismissed it and when, also after a restart; the others are as they were", async () => {
    const rig = await withTwo();
    const [one, two] = [rig.row(keys.dead(1)), rig.row(keys.dead(2))] as object[];
    rig.clock.advance(5_000);
    const { outcome, at } = await dismiss(rig, [1]);
    expect(outcome).toBe("applied");
    expect(rig.saidOwn("dismissed")).toMatchObject([{ letters: [1], by: "http:ada" }]);
    await rig.engine.stop();
    const again = await rig.restart();
    expect(again.row(keys.dead(1))).toEqual({ ...one, dismissed: { by: "http:ada", at } });
    expect(again.row(keys.dead(2))).toEqual(two);
    await dismiss(again, [1], true);
    expect(again.row(keys.dead(1))).toEqual(one);
    await again.engine.stop();
  });

  test("DISMISSING-2: letters that are not there are passed over; where none is there, the wish is rejected", async () => {
    const rig = await withTwo();
    expect(await dismiss(rig, [2, 2, 99])).toMatchObject({ outcome: "applied" });
    expect(rig.row(keys.dead(2))).toMatchObject({ dismissed: { by: "http:ada" } });
    expect(rig.row(keys.dead(99))).toBeUndefined();
    expect(await dismiss(rig, [99])).toMatchObject({
      outcome: "rejected",
      code: "UNKNOWN_LETTER",
      path: "letters",
    });
    await rig.engine.stop();
  });
});
