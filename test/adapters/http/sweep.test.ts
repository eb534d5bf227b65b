// HTTP: sweep
// Retention on demand: what would be removed, what is removed, piece by piece.

import { afterEach, expect, test } from "vitest";
import { at } from "../../support/engine/json.ts";
import { event, serve, type Served } from "../../support/http/served.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * 60 * 1000;
let served: Served | undefined;
afterEach(() => served?.stop());

const NOTHING = {
  requests: 0,
  sessions: 0,
  changes: 0,
  auditRows: 0,
  deadLetters: 0,
  replies: 0,
  tombstones: 0,
  pastApprovals: 0,
  ledgers: 0,
  rules: 0,
  journalEntries: 0,
};

/** An engine that had `sessions` short sessions and a dead letter a month ago. */
async function monthAgo(sessions: number): Promise<Served> {
  served = await serve();
  for (let n = 0; n < sessions; n += 1)
    await served.post("/v1/events", [
      event("session.started", {}, { subject: `shop/s${n}` }),
      event("session.ended", {}, { subject: `shop/s${n}` }),
    ]);
  await served.post("/v1/events", { type: "request.created" });
  await served.engine.stop();
  served.clock.advance(31 * DAY_MS);
  const later = await serve({ disk: served.disk, clock: served.clock });
  await served.stop();
  served = later;
  // Long enough for the engine to look at its clock.
  later.clock.advance(MINUTE_MS);
  return later;
}

test("TURN-SWEEP-1, DUE-1, HTTP-RETENTION-1: counting what is due changes nothing; then it is removed, and counted again", async () => {
  const { get, post, engine } = await monthAgo(30);
  // The sessions are removed at their own deadlines.
  for (let sessions = 1; sessions !== 0;)
    sessions = Number(at((await get("/v1/sweep")).body, "due", "sessions"));
  const { status, body } = await get("/v1/sweep");
  expect(status).toBe(200);
  expect(at(body, "due")).toEqual({ ...NOTHING, changes: 60, deadLetters: 1, journalEntries: 0 });
  const { position } = engine.meta();
  await get("/v1/sweep");
  expect(engine.meta().position).toBe(position);
  const swept = await post("/v1/sweep", {});
  expect(swept).toMatchObject({ status: 200, body: { swept: { changes: 60, deadLetters: 1 }, more: false } });
  expect(at((await get("/v1/sweep")).body, "due")).toMatchObject({ changes: 0, deadLetters: 0 });
  expect(await post("/v1/sweep", {})).toMatchObject({
    body: { swept: { changes: 0, rows: 0 }, more: false },
  });
});

test("HTTP-RETENTION-1: one request removes a bounded piece, and says that there is more", async () => {
  const { get, post } = await monthAgo(3);
  const { disk } = served ?? (await monthAgo(0));
  for (let n = 1; n <= 12_000; n += 1)
    disk.rows.set(
      `replied/${String(n).padStart(16, "0")}/k${n}`,
      JSON.stringify({ at: n, replied: `k${n}` }),
    );
  expect(at((await get("/v1/sweep")).body, "due", "replies")).toBe(12_000);
  const went: number[] = [];
  for (let more = true; more;) {
    const { body } = await post("/v1/sweep", {});
    expect(Number(at(body, "swept", "rows"))).toBeLessThanOrEqual(20 * 501);
    went.push(Number(at(body, "swept", "replies")));
    more = at(body, "more") === true;
  }
  expect(went.length).toBeGreaterThan(1);
  expect(went.reduce((sum, each) => sum + each, 0)).toBe(12_000);
});

test("HTTP-RETENTION-1, SERVER-1: it needs a token, and takes no parameters", async () => {
  const { get, post } = await monthAgo(0);
  const stranger = { Authorization: "Bearer wrong" };
  expect((await get("/v1/sweep", stranger)).status).toBe(401);
  expect((await post("/v1/sweep", {}, stranger)).status).toBe(401);
  expect((await get("/v1/sweep?all=true")).status).toBe(400);
});
