// HTTP: the receipt of an answer
// How far an answer has got, who won, and what is said to those whose answer came too late.

import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { at, listAt } from "../../../support/engine/json.ts";
import { answer, decide, HASH, INPUT, STARTED } from "../../../support/http/asking.ts";
import { event, serve, type Served } from "../../../support/http/served.ts";

let served: Served;
beforeEach(async () => {
  served = await serve();
});
afterEach(() => served.stop());

const done = { ...STARTED, hook_event_name: "PostToolUse", tool_response: "done" };
const ask = (closed = "ask") => served.post(`/v1/gate?approval=g1&wait=60000&closed=${closed}`, STARTED);
const approve = (via = "cli") => decide(served, "g1", { decision: "approve", inputHash: HASH, via });
const receipt = async (): Promise<unknown> => at((await served.get("/v1/approvals/g1")).body, "receipt");
const call = async (): Promise<unknown> => (await served.get("/v1/tool-calls/t1")).body;

describe("the receipt of an answer", () => {
  it("C6, AFTERWARDS-1: it is committed, then taken, then confirmed by the result; said twice, it is journalled once", async () => {
    await ask();
    expect(await receipt()).toBeUndefined();
    const waiting = answer(served, "g1");
    await approve();
    expect(await receipt()).toMatchObject({ step: "committed" });
    expect(await waiting).toMatchObject({ decision: "allow" });
    expect((await served.post("/v1/approvals/g1/taken", {})).status).toBe(200);
    const first = await receipt();
    expect(first).toMatchObject({ step: "taken", takenBy: "local:tester" });
    served.clock.advance(5_000);
    await served.post("/v1/approvals/g1/taken", {});
    expect(await receipt()).toEqual(first);
    await served.post("/v1/hooks/claude-code", done);
    expect(await receipt()).toMatchObject({ step: "confirmed", call: "ran" });
    const told = listAt((await served.get("/v1/sessions/s1/history?entity=approval")).body, "items");
    expect(told.map((change) => [at(change, "to"), at(change, "view", "receipt", "step")]).reverse()).toEqual(
      [
        ["pending", undefined],
        ["approved", "committed"],
        ["annotated", "taken"],
        ["annotated", "confirmed"],
      ],
    );
  });

  it("C6: nothing is taken that was not answered, and nothing that is not known", async () => {
    await ask();
    const early = await served.post("/v1/approvals/g1/taken", {});
    expect([early.status, at(early.body, "error", "code")]).toEqual([400, "NOT_ANSWERED"]);
    expect((await served.post("/v1/approvals/none/taken", {})).status).toBe(404);
  });

  it("I-14: whose answer came too late is told at once whose counted, where it was given and when", async () => {
    await ask();
    await approve("panel");
    const late = await decide(served, "g1", { decision: "deny", via: "cli" });
    expect(late.status).toBe(409);
    expect(late.body).toMatchObject({
      result: "ignored",
      winner: { by: "local:tester", via: "panel", at: served.clock.now() },
      error: { message: "The decision does not count: already approved by local:tester (panel)." },
    });
    expect((await served.get("/v1/approvals/g1")).body).toMatchObject({
      via: "panel",
      others: [{ by: "local:tester", via: "cli", decision: "deny" }],
    });
  });

  it("GATE-GATE-4, RECEIPT-2: an answer that was given while nobody waited any more has lapsed, and its run does not confirm it", async () => {
    await ask();
    await approve();
    while (at(await receipt(), "step") === "committed") {
      served.clock.advance(1_000);
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    await served.post("/v1/hooks/claude-code", done);
    expect(await receipt()).toMatchObject({ step: "lapsed", call: "ran" });
  });

  it("C6: a service that asked says over any door that it has the answer", async () => {
    const data = { requestId: "r9", tool: "Bash", input: INPUT, approvalId: "q9" };
    await served.post("/v1/events", event("request.created", { requestId: "r9" }));
    await served.post("/v1/events", event("approval.requested", data));
    await served.post("/v1/approvals/q9/decision", { decision: "deny" });
    await served.post("/v1/events", event("approval.taken", { approvalId: "q9", by: "chat-bot" }));
    expect(at((await served.get("/v1/approvals/q9")).body, "receipt")).toMatchObject({
      step: "taken",
      takenBy: "chat-bot",
    });
  });
});

describe("alarms", () => {
  it("C7, ALARM-1: a call that ran though denied is listed, counted, told and shown; what a person allowed is taken back", async () => {
    await ask();
    await decide(served, "g1", { decision: "deny" });
    expect((await served.get("/v1/alarms")).body).toEqual({ items: [] });
    await served.post("/v1/hooks/claude-code", done);
    const alarm = {
      state: "executedAfterDenial",
      because: "denied",
      callId: "t1",
      approvalId: "g1",
      tool: "Bash",
    };
    expect((await served.get("/v1/alarms?state=executedAfterDenial")).body).toMatchObject({ items: [alarm] });
    expect((await served.get("/v1/alarms?state=gateFailedOpen")).body).toEqual({ items: [] });
    expect(await call()).toMatchObject({ alarm: { kind: "executedAfterDenial" }, executedAfterDenial: true });
    expect((await served.get("/metrics")).body).toContain(
      'signalbox_alarms{state="executedAfterDenial"} 1\n',
    );
    const told = (await served.get("/v1/sessions/s1/history?entity=alarm")).body;
    expect(listAt(told, "items")).toMatchObject([
      { entity: "alarm", id: "t1", to: "executedAfterDenial", view: alarm },
    ]);
  });
});
