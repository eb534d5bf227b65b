// Retention, changed
// Requests that closed before the engine was told to keep them for longer.

import { expect, test } from "vitest";
import { DEFAULT_CONFIGURATION } from "../../../runtime/config.ts";
import { DAY_MS, HOUR_MS, Rig } from "../../support/engine/rig.ts";
import { said } from "../../support/sessions/said.ts";

/** Sessions that stay open however idle they are, because their requests are what is tested. */
const AWAKE = { ...DEFAULT_CONFIGURATION, idleMs: 1_000 * DAY_MS };

test("S1.51: where requests are kept for longer from now on, it is asked again when that is over, and not before", async () => {
  const first = await Rig.start({ configuration: AWAKE });
  await first.tell("s1", said.prompt("p1"), said.stop());
  const longer = { configuration: { ...AWAKE, keepMs: 2 * DAY_MS } };
  const rig = await first.restart(longer);
  const { position } = rig.engine.meta();
  await rig.pass(DAY_MS + HOUR_MS);
  expect(rig.state("s1/request/p1")).toBeDefined();
  // A sweep an hour, and little else.
  expect(rig.engine.meta().position - position).toBeLessThan(25 + 10);
  await rig.pass(DAY_MS);
  expect(rig.state("s1/request/p1")).toBeUndefined();
});
