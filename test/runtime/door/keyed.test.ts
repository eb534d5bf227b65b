// Keyed
// A key counts as it did, also where version 0.1.0 kept what was answered under it.

import { hash } from "node:crypto";
import { expect, test } from "vitest";
import { systemIds } from "../../../adapters/system/index.ts";
import { clients } from "../../../adapters/composition/clients.ts";
import { Door } from "../../../runtime/door/door.ts";
import { digestId } from "../../../runtime/foreign-id.ts";
import { keys } from "../../../runtime/rows/keys.ts";
import { asked } from "../../support/faults/poisoned.ts";

const CALLER = { door: "http:/v1/approvals/a-s1/decision", by: "local:ada", key: "once" };
const bodyOf = (said: object): Buffer => Buffer.from(JSON.stringify(said));
const DENY = bodyOf({ decision: "deny" });

/** A door to an engine whose approval was denied, by version 0.1.0, under a key. */
async function upgraded() {
  const rig = await asked();
  await rig.engine.stop();
  const key = digestId("k_", [CALLER.door, CALLER.by, CALLER.key, "0"]);
  const answers = [{ approvalId: "a-s1", result: "accepted", state: "denied" }];
  const reply = { position: 1, at: rig.clock.now(), outcome: "applied", answers };
  rig.disk.rows.set(keys.reply(key), JSON.stringify({ ...reply, content: hash("sha256", DENY, "hex") }));
  const next = await rig.restart();
  const door = new Door({ engine: next.engine, clock: next.clock, ids: systemIds(), clients });
  return { door, rig: next, answers };
}

test("KEYED-2, DOOR-2: a decision that version 0.1.0 took is not taken again: it gets the reply it had", async () => {
  const { door, rig, answers } = await upgraded();
  const entries = rig.disk.tail;
  expect(await door.decision("a-s1", DENY, CALLER)).toMatchObject({ position: 1, answers });
  expect([rig.disk.tail, rig.state("s1/approval/a-s1")]).toEqual([entries, "pending"]);
});

test("KEYED-2: another body under such a key is refused, and another key is a new decision", async () => {
  const { door, rig } = await upgraded();
  const other = bodyOf({ decision: "deny", message: "no" });
  await expect(door.decision("a-s1", other, CALLER)).rejects.toMatchObject({ code: "KEY_REUSED" });
  expect(await door.decision("a-s1", other, { ...CALLER, key: "twice" })).toMatchObject({
    outcome: "applied",
  });
  expect(rig.state("s1/approval/a-s1")).toBe("denied");
});
