// HTTP, trouble
// What the probes say while changes cannot leave, and afterwards.

import { expect, test } from "vitest";
import { RetryableError } from "../../../../runtime/errors/errors.ts";
import { FlakyOutlet } from "../../../support/faults/flaky-outlet.ts";
import { serve } from "../../../support/http/served.ts";

const event = (id: string) => ({
  specversion: "1.0",
  id,
  source: "test",
  type: "session.started",
  subject: "w/s1",
  data: {},
});

test("G20: changes that nobody takes show in readyz as a reason and in the metrics as a row, until they are taken", async () => {
  const outlet = new FlakyOutlet();
  const away = new RetryableError("AWAY", "The secret server is away.", "Wait.", 1_000);
  outlet.refuses = () => away;
  const served = await serve({ outlet });
  try {
    expect((await served.get("/readyz")).body).toEqual({ ready: true });
    expect((await served.post("/v1/events", event("e1"))).status).toBe(200);
    const stuck = async (): Promise<unknown> => {
      served.clock.advance(1_000);
      return (await served.get("/readyz")).body;
    };
    await expect.poll(stuck).toMatchObject({ reasons: [{ code: "CHANGES_STUCK" }] });
    const told = await served.get("/readyz");
    expect(JSON.stringify(told.body)).not.toContain("secret");
    expect((await served.get("/metrics")).body).toMatch(/^signalbox_trouble\{code="CHANGES_STUCK"\} 1$/m);
    outlet.refuses = () => undefined;
    await expect.poll(stuck).toEqual({ ready: true });
    expect((await served.get("/metrics")).body).not.toContain("signalbox_trouble");
  } finally {
    await served.stop();
  }
});
