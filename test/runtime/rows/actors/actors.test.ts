// Actors
// What a machine may do to the turn that hosts it.

import { expect, test } from "vitest";
import { DEFAULT_POLICY } from "../../../../machines/index.ts";
import { toolInput } from "../../../../runtime/canonical.ts";
import {
  begin,
  glimpse,
  move,
  persist,
  restore,
  type Stored,
} from "../../../../runtime/rows/actors/actors.ts";

const question = {
  id: "a1",
  at: 1,
  channel: "test",
  tool: "Bash",
  input: toolInput({ command: "ls" }),
};

test("ACTORS-4: a machine that cannot begin fails the turn", () => {
  const broken = new Proxy(question, {
    ownKeys: () => {
      throw new Error("torn");
    },
  });
  expect(() => begin("approval", broken)).toThrow(expect.objectContaining({ code: "NOT_ACTIVE" }));
});

test("ACTORS-3, G25: a request of version 1 that has not begun gets the present limit, unless it has one of its own", () => {
  const limitOf = (lifecycle: string, context: object): unknown => {
    const stored = { machine: "request", version: "1", value: { lifecycle }, context };
    const { unbegunMs } = glimpse("request", "w/s/request/p1", JSON.stringify(stored)).context as {
      readonly unbegunMs?: number;
    };
    return unbegunMs;
  };
  expect(["created", "queued", "completed"].map((state) => limitOf(state, {}))).toEqual([
    DEFAULT_POLICY.unbegunMs,
    DEFAULT_POLICY.unbegunMs,
    undefined,
  ]);
  expect(limitOf("created", { timeoutAt: 9 })).toBeUndefined();
});

test("ACTORS-2: an event that selects no transition is illegal and changes nothing", () => {
  const { snapshot, legal } = begin("approval", question);
  expect(legal).toBe(true);
  const denied = move("approval", snapshot, { type: "decided", decision: "deny", by: "ann", at: 2 } as never);
  expect(denied).toMatchObject({ legal: true, snapshot: { value: "denied" } });
  const again = move("approval", denied.snapshot, { type: "lapsed", at: 3, nothing: "of ours" } as never);
  const unknown = move("approval", denied.snapshot, { type: "exploded" });
  expect(unknown).toEqual({ snapshot: denied.snapshot, effects: [], legal: false });
  expect(again.snapshot.value).toBe("denied");
});

test("ACTORS-5, I-26: a context has the keys, in their order, that its row gives back", () => {
  const plan = { what: "test", steps: [], timers: [], removals: [], facts: {}, revives: false, idleAt: 9 };
  const counts = { requests: 0, openRequests: 0, calls: 0, openCalls: 0, pendingApprovals: 0 };
  const born = { id: "s1", workspace: "w", source: "test", keepMs: 1, at: 1 };
  let { snapshot } = begin("session", born);
  const events = ["ended", "idled", "began", "idled", "ended", "ended"].map((type, at) => ({ type, at }));
  for (const { type, at } of events) {
    const reason = at % 2 === 0 ? undefined : "idle";
    snapshot = move("session", snapshot, { ...plan, counts, type, at: at * 10, reason } as never).snapshot;
    const readBack = restore("session", "w/s1", JSON.parse(JSON.stringify(persist(snapshot))) as Stored);
    expect(Object.entries(snapshot.context)).toEqual(Object.entries(readBack.context));
  }
});
