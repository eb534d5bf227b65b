// Call table
// Every state of a call against every event, cell by cell, written by hand from machines/SPEC.md.

import { expect, test } from "vitest";
import { type CallEvent, callMachine } from "../../../machines/index.ts";
import { move } from "../../../runtime/rows/actors/actors.ts";
import { rows, standing, step, type Table } from "../../support/machines/standing.ts";

const AT = 2_000;
const denial = { cause: "direct", by: "user", predicted: false };

const base = {
  id: "c1",
  requestId: "r1",
  agentId: "main",
  batchId: "b1",
  index: 0,
  tool: "Bash",
  match: { how: "id", ambiguous: false, candidates: 1 },
  createdAt: 1_000,
  updatedAt: 1_000,
  deferred: false,
  approval: { id: "a1", at: 1_000 },
  annotations: [],
};
const INFERRED = { cause: "inferred", inferredFrom: "batch", predicted: true };
const FORESEEN = { cause: "cascade", callId: "c0", predicted: true, revisable: true };
const CLOSED = ["completed", "failed", "denied", "missing-post"] as const;
type Execution = "created" | "queued" | "processing" | (typeof CLOSED)[number];
const APPROVALS = ["none", "pending", "approved", "denied", "expired", "withdrawn"] as const;
type Asked = (typeof APPROVALS)[number];

const EVENTS: Readonly<Record<CallEvent["type"], object>> = {
  announced: {},
  started: {},
  finished: { output: "done" },
  failed: { error: "no" },
  denied: { denial },
  missed: { cause: "unreported", evidence: "stop" },
  deferred: { until: 9_000 },
  asked: { approvalId: "a2" },
  approved: { by: "user" },
  disapproved: { by: "user", denial },
  lapsed: {},
  withdrawn: { by: "elsewhere" },
  placed: { index: 3 },
  amended: { toolUseId: "t1" },
};
const VARIANTS: Readonly<Record<string, { event?: object; context?: object }>> = {
  asks: {},
  denies: { event: { denial: { ...denial, cause: "expired" } } },
  seen: {},
  predicted: { event: { denial: { ...denial, cause: "cascade", predicted: true } } },
  "put off": { context: { deferred: true } },
  "the client's word": { event: { evidence: "result", cause: "killed" } },
  "the client's word again": {
    event: { evidence: "result", cause: "lost" },
    context: { missing: { cause: "killed", evidence: "result" } },
  },
  "only inferred": { context: { denial: INFERRED } },
  "only foreseen": { context: { denial: FORESEEN } },
  "only foreseen, by the client's word": {
    event: { evidence: "result", cause: "killed" },
    context: { denial: FORESEEN },
  },
  "foreseen, and confirmed": { context: { denial: { ...FORESEEN, predicted: false } } },
  "inferred from a list": { event: { denial: INFERRED } },
  "inferred, though the client said it was lost": {
    event: { denial: INFERRED },
    context: { missing: { cause: "killed", evidence: "result" } },
  },
  "the list's word": { event: { evidence: "batch" } },
  "only inferred, by the client's word": {
    event: { evidence: "result", cause: "killed" },
    context: { denial: INFERRED },
  },
  "given up after its time": { context: { missing: { cause: "deferred", evidence: "time-limit" } } },
  "opens it again": { event: { reopens: true } },
  "opens it again, after its time": {
    event: { reopens: true },
    context: { missing: { cause: "deferred", evidence: "time-limit" } },
  },
  "of a failure without its words": { event: { outdoes: true } },
  "without its words, of one that was stopped": {
    event: { stopped: true },
    context: { denial: undefined, missing: { cause: "interrupted", evidence: "result" } },
  },
  "without its words, of one that was concluded to be denied": {
    event: { stopped: true },
    context: { denial: { ...denial, revisable: true }, missing: undefined },
  },
  "without its words, of one that was denied here": {
    event: { stopped: true },
    context: { denial: { ...denial, approvalId: "a1" } },
  },
  another: {},
};

const closing = {
  finished: "completed report",
  failed: "failed report",
  denied: "denied report",
  disapproved: "denied report",
  lapsed: { asks: "=", denies: "denied report" },
  missed: "missing-post report",
} as const;
const heard = { asked: "=", approved: "=", withdrawn: "=" } as const;
const early = { ...closing, ...heard, placed: "=", amended: "=" } as const;
const late = {
  ...heard,
  announced: "= annotate",
  started: "= annotate",
  denied: "= annotate",
  disapproved: "= annotate",
  missed: "= annotate",
  deferred: "= annotate",
  lapsed: { asks: "=", denies: "=" },
  placed: "= annotate",
  amended: "= annotate",
} as const;

/** Beside a pending question, so that every answer to it is legal. */
const EXECUTION: Table<Execution, CallEvent["type"]> = {
  created: { ...early, announced: "queued", started: "processing", deferred: "queued report schedule" },
  queued: {
    ...early,
    announced: "=",
    started: { "put off": "processing report cancel", another: "processing" },
    deferred: { "put off": "=", another: "= report schedule" },
  },
  processing: { ...early, announced: "=", started: "=", deferred: "queued report schedule" },
  completed: { ...late, finished: "=", failed: "= annotate" },
  failed: {
    ...late,
    finished: "= annotate",
    failed: "=",
    denied: { "of a failure without its words": "denied annotate audit report", another: "= annotate" },
    missed: { "of a failure without its words": "missing-post report", another: "= annotate" },
  },
  denied: {
    ...late,
    finished: {
      "only inferred": "completed report",
      "only foreseen": "completed report",
      "foreseen, and confirmed": "= annotate audit",
      another: "= annotate audit",
    },
    failed: {
      "only inferred": "failed report",
      "only foreseen": "failed report",
      "foreseen, and confirmed": "= annotate audit",
      "the list's word": "=",
      "without its words, of one that was concluded to be denied": "missing-post report",
      "without its words, of one that was denied here": "= annotate audit",
      another: "= annotate audit",
    },
    denied: { seen: "= annotate", "inferred from a list": "=", "only inferred": "= annotate" },
    missed: {
      another: "= annotate",
      "the client's word": "= annotate",
      "only inferred, by the client's word": "missing-post report",
      "only foreseen, by the client's word": "missing-post report",
    },
  },
  "missing-post": {
    ...late,
    finished: "completed report",
    failed: { "without its words, of one that was stopped": "= report", another: "failed report" },
    denied: {
      seen: "denied report",
      predicted: "= annotate",
      "inferred from a list": "denied report",
      "inferred, though the client said it was lost": "=",
    },
    deferred: {
      another: "= annotate",
      "given up after its time": "= annotate",
      "opens it again": "queued report schedule annotate",
      "opens it again, after its time": "= annotate",
    },
    missed: {
      another: "= annotate",
      "the client's word": "= annotate",
      "the client's word again": "= annotate",
    },
  },
};

/** Beside a call that is being worked on. */
const unasked = {
  approved: "illegal",
  withdrawn: "illegal",
  lapsed: { asks: "illegal", denies: "=" },
} as const;
const apart = {
  announced: "=",
  started: "=",
  finished: "=",
  failed: "=",
  denied: "=",
  missed: "=",
  deferred: "=",
  disapproved: "=",
  placed: "=",
  amended: "=",
} as const;
const answered = { ...apart, ...unasked, asked: "pending" } as const;
const APPROVAL: Table<Asked, CallEvent["type"]> = {
  none: answered,
  pending: {
    ...apart,
    asked: "=",
    approved: "approved",
    disapproved: "denied",
    lapsed: "expired",
    withdrawn: "withdrawn",
  },
  approved: answered,
  denied: answered,
  expired: answered,
  withdrawn: answered,
};

const closedContext = { closedAt: 1_500, denial, missing: { cause: "unreported", evidence: "stop" } };
const at = (execution: Execution, approval: Asked, context: object = {}) =>
  standing(
    "call",
    { execution, approval },
    { ...base, ...(CLOSED.some((closed) => closed === execution) && closedContext), ...context },
  );
const event = (type: string, variant: string | undefined) => {
  const given = EVENTS[type as CallEvent["type"]];
  return { type, at: AT, ...given, ...(variant !== undefined && VARIANTS[variant]?.event) };
};

test.each(rows(EXECUTION))("C1, C2, C5, I-01: %s", (_, row) => {
  const context = row.variant === undefined ? {} : VARIANTS[row.variant]?.context;
  const from = at(row.state as Execution, "pending", context);
  expect(step("call", from, event(row.event, row.variant), "execution")).toBe(row.expected);
});

test.each(rows(APPROVAL))("C1, I-07: a question is %s", (_, row) => {
  const from = at("processing", row.state as Asked);
  const [next] = step("call", from, event(row.event, row.variant), "approval").split(" ");
  expect(next).toBe(row.expected);
});

test("C1: in every pair of states the execution goes where it goes beside a pending question, or the pair takes nothing", () => {
  for (const [, { state, event: type, variant, expected }] of rows(EXECUTION)) {
    for (const approval of APPROVALS) {
      const context = variant === undefined ? {} : VARIANTS[variant]?.context;
      const from = at(state as Execution, approval, context);
      const found = step("call", from, event(type, variant), "execution");
      if (found === "illegal") expect(["approved", "withdrawn", "lapsed"]).toContain(type);
      else expect(found, `${state}/${approval} + ${type}`).toBe(expected);
    }
  }
});

test("C1: the tables have every state of a call", () => {
  const { execution, approval } = callMachine.states;
  expect(Object.keys(EXECUTION).sort()).toEqual(Object.keys(execution?.states ?? {}).sort());
  expect(Object.keys(APPROVAL).sort()).toEqual(Object.keys(approval?.states ?? {}).sort());
});

test("C2: only the client's own word changes why a result is missing, and only once", () => {
  const missed = (from: ReturnType<typeof at>, evidence: string) =>
    move("call", from, { type: "missed", at: AT, cause: "killed", evidence } as { type: string }).snapshot;
  const given = at("missing-post", "none");
  expect(missed(given, "session-end").context).toMatchObject({ missing: { cause: "unreported" } });
  const told = missed(given, "result");
  expect(told.context).toMatchObject({ missing: { cause: "killed", evidence: "result" } });
  const again = move("call", told, { type: "missed", at: AT, cause: "lost", evidence: "result" } as {
    type: string;
  });
  expect(again.snapshot.context).toMatchObject({ missing: { cause: "killed" } });
});
