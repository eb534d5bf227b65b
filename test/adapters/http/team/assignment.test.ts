// HTTP: an assignment
// Who may assign an approval, to whom, and what the sender is told.

import { afterEach, beforeEach, expect, it } from "vitest";
import { at } from "../../../support/engine/json.ts";
import { follow } from "../../../support/http/follow.ts";
import { event, serve, type Served, TOKEN } from "../../../support/http/served.ts";

const tokenOf = (name: string): string => `the-token-of-${name}`;
const as = (name: string) => ({ Authorization: `Bearer ${tokenOf(name)}` });
const holder = (name: string, part: "view" | "decide", workspace: string) => ({
  ...{ name: `http:${name}`, token: tokenOf(name) },
  access: { parts: new Set([part]), workspaces: new Set([workspace]) },
});

let served: Served;
beforeEach(async () => {
  const tokens = [
    ...[holder("ann", "decide", "shop"), holder("vic", "view", "shop"), holder("zoe", "decide", "other")],
    { name: "local:tester", token: TOKEN },
  ];
  served = await serve({ place: { tokens } });
  const asked = { approvalId: "a1", toolUseId: "t1", tool: "Bash", input: { command: "make" } };
  await served.post("/v1/events", event("approval.requested", asked));
});
afterEach(() => served.stop());

const assign = (body: unknown, name = "ann", id = "a1") =>
  served.post(`/v1/approvals/${id}/assignment`, body, as(name));
const shown = async () => (await served.get("/v1/approvals/a1")).body as { assigned?: object };

it("DOOR-ASSIGNMENT-1, DOOR-ASSIGNMENT-2: it is shown, listed and told with the token's name until somebody else is named or nobody", async () => {
  const stream = await follow(`${served.url}/v1/stream?entity=approval`, {
    Authorization: `Bearer ${TOKEN}`,
  });
  expect((await stream.take(1))[0]?.event).toBe("ready");
  const assigned = await assign({ to: "http:ben" });
  expect([assigned.status, assigned.body]).toMatchObject([
    200,
    { result: "accepted", approvalId: "a1", state: "pending", position: expect.any(Number) as number },
  ]);
  const to = { to: "ben", by: "http:ann", at: expect.any(Number) as number };
  expect((await shown()).assigned).toEqual(to);
  const [told] = await stream.take(1);
  expect(JSON.parse(told?.data ?? "")).toMatchObject({
    to: "annotated",
    view: { state: "pending", assigned: to },
  });
  const listed = (await served.get("/v1/approvals?state=pending")).body;
  expect(at(listed, "items", "0", "assigned")).toEqual(to);
  expect((await assign({ to: " \u202e<b>zoe " })).status).toBe(200);
  expect((await shown()).assigned).toMatchObject({ to: "\u202e<b>zoe" });
  expect((await assign({ to: null })).status).toBe(200);
  expect(await shown()).not.toHaveProperty("assigned");
  await stream.cancel();
});

it("DOOR-ASSIGNMENT-1: a name of another length, another field or another form is refused, and changes nothing", async () => {
  for (const body of [
    {},
    { to: "" },
    { to: " " },
    { to: "x".repeat(129) },
    { to: 1 },
    { to: "ben", by: "http:zoe" },
    [],
  ])
    expect((await assign(body)).status, JSON.stringify(body)).toBe(400);
  expect(await shown()).not.toHaveProperty("assigned");
  expect((await assign({ to: "x".repeat(128) })).status).toBe(200);
});

it("PARTS-1: whoever may answer there may assign; nobody else, and an unknown approval is none", async () => {
  expect((await assign({ to: "ben" }, "vic")).status).toBe(403);
  const elsewhere = await assign({ to: "ben" }, "zoe");
  expect([elsewhere.status, at(elsewhere.body, "error", "code")]).toEqual([404, "UNKNOWN_APPROVAL"]);
  expect((await assign({ to: "ben" }, "ann", "none")).status).toBe(404);
  expect(await shown()).not.toHaveProperty("assigned");
});

it("APPROVAL-4: one that comes after the answer is told who answered, and assigns nobody", async () => {
  await served.post("/v1/approvals/a1/decision", { decision: "deny" });
  const late = await assign({ to: "ben" });
  expect([late.status, late.body]).toMatchObject([
    409,
    { result: "ignored", state: "denied", reason: "already denied", error: { code: "NOT_COUNTED" } },
  ]);
  expect(at(late.body, "error", "message")).toBe(
    "The assignment does not count: already denied by local:tester.",
  );
  expect(await shown()).not.toHaveProperty("assigned");
});
