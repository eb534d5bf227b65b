// People
// Several people who approve together, over HTTP: whom the door takes them for, what each is told.

import { afterEach, beforeEach, expect, test } from "vitest";
import { at, textAt } from "../../support/engine/json.ts";
import { read } from "../../support/http/asking-doors.ts";
import { event, serve, type Served, TOKEN } from "../../support/http/served.ts";

const CALL = { tool: "Bash", input: { command: "make release" } };
const TOKENS = ["ann", "ben", "cat"].map((name) => ({ name: `http:${name}`, token: `the-token-of-${name}` }));
const as = (name: string) => ({ Authorization: `Bearer the-token-of-${name}` });

let served: Served;
beforeEach(async () => {
  served = await serve({
    place: { tokens: [...TOKENS, { name: "local:tester", token: TOKEN }] },
  });
});
afterEach(() => served.stop());

const rule = (more: object) =>
  served.post("/v1/rules", { workspace: "shop", effect: "ask", tool: "Bash", ...more }, as("ann"));
const ask = (by: string, approvalId = "q1") =>
  served.post("/v1/events", event("approval.requested", { approvalId, toolUseId: "t1", ...CALL }), as(by));
const shown = async (): Promise<unknown> => (await served.get("/v1/approvals/q1", as("ann"))).body;
async function approve(by: string) {
  const inputHash = textAt(await shown(), "inputHash");
  return served.post("/v1/approvals/q1/decision", { decision: "approve", inputHash }, as(by));
}

test("I-54, VOTES-2, DOOR-7: the token that asked does not count, whatever it says; two others do", async () => {
  expect((await rule({ approvals: 2 })).status).toBe(200);
  await ask("cat");
  const own = await approve("cat");
  expect([own.status, textAt(own.body, "reason")]).toEqual([
    409,
    "whoever requested it cannot approve it: others must",
  ]);
  expect((await approve("ann")).body).toMatchObject({ result: "counted", state: "pending" });
  expect((await approve("ann")).status).toBe(409);
  expect(await shown()).toMatchObject({
    state: "pending",
    onDeadline: "deny",
    demands: [{ approvals: 2, given: 1 }],
    votes: [{ by: "http:ann" }],
  });
  const asked = { id: "q1", session: "s1", call: "t1", ...CALL };
  expect((await read(served, asked)).body).toMatchObject({ state: "pending", closed: "deny" });
  expect((await approve("ben")).body).toMatchObject({ result: "accepted", state: "approved" });
  expect((await read(served, asked)).body).toMatchObject({ decision: "allow" });
});

test("DOOR-7: a sender names nobody else as who asked", async () => {
  await rule({ approvals: 2 });
  const told = { ...event("approval.requested", { approvalId: "q1", ...CALL }), sender: "http:ben" };
  await served.post("/v1/events", told, as("cat"));
  expect((await approve("cat")).status).toBe(409);
  expect((await approve("ben")).status).toBe(200);
});

test("VOTES-2: who asks again under another name does not count either", async () => {
  await rule({ approvals: 2 });
  await ask("cat");
  await ask("ben");
  expect((await approve("ben")).status).toBe(409);
  expect((await approve("cat")).status).toBe(409);
  expect((await approve("ann")).body).toMatchObject({ result: "counted" });
});

test("VOTES-1: who signed in by a provider is one person, whatever address stands before the mark; another mark is another person", async () => {
  const [first, renamed, other] = [
    "ann@example.com~0a1b2c3d4e5f",
    "a.b@example.com~0a1b2c3d4e5f",
    "ann@example.com~f5e4d3c2b1a0",
  ];
  const names = [first, renamed, other].map((name, n) => ({
    name: `http:${name}`,
    token: `the-token-of-${n}`,
  }));
  served.http.admit([...names, ...TOKENS, { name: "local:tester", token: TOKEN }]);
  await rule({ approvals: 2 });
  await ask("cat");
  expect((await approve("0")).body).toMatchObject({ result: "counted" });
  expect((await approve("1")).status).toBe(409);
  expect(await shown()).toMatchObject({ votes: [{ by: `http:${first}` }], demands: [{ given: 1 }] });
  expect((await approve("2")).body).toMatchObject({ result: "accepted" });
});

test("VOTES-3, VOTES-5: only those who are named approve; anybody denies", async () => {
  await rule({ approvers: [{ name: "ann" }, { name: "ben", afterMs: 600_000 }] });
  await ask("cat");
  const early = await approve("ben");
  expect([early.status, textAt(early.body, "reason")]).toEqual([409, "ann is to approve it; you may later"]);
  const askedAt = at(await shown(), "askedAt") as number;
  expect(await shown()).toMatchObject({
    demands: [
      {
        approvers: [
          { name: "ann", fromAt: askedAt },
          { name: "ben", fromAt: askedAt + 600_000 },
        ],
      },
    ],
  });
  const denied = await served.post("/v1/approvals/q1/decision", { decision: "deny" }, as("cat"));
  expect(denied.body).toMatchObject({ result: "accepted", state: "denied" });
});

test.each([
  [{ effect: "allow", match: { kind: "prefix", text: "make x" }, approvals: 2 }, "approvals"],
  [{ effect: "deny", approvers: [{ name: "ann" }] }, "approvers"],
  [{ approvals: 1 }, "approvals"],
  [{ approvals: 9 }, "approvals"],
  [{ approvers: [] }, "approvers"],
  [{ approvers: [{ name: "ann" }, { name: "http:ann" }] }, "approvers"],
  [{ approvers: [{ name: "ann" }, { name: "model" }] }, "approvers"],
  [{ approvers: [{ name: "ann", afterMs: 60_000 }] }, "approvers"],
  [{ approvers: [{ name: "ann" }], approvals: 2 }, "approvers"],
  [{ approvers: [{ name: "ann, ben" }] }, "approvers[0].name"],
  [{ approvers: [{ name: "ann" }, { name: "ben", afterMs: 1_500 }] }, "approvers[1].afterMs"],
])("DEMAND-1: %j is refused with its field", async (terms, path) => {
  const { status, body } = await rule(terms);
  expect([status, textAt(body, "error", "path")]).toEqual([400, path]);
});
