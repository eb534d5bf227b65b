// State words
// The words that people read for a state or an alarm's reason, the same in the panel and in a terminal.
//
//   Owns:          the labels of states, the text that says what is wrong with a call that raises an alarm.
//   Does not own:  the names of states in the code (machines), sentences about states (panel).

import type { Alarm } from "../../machines/index.ts";

const LABELS: Readonly<Record<string, string>> = {
  // Sessions.
  idle: "Idle",
  running: "Running",
  waiting_input: "Waiting for you",
  ended: "Ended",
  // Requests and calls.
  created: "Created",
  queued: "Queued",
  processing: "Running",
  waiting: "Waiting for you",
  completed: "Completed",
  failed: "Failed",
  timeout: "Timed out",
  denied: "Denied",
  "missing-post": "No result reported",
  annotated: "More was told",
  // Approvals.
  pending: "Waiting for you",
  approved: "Approved",
  expired: "Not answered in time",
  withdrawn: "Withdrawn",
  // The states of callbacks.
  none: "None",
  delivering: "Being delivered",
  delivered: "Delivered",
  // Alarms.
  executedAfterDenial: "Ran after a denial",
  unapprovedExecution: "Ran without approval",
  gateFailedOpen: "Ran past its gate",
  cleared: "Taken back",
  // The next words name the regions of a machine; each region has a state of its own.
  execution: "Execution",
  approval: "Approval",
  lifecycle: "Progress",
  callback: "Callback",
  // In the panel, the state of a request of which only calls are loaded (session/model).
  unknown: "Unknown",
};

const ALARMED: Readonly<Record<string, string>> = {
  denied: "ran though it was denied",
  closed: "ran though its gate had denied it",
  pending: "ran while nobody had answered",
  "other-input": "ran on another input than the one approved",
  "never-asked": "ran, and no gate asked about it",
  unmet: "ran without the approvals that a rule demands",
} satisfies Record<Alarm["because"], string>;

/** Says, in words, why a call raises an alarm; returns an unknown reason unchanged. */
export const alarmWords = (because: string): string => ALARMED[because] ?? because;

/** The label of a state; returns an unknown state unchanged. */
export const labelOf = (state: string): string =>
  Object.hasOwn(LABELS, state) ? (LABELS[state] ?? state) : state;
