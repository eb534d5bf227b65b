// CLI: sweep
// The command as a user types it, against an engine with something to remove.

import { afterAll, beforeAll, expect, it } from "vitest";
import { build, Desk, jsonLines } from "../../../support/processes/program.ts";
import { event, serve, type Served, TOKEN } from "../../../support/http/served.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
const NOTES = 700;
let desk: Desk;
let served: Served;

beforeAll(async () => {
  await build();
  desk = new Desk();
  const first = await serve();
  for (let n = 0; n < NOTES / 100; n += 1)
    await first.post(
      "/v1/events",
      Array.from({ length: 50 }, (_, k) => {
        const subject = { subject: `shop/s${n}-${k}` };
        return [event("session.started", {}, subject), event("session.ended", {}, subject)];
      }).flat(),
    );
  await first.stop();
  first.clock.advance(8 * DAY_MS);
  served = await serve({ disk: first.disk, clock: first.clock });
  // Long enough for the engine to look at its clock.
  served.clock.advance(60_000);
}, 180_000);
afterAll(async () => {
  await served.stop();
  await desk.clear();
});

const sweep = (...args: readonly string[]) =>
  desk.run(["sweep", "--url", served.url, ...args], { env: { SIGNALBOX_TOKEN: TOKEN } });

it("TURN-SWEEP-1, CLI: --dry-run counts and changes nothing; without it the same is removed, and nothing is left", async () => {
  const counted = await sweep("--dry-run");
  expect([counted.code, counted.err]).toEqual([0, ""]);
  expect(counted.out).toMatch(/^WOULD GO +COUNT\n/);
  expect(counted.out).toMatch(new RegExp(`^changes +${NOTES}$`, "m"));
  const [again] = jsonLines((await sweep("--dry-run", "--json")).out);
  expect(again).toMatchObject({ dryRun: true, changes: NOTES, auditRows: 0 });
  expect(served.engine.meta().changesFrom).toBe(0);
  const went = await sweep();
  expect(went.code).toBe(0);
  expect(went.out).toMatch(/^WENT +COUNT\n/);
  expect(went.out).toMatch(new RegExp(`^changes +${NOTES}$`, "m"));
  expect(served.engine.meta().changesFrom).toBe(NOTES);
  const [left] = jsonLines((await sweep("--json")).out);
  expect(left).toMatchObject({ dryRun: false, changes: 0 });
  expect((await sweep()).out).toContain("Nothing is old enough to be removed");
});
