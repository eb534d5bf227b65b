// Request table
// Every state of a request against every event, cell by cell, written by hand from machines/SPEC.md.

import { expect, test } from "vitest";
import { type RequestEvent, requestMachine } from "../../../machines/index.ts";
import { rows, standing, step, type Table } from "../../support/machines/standing.ts";

const AT = 2_000;

const base = {
  id: "r1",
  origin: "gateway",
  hungAfterMs: 1_000,
  unbegunMs: 1_500,
  keepMs: 5_000,
  createdAt: 1_000,
  lastUpdatedAt: 1_000,
  timedOut: false,
  runningForMs: 0,
  runningSince: null,
  annotations: [],
};
const VALUES = {
  created: "created",
  queued: "queued",
  processing: { processing: "running" },
  waiting: { processing: "waiting" },
  completed: "completed",
  failed: "failed",
  timeout: "timeout",
} as const;
type Lifecycle = keyof typeof VALUES;
const CALLBACKS = ["none", "delivering", "delivered", "failed"] as const;
type Callback = (typeof CALLBACKS)[number];

const EVENTS: Readonly<Record<RequestEvent["type"], object>> = {
  queued: {},
  processing: {},
  blocked: {},
  unblocked: {},
  completed: { output: "done" },
  failed: { error: "no" },
  prompted: { promptId: "p1", prompt: "go" },
  amended: { tokens: 3 },
  callback: { state: "delivering", sentAt: AT },
  overdue: { timer: "hung", idleSince: 0 },
  kept: {},
};
const VARIANTS: Readonly<Record<string, object>> = {
  hung: {},
  "hung, were it begun": { idleSince: AT - 1_499 },
  "heard of": { idleSince: AT - 1 },
  "out of time": { timer: "timeout", idleSince: AT - 1 },
  delivering: {},
  delivered: { state: "delivered" },
  failed: { state: "failed" },
};

const over = "cancel cancel schedule report";
const early = {
  completed: "illegal",
  failed: `failed ${over}`,
  overdue: {
    hung: `timeout ${over}`,
    "hung, were it begun": "= schedule",
    "heard of": "= schedule",
    "out of time": `timeout ${over}`,
  },
  blocked: "=",
  unblocked: "=",
  prompted: "=",
  amended: "=",
  callback: "=",
  kept: "illegal",
  processing: "processing schedule",
} as const;
const closed = {
  queued: "= annotate",
  processing: "= annotate",
  completed: "= annotate",
  failed: "= annotate",
  amended: "= annotate",
  prompted: "= annotate",
  blocked: "=",
  unblocked: "=",
  callback: "=",
  overdue: { hung: "=", "heard of": "=", "out of time": "=" },
  kept: "= schedule",
} as const;
const active = { queued: "illegal", prompted: "=", amended: "=", callback: "=", kept: "illegal" } as const;

const LIFECYCLE: Table<Lifecycle, RequestEvent["type"]> = {
  created: { ...early, queued: "queued" },
  queued: { ...early, queued: "illegal" },
  processing: {
    ...active,
    processing: "=",
    blocked: "waiting cancel",
    unblocked: "=",
    completed: `completed ${over}`,
    failed: `failed ${over}`,
    overdue: {
      hung: `timeout ${over}`,
      "hung, were it begun": `timeout ${over}`,
      "heard of": "= schedule",
      "out of time": `timeout ${over}`,
    },
  },
  waiting: {
    ...active,
    processing: "=",
    blocked: "=",
    unblocked: "processing schedule",
    completed: `completed ${over}`,
    failed: `failed ${over}`,
    overdue: { hung: "=", "heard of": "=", "out of time": `timeout ${over}` },
  },
  completed: closed,
  failed: closed,
  timeout: closed,
};

const apart = {
  queued: "=",
  processing: "=",
  blocked: "=",
  unblocked: "=",
  completed: "=",
  failed: "=",
  prompted: "=",
  amended: "=",
  overdue: "=",
  kept: "=",
} as const;
const retried = { delivering: "delivering", delivered: "delivered", failed: "=" } as const;
const CALLBACK: Table<Callback, RequestEvent["type"]> = {
  none: { ...apart, callback: { ...retried, failed: "failed" } },
  delivering: { ...apart, callback: { delivering: "=", delivered: "delivered", failed: "failed" } },
  delivered: {
    ...apart,
    callback: { delivering: "= annotate", delivered: "= annotate", failed: "= annotate" },
  },
  failed: { ...apart, callback: retried },
};

const at = (lifecycle: Lifecycle, callback: Callback) =>
  standing("request", { lifecycle: VALUES[lifecycle], callback }, base);
const event = (type: string, variant: string | undefined) => ({
  type,
  at: AT,
  ...EVENTS[type as RequestEvent["type"]],
  ...(variant !== undefined && VARIANTS[variant]),
});

test.each(rows(LIFECYCLE))("R1, R2, I-02, S1.1: %s", (_, row) => {
  const found = step(
    "request",
    at(row.state as Lifecycle, "none"),
    event(row.event, row.variant),
    "lifecycle",
  );
  expect(found).toBe(row.expected);
});

test.each(rows(CALLBACK))("S1.9: a callback that is %s", (_, row) => {
  const found = step(
    "request",
    at("completed", row.state as Callback),
    event(row.event, row.variant),
    "callback",
  );
  if (row.event === "callback") expect(found).toBe(row.expected);
  else expect(found.split(" ")[0]).toBe(row.expected);
});

test("S1.9: the lifecycle goes its way whatever the callback does", () => {
  for (const [, { state, event: type, variant, expected }] of rows(LIFECYCLE)) {
    for (const callback of CALLBACKS) {
      if (type === "callback") continue;
      const found = step("request", at(state as Lifecycle, callback), event(type, variant), "lifecycle");
      expect(found, `${state}/${callback} + ${type}`).toBe(expected);
    }
  }
});

test("R1: the tables have every state of a request; processing is running or waiting", () => {
  const { lifecycle, callback } = requestMachine.states;
  const states = Object.keys(lifecycle?.states ?? {}).concat("waiting");
  expect(Object.keys(LIFECYCLE).sort()).toEqual(states.sort());
  expect(Object.keys(lifecycle?.states["processing"]?.states ?? {})).toEqual(["running", "waiting"]);
  expect(Object.keys(CALLBACK).sort()).toEqual(Object.keys(callback?.states ?? {}).sort());
});
