// Approval table
// Every state of a question against every event, cell by cell, written by hand from machines/SPEC.md.

import { expect, test } from "vitest";
import { type ApprovalEvent, approvalMachine } from "../../../machines/index.ts";
import { toolInput } from "../../../runtime/canonical.ts";
import { move } from "../../../runtime/rows/actors/actors.ts";
import { nearHashes } from "../../support/engine/near-hashes.ts";
import { rows, standing, step, type Table } from "../../support/machines/standing.ts";

const AT = 2_000;

const base = {
  id: "a1",
  requestId: "r1",
  agentId: "main",
  tool: "Bash",
  input: { text: "{}", hash: "h1" },
  ambiguous: false,
  candidates: 1,
  onDeadline: "deny",
  askedAt: 1_000,
  updatedAt: 1_000,
  channels: ["hook"],
  annotations: [],
};
type State = "pending" | "approved" | "denied" | "expired" | "withdrawn";
const EVENTS: Readonly<Record<ApprovalEvent["type"], object>> = {
  asked: { channel: "sdk" },
  bound: { callId: "c1" },
  staled: {},
  decided: { by: "user" },
  answered: { by: "terminal" },
  lapsed: {},
  withdrawn: { outcome: "unknown" },
  taken: { by: "gate" },
  left: {},
  seen: {},
  demanded: { demands: [{ rule: "r1", approvals: 2 }] },
  assigned: { to: "ann", by: "http:ben" },
};
const VARIANTS: Readonly<Record<string, object>> = {
  "approve what was shown": { decision: "approve", inputHash: "h1" },
  "approve something else": { decision: "approve", inputHash: "h2" },
  "approve unseen": { decision: "approve" },
  approve: { decision: "approve" },
  deny: { decision: "deny" },
  "at its deadline": {},
  "said by its asker": { said: "ask" },
  ran: { ran: true, inputHash: "h1" },
  "not run": { ran: false },
  "with its outcome": { outcome: "denied" },
  "outcome unknown": { outcome: "unknown" },
};
const ignored = {
  asked: "= annotate",
  bound: "=",
  staled: "=",
  decided: {
    "approve what was shown": "= annotate audit answer",
    "approve something else": "= annotate audit answer",
    "approve unseen": "= annotate audit answer",
    deny: "= annotate audit answer",
  },
  answered: { approve: "= annotate", deny: "= annotate" },
  lapsed: { "at its deadline": "=", "said by its asker": "= annotate" },
  withdrawn: { "with its outcome": "=", "outcome unknown": "=" },
  taken: "= annotate",
  left: "= annotate",
  seen: { ran: "= annotate", "not run": "= annotate" },
  demanded: "=",
  assigned: "= answer",
} as const;
const TABLE: Table<State, ApprovalEvent["type"]> = {
  pending: {
    asked: "=",
    bound: "=",
    staled: "= annotate",
    decided: {
      "approve what was shown": "approved cancel audit answer report",
      "approve something else": "= audit answer",
      "approve unseen": "= audit answer",
      deny: "denied cancel audit answer report",
    },
    answered: { approve: "approved cancel audit report", deny: "denied cancel audit report" },
    lapsed: {
      "at its deadline": "expired cancel audit report",
      "said by its asker": "expired cancel audit report",
    },
    withdrawn: {
      "with its outcome": "withdrawn cancel audit report",
      "outcome unknown": "withdrawn cancel audit report",
    },
    taken: "=",
    left: "=",
    seen: { ran: "=", "not run": "=" },
    demanded: "= schedule",
    assigned: "= answer",
  },
  approved: ignored,
  denied: ignored,
  expired: ignored,
  withdrawn: {
    ...ignored,
    answered: { approve: "= annotate audit", deny: "= annotate audit" },
    withdrawn: { "with its outcome": "= annotate audit", "outcome unknown": "=" },
  },
};

test.each(rows(TABLE))("I-08, I-14, C6: %s", (_, { state, event, variant, expected }) => {
  const given = EVENTS[event as ApprovalEvent["type"]];
  const said = { type: event, at: AT, ...given, ...(variant !== undefined && VARIANTS[variant]) };
  expect(step("approval", standing("approval", state, base), said)).toBe(expected);
});

test.each([
  ["without an input", { input: undefined }, {}, "it shows no input"],
  ["without an input, by any hash", { input: undefined }, { inputHash: "h1" }, "it shows no input"],
  ["unseen", {}, {}, "inputHash is missing"],
  ["by another input's hash", {}, { inputHash: "h2" }, "input-changed"],
])(
  "I-08: a question approved %s is not: it is told why, recorded, and stays pending",
  (_, shown, said, why) => {
    const pending = standing("approval", "pending", { ...base, ...shown });
    const decided = { type: "decided", at: AT, by: "user", decision: "approve", ...said };
    const { snapshot, effects } = move("approval", pending, decided);
    expect(snapshot.value).toBe("pending");
    const refused = { audit: "ignored-decision", answer: "refused" };
    for (const { type, params } of effects as readonly { type: keyof typeof refused; params: object }[]) {
      expect(params).toMatchObject({ [type === "audit" ? "kind" : "result"]: refused[type] });
      expect((params as { readonly reason: string }).reason).toContain(why);
    }
    expect(effects).toHaveLength(2);
  },
);

test("I-08: by a hash that is only near the shown one a question is not approved", () => {
  const { hash } = toolInput({ command: "make" });
  const pending = standing("approval", "pending", { ...base, input: { text: "{}", hash } });
  const decidedBy = (inputHash: string) => ({
    type: "decided",
    at: AT,
    decision: "approve",
    by: "user",
    inputHash,
  });
  const approve = (inputHash: string): unknown =>
    move("approval", pending, decidedBy(inputHash)).snapshot.value;
  expect(approve(hash)).toBe("approved");
  for (const near of nearHashes(hash)) expect(approve(near), near).toBe("pending");
});

test("I-08: a question without an input can be denied", () => {
  const pending = standing("approval", "pending", { ...base, input: undefined });
  const decided = { type: "decided", at: AT, by: "user", decision: "deny" };
  expect(step("approval", pending, decided)).toBe("denied cancel audit answer report");
});

test("I-14: the table has every state of a question", () => {
  expect(Object.keys(TABLE).sort()).toEqual(Object.keys(approvalMachine.states).sort());
});
