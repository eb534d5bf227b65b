// Graph
// The machines as graphs: every path from state to state that some event opens.
//
//   Owns:          one sample of each event that a guard can tell apart; the use of @xstate/graph.
//   Does not own:  what must hold of the paths (machines.graph.test).

import { getAdjacencyMap, getShortestPaths, getSimplePaths } from "@xstate/graph";
import type { AnyStateMachine, AnyStateNode } from "xstate";
import {
  type ActorKind,
  approvalMachine,
  callMachine,
  requestMachine,
  sessionMachine,
} from "../../../machines/index.ts";
import type { Snapshot } from "../../../runtime/rows/actors/actors.ts";

export const MACHINES: Readonly<Record<ActorKind, AnyStateMachine>> = {
  session: sessionMachine,
  request: requestMachine,
  call: callMachine,
  approval: approvalMachine,
};

export interface Event {
  readonly type: string;
  readonly [field: string]: unknown;
}
/** A state, and the event that led to it. */
export interface Step {
  readonly state: Snapshot;
  readonly event: Event;
}
export interface Path {
  readonly state: Snapshot;
  readonly steps: readonly Step[];
}

const AT = 10_000;
const denial = { cause: "direct", by: "user", predicted: false };
const plan = { what: "test", steps: [], timers: [], removals: [], facts: {}, revives: true, idleAt: AT };
const counts = (openRequests: number, pendingApprovals: number) => ({
  counts: { requests: 1, calls: 1, openCalls: 1, openRequests, pendingApprovals },
});

/** What an actor of each kind begins with. */
export const INPUTS: Readonly<Record<ActorKind, object>> = {
  session: { id: "s1", workspace: "w", source: "test", keepMs: 1, at: 1 },
  request: { id: "r1", origin: "gateway", hungAfterMs: 1, unbegunMs: 1, keepMs: 1, at: 1 },
  call: {
    id: "c1",
    requestId: "r1",
    agentId: "main",
    batchId: "b1",
    index: 0,
    tool: "Bash",
    match: {},
    at: 1,
  },
  approval: {
    id: "a1",
    requestId: "r1",
    agentId: "main",
    tool: "Bash",
    channel: "hook",
    input: { text: "{}", hash: "h1" },
    onDeadline: "deny",
    at: 1,
  },
};

export const EVENTS: Readonly<Record<ActorKind, readonly Event[]>> = {
  session: [counts(0, 0), counts(1, 0), counts(1, 1)].flatMap((given) =>
    ["began", "worked", "reported", "ended", "idled"].map((type) => ({ type, ...plan, ...given })),
  ),
  request: [
    { type: "queued" },
    { type: "processing" },
    { type: "blocked" },
    { type: "unblocked" },
    { type: "completed" },
    { type: "failed", error: "no" },
    { type: "prompted", promptId: "p", prompt: "go" },
    { type: "amended", tokens: 1 },
    { type: "overdue", timer: "hung", idleSince: 0 },
    { type: "kept" },
    { type: "callback", state: "delivering", sentAt: AT },
    { type: "callback", state: "delivered", sentAt: AT },
    { type: "callback", state: "failed", sentAt: AT },
  ],
  call: [
    { type: "announced" },
    { type: "started" },
    { type: "finished", output: "done" },
    { type: "failed", error: "no" },
    { type: "denied", denial },
    { type: "missed", cause: "unreported", evidence: "stop" },
    { type: "deferred", until: AT + 1 },
    { type: "deferred", until: AT + 1, reopens: true },
    { type: "placed", index: 1 },
    { type: "amended", toolUseId: "t1" },
    { type: "asked", approvalId: "a1" },
    { type: "approved", by: "user" },
    { type: "disapproved", by: "user", denial },
    { type: "lapsed" },
    { type: "lapsed", denial },
    { type: "withdrawn", by: "elsewhere" },
  ],
  approval: [
    { type: "asked", channel: "sdk" },
    { type: "bound", callId: "c1" },
    { type: "staled" },
    { type: "decided", decision: "approve", inputHash: "h1", by: "user" },
    { type: "decided", decision: "deny", by: "user" },
    { type: "answered", decision: "approve", by: "hook" },
    { type: "answered", decision: "deny", by: "hook" },
    { type: "lapsed" },
    { type: "withdrawn", outcome: "unknown" },
    { type: "taken", by: "gate" },
    { type: "left" },
    { type: "assigned", to: "ann", by: "user" },
    { type: "seen", ran: true, inputHash: "h1" },
    { type: "seen", ran: false },
  ],
};

/** With the other region at rest: the simple paths of both at once are too many to walk. */
const ONE_REGION: Readonly<Record<ActorKind, (event: Event) => boolean>> = {
  session: () => true,
  request: ({ type }) => type !== "callback",
  call: ({ type }) => !["asked", "approved", "lapsed", "withdrawn"].includes(type),
  approval: () => true,
};

const options = (kind: ActorKind, which: (event: Event) => boolean = () => true) => ({
  events: EVENTS[kind].filter(which).map((event) => ({ ...event, at: AT })),
  input: INPUTS[kind],
  serializeState: (state: unknown) => JSON.stringify((state as Snapshot).value),
});

// @xstate/graph types states and events of any machine as `any`: these interfaces say what it returns.
export const shortestPaths = (kind: ActorKind): readonly Path[] =>
  getShortestPaths(MACHINES[kind], options(kind)) as unknown as readonly Path[];

export const simplePaths = (kind: ActorKind): readonly Path[] =>
  getSimplePaths(MACHINES[kind], options(kind, ONE_REGION[kind])) as unknown as readonly Path[];

/** Every state with every event, and where it leads. */
export function* edges(kind: ActorKind): Generator<{ from: Snapshot; event: Event; to: Snapshot }> {
  const map = getAdjacencyMap(MACHINES[kind], options(kind)) as unknown as Readonly<
    Record<string, { state: Snapshot; transitions: Readonly<Record<string, Step>> }>
  >;
  for (const { state: from, transitions } of Object.values(map)) {
    for (const { state: to, event } of Object.values(transitions)) yield { from, event, to };
  }
}

/** Every state of a machine, with the states inside it, outermost first. */
export function nodesOf(machine: AnyStateMachine): readonly AnyStateNode[] {
  const walk = (node: AnyStateNode): readonly AnyStateNode[] => [
    node,
    ...(Object.values(node.states) as AnyStateNode[]).flatMap(walk),
  ];
  return walk(machine.root);
}
