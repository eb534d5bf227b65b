// Session table
// Every phase of a session against every event, cell by cell, written by hand from machines/SPEC.md.

import { expect, test } from "vitest";
import { type SessionEvent, sessionMachine } from "../../../machines/index.ts";
import { rows, standing, step, type Table } from "../../support/machines/standing.ts";

const AT = 2_000;

const base = {
  id: "s1",
  workspace: "w",
  source: "test",
  keepMs: 5_000,
  createdAt: 1_000,
  counts: {},
  lastEvent: { type: "created", at: 1_000 },
};
type State = "idle" | "running" | "waiting_input" | "ended";
/** One of everything a plan can ask for. */
const PLAN = {
  what: "test",
  steps: [
    { do: "spawn", kind: "call", id: "c1", input: {} },
    { do: "deliver", kind: "call", id: "c1", event: { type: "announced", at: AT } },
  ],
  timers: [
    { timer: "orphans", at: 9_000 },
    { timer: "orphans", at: undefined },
  ],
  removals: [{ kind: "request", id: "r1" }],
  facts: {},
  idleAt: AT + 1_000,
};
const done = "spawn deliver schedule cancel remove";
const counts = (openRequests: number, pendingApprovals: number) => ({
  counts: { requests: 1, calls: 1, openCalls: 1, openRequests, pendingApprovals },
});
const VARIANTS: Readonly<Record<string, object>> = {
  quiet: { ...counts(0, 0), revives: true },
  "at work": { ...counts(1, 0), revives: true },
  asked: { ...counts(1, 1), revives: true },
  "late, at work": { ...counts(1, 0), revives: false },
  "late, asked": { ...counts(1, 1), revives: false },
  "heard of": counts(0, 0),
  "heard of no more": { ...counts(0, 0), idleAt: AT, reason: "idle" },
};
const PHASES = ["quiet", "at work", "asked", "late, at work", "late, asked"] as const;
const phase = (stays: State) => {
  const to = (state: State) =>
    state === stays ? `= ${done}` : `${state} ${stays === "ended" ? "cancel " : ""}${done}`;
  return {
    // At rest it is watched.
    quiet: `${to("idle")} schedule`,
    "at work": to("running"),
    asked: to("waiting_input"),
    "late, at work": to("running"),
    "late, asked": to("waiting_input"),
  };
};
const ending = Object.fromEntries(PHASES.map((variant) => [variant, `ended ${done} schedule cancel`]));
const resting = Object.fromEntries(PHASES.map((variant) => [variant, `= ${done}`]));
const TABLE: Table<State, SessionEvent["type"]> = {
  idle: {
    began: phase("idle"),
    worked: phase("idle"),
    reported: phase("idle"),
    ended: ending,
    idled: { "heard of": "= schedule", "heard of no more": `ended ${done} schedule cancel` },
  },
  running: {
    began: phase("running"),
    worked: phase("running"),
    reported: phase("running"),
    ended: ending,
    idled: { "heard of": "=", "heard of no more": "=" },
  },
  waiting_input: {
    began: phase("waiting_input"),
    worked: phase("waiting_input"),
    reported: phase("waiting_input"),
    ended: ending,
    idled: { "heard of": "=", "heard of no more": "=" },
  },
  ended: {
    began: phase("ended"),
    worked: { ...resting, "at work": `running cancel ${done}`, asked: `waiting_input cancel ${done}` },
    reported: resting,
    ended: resting,
    idled: "illegal",
  },
};

test.each(rows(TABLE))("S3.17, I-48: %s", (_, { state, event, variant, expected }) => {
  const said = { type: event, at: AT, ...PLAN, ...(variant !== undefined && VARIANTS[variant]) };
  expect(step("session", standing("session", state, base), said)).toBe(expected);
});

test("S3.17: the table has every phase of a session", () => {
  expect(Object.keys(TABLE).sort()).toEqual(Object.keys(sessionMachine.states).sort());
});
