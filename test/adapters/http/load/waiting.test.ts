// HTTP, waiting
// An engine whose journal or disk stands still: every caller still gets an answer.

import { afterEach, beforeEach, expect, test } from "vitest";
import { at, textAt } from "../../../support/engine/json.ts";
import { serve, type Answered, type Served } from "../../../support/http/served.ts";

let served: Served;
beforeEach(async () => {
  served = await serve();
});
afterEach(() => served.stop());

const event = (id: string, type = "session.started", data: object = {}) => ({
  specversion: "1.0",
  id,
  source: "/test",
  type,
  subject: "shop/s1",
  data,
});
const tick = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 1));
/** Resolves once this many messages wait for the journal. */
async function waiting(count: number): Promise<void> {
  while (served.engine.lag().waiting < count) await tick();
}
const notInTime = ({ status, headers, body }: Answered): void => {
  expect([status, headers.get("retry-after"), textAt(body, "error", "code")]).toEqual([
    503,
    "5",
    "NOT_IN_TIME",
  ]);
  expect(textAt(body, "error", "next")).toMatch(/readyz.*same id or Idempotency-Key/);
};

/** A pending approval, and what approves it. */
async function asked(): Promise<object> {
  const input = { command: "ls" };
  await served.post("/v1/events", event("q0", "tool.started", { tool: "Bash", toolUseId: "t1", input }));
  await served.post(
    "/v1/events",
    event("q1", "approval.requested", { tool: "Bash", toolUseId: "t1", input, approvalId: "a1" }),
  );
  const { body } = await served.get("/v1/approvals/a1");
  return { decision: "deny", inputHash: textAt(body, "inputHash") };
}

/** Every route that waits for the journal, or for the fate of a message. */
const DOORS: Readonly<Record<string, (decision: object) => Promise<Answered>>> = {
  "an event": () => served.post("/v1/events", event("e1")),
  "a list of events": () => served.post("/v1/events", [event("e1"), event("e2")]),
  "an event with a key": () => served.post("/v1/events", event("e1"), { "Idempotency-Key": "k1" }),
  "a decision": (decision) => served.post("/v1/approvals/a1/decision", decision),
  "a sweep": () => served.post("/v1/sweep", {}),
};

test.each(Object.keys(DOORS))(
  "IN-TIME-1, DOOR-5, G18: after 15 s %s is told that the engine stands still, and what to do",
  async (door) => {
    const decision = await asked();
    const release = served.journal.hold();
    const answered = DOORS[door]?.(decision);
    await waiting(1);
    served.clock.advance(14_999);
    const other = served.get("/v1/sessions");
    expect((await other).status).toBe(200);
    served.clock.advance(1);
    notInTime((await answered)!);
    release();
    while (served.engine.lag().waiting > 0) await tick();
  },
);

test("IN-TIME-1: the message may have been taken nevertheless: sent again, it counts once", async () => {
  const release = served.journal.hold();
  const answered = served.post("/v1/events", event("e1", "request.created", { requestId: "r1" }));
  await waiting(1);
  served.clock.advance(15_000);
  notInTime(await answered);
  release();
  const again = await served.post("/v1/events", event("e1", "request.created", { requestId: "r1" }));
  expect([again.status, at(again.body, "outcome")]).toEqual([200, "duplicate"]);
});

test("IN-TIME-1: a reader of a journal that does not answer is told the same", async () => {
  await served.post("/v1/events", event("e1"));
  Object.assign(served.journal, { entry: () => new Promise(() => undefined) });
  const answered = served.get("/v1/journal/1");
  const listed = served.get("/v1/sessions/s1/history?entries=true");
  for (let n = 0; n < 50; n += 1) await tick();
  served.clock.advance(15_000);
  notInTime(await answered);
  notInTime(await listed);
});

test("IN-TIME-1: a refusal is told soon even if its letter cannot be written", async () => {
  const release = served.journal.hold();
  const answered = served.post("/v1/events", { specversion: "1.0" });
  await waiting(1);
  served.clock.advance(5_000);
  expect((await answered).status).toBe(400);
  release();
});

test("WRITING-2: while nothing is taken a hook is answered {} at once; what is taken later counts", async () => {
  const trouble = { code: "JETSTREAM_SILENT", message: "m", next: "n", since: 0, isEssential: true };
  Object.assign(served.journal, { troubles: () => [trouble] });
  expect((await served.get("/readyz")).body).toMatchObject({ ready: false, reasons: [trouble] });
  const release = served.journal.hold();
  const hook = { session_id: "s1", hook_event_name: "Stop", cwd: "/home/dev/shop" };
  // The clock stands still: nobody waits for it.
  const answered = await served.post("/v1/hooks/claude-code", hook);
  expect([answered.status, answered.body]).toEqual([200, {}]);
  expect(answered.headers.get("signalbox-dropped")).toBe("LATE");
  release();
  while (served.journal.tail() === 0 || served.engine.lag().waiting > 0) await tick();
  expect((await served.get("/v1/sessions/s1")).status).toBe(200);
});
