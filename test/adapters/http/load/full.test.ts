// HTTP, full
// What the probes say while the journal takes nothing, and afterwards.

import { afterEach, beforeEach, expect, test } from "vitest";
import { journalFull } from "../../../../runtime/errors/errors.ts";
import { serve } from "../../../support/http/served.ts";

type Served = Awaited<ReturnType<typeof serve>>;
let served: Served;

beforeEach(async () => {
  served = await serve();
});
afterEach(() => served.stop());

const event = (id: string) => ({
  specversion: "1.0",
  id,
  source: "test",
  type: "session.started",
  subject: "w/s1",
  data: {},
});

test("PRESSURE-1: readyz is 503 with the reason while the journal takes nothing, and 200 once it does again", async () => {
  expect((await served.get("/readyz")).body).toEqual({ ready: true });
  served.journal.failure = journalFull("of the test");
  const refused = await served.post("/v1/events", event("e1"));
  expect(refused).toMatchObject({ status: 503, body: { error: { code: "JOURNAL_FULL" } } });
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  const unready = await served.get("/readyz");
  expect(unready).toMatchObject({ status: 503, body: { ready: false, reasons: [{ code: "JOURNAL_FULL" }] } });
  // A caller without a token learns nothing of what was sent, or of the server.
  expect(JSON.stringify(unready.body)).not.toContain("of the test");
  const metrics = (await served.get("/metrics")).body;
  expect(metrics).toMatch(/^signalbox_ready 0$/m);
  expect(metrics).toMatch(/^signalbox_journal_full 1$/m);
  served.journal.failure = undefined;
  served.clock.advance(1_000);
  await expect.poll(async () => (await served.get("/readyz")).status).toBe(200);
  expect((await served.get("/metrics")).body).toMatch(/^signalbox_ready 1$/m);
  expect((await served.post("/v1/events", event("e1"))).status).toBe(200);
});
