// Precedents
// How the same call was answered before: what counts as the same, whose answers count, how far back.

import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Precedents } from "../../../runtime/reading/precedents/precedents.ts";
import { keys } from "../../../runtime/rows/keys.ts";
import type { PastApproval } from "../../../runtime/rows/past-approvals.ts";
import { event, serve, type Served } from "../../support/http/served.ts";
import { bashOf, FOLDER, type Past, pastOf, TEAM } from "../../support/suggestions/history.ts";

const COMMAND = "npm test";

let served: Served;
beforeEach(async () => {
  served = await serve();
  const subject = `${TEAM}/now`;
  const { status } = await served.post("/v1/events", [
    event("session.started", { title: "Now", cwd: FOLDER }, { subject }),
    event("request.created", { requestId: "r1" }, { subject }),
    event(
      "approval.requested",
      { requestId: "r1", toolUseId: "t1", approvalId: "now", tool: "Bash", input: { command: COMMAND } },
      { subject },
    ),
  ]);
  expect(status).toBe(200);
});
afterEach(() => served.stop());

const keyOf = (past: PastApproval, workspace = TEAM): string =>
  keys.pastApproval(past.at, workspace, past.sessionId, past.approvalId);
const keep = (pasts: readonly PastApproval[], workspace = TEAM) =>
  served.engine.store.commit(
    pasts.map((past) => ({ put: keyOf(past, workspace), value: JSON.stringify(past) })),
  );
const forget = (pasts: readonly PastApproval[]) =>
  served.engine.store.commit(pasts.map((past) => ({ del: keyOf(past) })));
const told = async (): Promise<Precedents> => {
  const { status, body } = await served.get(`/v1/approvals/now/precedents?workspace=${TEAM}`);
  expect(status).toBe(200);
  return body as Precedents;
};

interface Before {
  readonly isCommand: boolean;
  readonly isHere: boolean;
  readonly tool: "Bash" | "Other";
  readonly description: string | undefined;
  readonly isInBackground: boolean;
  readonly answer: Past["answer"];
  readonly by: "local:ann" | "bob" | "rule:r1";
}

const before: fc.Arbitrary<Before> = fc.record({
  isCommand: fc.boolean(),
  isHere: fc.boolean(),
  tool: fc.constantFrom("Bash", "Other"),
  description: fc.constantFrom(undefined, "Run the tests", "<img src=x onerror=alert(1)>"),
  isInBackground: fc.boolean(),
  answer: fc.constantFrom("approved", "denied", "expired"),
  by: fc.constantFrom("local:ann", "bob", "rule:r1"),
});

const asPast = ({ isCommand, isHere, tool, description, isInBackground, answer, by }: Before): Past => ({
  input: {
    command: isCommand ? COMMAND : "ls",
    ...(description !== undefined && { description }),
    ...(isInBackground && { run_in_background: true }),
  },
  cwd: isHere ? FOLDER : "/home/ann/other",
  ...{ tool, answer, by },
});

describe("precedents", () => {
  test("PRECEDENTS-1, PRECEDENTS-3: counted is the very call in this folder, whatever its description, by people and by rules apart", async () => {
    const all = fc.array(before, { maxLength: 25 });
    await fc.assert(
      fc.asyncProperty(all, async (befores) => {
        const pasts = befores.map((each, n) => pastOf(asPast(each), n));
        await keep(pasts);
        const found = await told();
        await forget(pasts);
        const same = befores.filter(
          (each) =>
            each.isCommand &&
            each.isHere &&
            each.tool === "Bash" &&
            !each.isInBackground &&
            each.answer !== "expired",
        );
        const people = same.filter(({ by }) => by !== "rule:r1");
        const count = (answer: Past["answer"], by?: string): number =>
          people.filter((each) => each.answer === answer && (by ?? each.by) === each.by).length;
        expect(found).toMatchObject({
          allowed: count("approved"),
          denied: count("denied"),
          byRules: same.length - people.length,
          looked: befores.filter(({ answer }) => answer !== "expired").length,
          more: false,
        });
        for (const { name, allowed, denied } of found.by)
          expect({ allowed, denied }).toEqual({
            allowed: count("approved", name),
            denied: count("denied", name),
          });
      }),
      { numRuns: 40 },
    );
  });

  test("PRECEDENTS-2, ASKED-BEFORE-3: the newest thousand rows count, whosever they are, and it says that there are more", async () => {
    const many = bashOf(Array<string>(1_000).fill(COMMAND)).map((past, n) => pastOf(past, n + 1));
    await keep([...bashOf([COMMAND], "denied").map(pastOf), ...many]);
    expect(await told()).toMatchObject({ allowed: 1_000, denied: 0, looked: 1_000, more: true });
    const others = bashOf(Array<string>(1_000).fill(COMMAND)).map((past, n) => pastOf(past, n + 5_000));
    await keep(others, "other");
    expect(await told()).toMatchObject({ allowed: 0, denied: 0, looked: 0, more: true });
  });

  test("PRECEDENTS-4: a rule is told that people's answers agree on, and none once one of them speaks against it", async () => {
    const agreed = bashOf(Array<string>(6).fill(COMMAND)).map(pastOf);
    await keep(agreed);
    const { rule } = await told();
    expect(rule).toMatchObject({ terms: { effect: "allow", tool: "Bash", project: FOLDER }, allow: 6 });
    // Rules are only told: none was made.
    expect((await served.get(`/v1/rules?workspace=${TEAM}`)).body).toMatchObject({ items: [] });
    await keep(bashOf([COMMAND], "denied", { cwd: "/elsewhere" }).map((past) => pastOf(past, 99)));
    expect((await told()).rule).toBeUndefined();
  });

  test("PRECEDENTS-4: six answers about another call tell no rule for this one", async () => {
    await keep(bashOf(Array<string>(6).fill("git status")).map(pastOf));
    expect(await told()).not.toHaveProperty("rule");
  });

  test("PRECEDENTS-2: answers that are still kept whole count, too; the pending approval itself does not", async () => {
    const subject = `${TEAM}/now`;
    const call = { requestId: "r1", toolUseId: "t2", tool: "Bash", input: { command: COMMAND } };
    await served.post("/v1/events", [
      event("approval.requested", { ...call, approvalId: "before" }, { subject }),
      event("approval.answered", { approvalId: "before", decision: "approve", by: "ann" }, { subject }),
    ]);
    expect(await told()).toMatchObject({ allowed: 1, denied: 0, looked: 1, more: false });
  });

  test("PRECEDENTS-1: an approval that is unknown, or of another workspace, has none", async () => {
    const statusOf = async (path: string): Promise<number> => (await served.get(path)).status;
    expect(await statusOf("/v1/approvals/nope/precedents")).toBe(404);
    expect(await statusOf("/v1/approvals/now/precedents?workspace=other")).toBe(404);
    expect(await statusOf("/v1/approvals/now/precedents?interrupt=true")).toBe(400);
  });
});
