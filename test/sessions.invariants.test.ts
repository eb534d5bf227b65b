// Invariants
// What holds at every step of every session, whatever it is told.

import { describe, expect, test } from "vitest";
import type { CallContext, Input, RequestContext, SessionContext, SessionId } from "../machines/index.ts";
import type { Snapshot } from "../runtime/actors.ts";
import { encode } from "../runtime/codec.ts";
import { keys } from "../runtime/keys.ts";
import { sessions } from "./support/generate.ts";
import { holds } from "./support/property.ts";
import { type Session, story } from "./support/script.ts";
import { SessionRun } from "./support/session-run.ts";

const FILE = "test/sessions.invariants.test.ts";
const RUNS = 250;
const CLOSED = new Set(["completed", "failed", "denied", "missing-post"]);
const ENDED = new Set(["completed", "failed", "timeout"]);

/** Puts a session to the machines and looks after each step. */
function always(look: (run: SessionRun, session: Session) => void): void {
  holds(
    FILE,
    RUNS,
    sessions(40),
    (session) => {
      const run = new SessionRun({ policy: { cascade: session.policy } });
      for (const step of session.steps) {
        run.take(step);
        look(run, session);
      }
    },
    story,
  );
}

const sessionOf = (run: SessionRun): SessionContext | undefined =>
  (run.layer.get(keys.actor(run.home)) as Snapshot | undefined)?.context as SessionContext | undefined;

/** Every row of a session as text. */
function rows(run: SessionRun): readonly string[] {
  const own = [keys.actor(run.home), keys.books(run.home)];
  return [...run.layer.writes()]
    .flatMap(([key, value]) =>
      value !== undefined && own.some((prefix) => key.startsWith(prefix))
        ? [`${key} ${encode(key, value)}`]
        : [],
    )
    .sort();
}

describe("calls", () => {
  test("I-01, C2: a closed call stays as it is, but for one way out of missing-post", () => {
    const seen = new WeakMap<SessionRun, Map<string, string>>();
    always((run) => {
      const before = seen.get(run) ?? new Map<string, string>();
      for (const { id, state, context } of run.calls) {
        const was = before.get(id);
        if (was !== undefined && was !== state && CLOSED.has(was)) {
          expect([was, context.was]).toEqual(["missing-post", "missing-post"]);
          expect(state).not.toBe("missing-post");
        }
        before.set(id, state);
      }
      seen.set(run, before);
    });
  });

  test("I-17: a call keeps the input it was entered with, whatever becomes of it", () => {
    const seen = new WeakMap<SessionRun, Map<string, CallContext["input"]>>();
    always((run) => {
      const before = seen.get(run) ?? new Map<string, CallContext["input"]>();
      for (const { id, context } of run.calls) {
        if (before.has(id)) expect(context.input).toEqual(before.get(id));
        else before.set(id, context.input);
      }
      seen.set(run, before);
    });
  });

  test("I-15: the session counts as many calls, open ones, requests and questions as there are", () => {
    always((run) => {
      const counts = sessionOf(run)?.counts;
      if (!counts) return;
      expect(counts).toEqual({
        calls: run.calls.length,
        openCalls: run.calls.filter(({ state }) => !CLOSED.has(state)).length,
        requests: run.requests.length,
        openRequests: run.requests.filter(({ state }) => !ENDED.has(state)).length,
        pendingApprovals: run.approvals.filter(({ state }) => state === "pending").length,
      });
    });
  });
});

describe("denials", () => {
  test("I-10, I-11, I-12: under strict, no call stays open behind a denied one of its batch", () => {
    always((run, { policy }) => {
      if (policy !== "strict") return;
      const open = run.calls.filter(({ state }) => !CLOSED.has(state));
      for (const { state, context } of run.calls) {
        if (state !== "denied" || context.denial?.cause === "cascade") continue;
        const behind = open.filter(
          (other) => other.context.batchId === context.batchId && other.context.index > context.index,
        );
        expect(behind.map(({ id }) => id)).toEqual([]);
      }
    });
  });

  test("I-13: a cascade follows one call that was not itself swept along", () => {
    always((run) => {
      const byId = new Map(run.calls.map((call) => [call.id, call]));
      for (const { context } of run.calls) {
        if (context.denial?.cause !== "cascade") continue;
        const cause = byId.get(context.denial.callId ?? "");
        expect(cause?.context.denial?.cause).not.toBe("cascade");
        expect(["denied", "missing-post", "completed", "failed"]).toContain(cause?.state);
      }
    });
  });

  test("C4: under none, only what a source says of a call itself denies it by cascade", () => {
    always((run, { policy }) => {
      if (policy !== "none") return;
      for (const { context } of run.calls) {
        if (context.denial?.cause === "cascade") expect(context.denial.predicted).toBe(false);
      }
    });
  });
});

describe("questions", () => {
  test("I-07: a question belongs to one call for ever, and a call to the questions that name it", () => {
    const seen = new WeakMap<SessionRun, Map<string, string>>();
    always((run) => {
      const bound = seen.get(run) ?? new Map<string, string>();
      for (const { id, context } of run.approvals) {
        if (context.callId === undefined) continue;
        expect(context.callId).toBe(bound.get(id) ?? context.callId);
        bound.set(id, context.callId);
      }
      for (const { id, context } of run.calls) {
        if (context.approval) expect(bound.get(context.approval.id)).toBe(id);
      }
      seen.set(run, bound);
    });
  });

  test("I-08, I-40: an approval with another hash, or none, leaves every question as it was", () => {
    const states = (run: SessionRun) => run.approvals.map(({ id, state }) => `${id} ${state}`);
    holds(
      FILE,
      RUNS,
      sessions(40),
      (session) => {
        const run = new SessionRun({ policy: { cascade: session.policy } });
        for (const step of session.steps) {
          const before = states(run);
          run.take(step);
          const blind = "decide" in step && step.decision === "approve" && step.hash !== "shown";
          const shown = run.approvals.every(({ context }) => context.input !== undefined);
          if (blind && shown) expect(states(run)).toEqual(before);
        }
      },
      story,
    );
  });

  test("R2, S3.17: a request waits exactly while a question of its calls is pending or a call is put off", () => {
    always((run) => {
      for (const { id, state } of run.requests) {
        if (state !== "processing" && state !== "waiting") continue;
        const asked = run.approvals.some((a) => a.state === "pending" && a.context.requestId === id);
        const putOff = run.calls.some(
          (c) => c.context.deferred && !CLOSED.has(c.state) && c.context.requestId === id,
        );
        expect([id, state]).toEqual([id, asked || putOff ? "waiting" : "processing"]);
      }
    });
  });
});

describe("requests", () => {
  test("I-03: times follow one another and are written once", () => {
    const seen = new WeakMap<SessionRun, Map<string, RequestContext>>();
    always((run) => {
      const before = seen.get(run) ?? new Map<string, RequestContext>();
      for (const { id, context } of run.requests) {
        const times = [context.createdAt, context.queuedAt, context.processingStartedAt, context.completedAt];
        const known = times.filter((time) => time !== undefined);
        expect(known).toEqual([...known].sort((a, b) => a - b));
        const was = before.get(id);
        if (was?.completedAt !== undefined) expect(context.completedAt).toBe(was.completedAt);
        if (was?.processingStartedAt !== undefined) {
          expect(context.processingStartedAt).toBe(was.processingStartedAt);
        }
        before.set(id, context);
      }
      seen.set(run, before);
    });
  });

  test("I-04: a request has timed out exactly when it ended so", () => {
    always((run) => {
      for (const { state, context } of run.requests) expect(context.timedOut).toBe(state === "timeout");
    });
  });
});

/** Says nothing under an id that only one session may use (R3). */
const isItsOwn = (input: Input): boolean => input.type.startsWith("tool.") && !("promptId" in input);

describe("replay", () => {
  test("I-36, G10: the same messages give the same bytes", () => {
    holds(
      FILE,
      300,
      sessions(40),
      (session) => {
        const once = new SessionRun({ policy: { cascade: session.policy } });
        const twice = new SessionRun({ policy: { cascade: session.policy } });
        for (const step of session.steps) once.take(step);
        for (const step of session.steps) twice.take(step);
        expect(rows(once)).toEqual(rows(twice));
      },
      story,
    );
  });

  test("I-38: a session is what it is, whoever else is told something between its messages", () => {
    holds(
      FILE,
      300,
      sessions(40),
      (session) => {
        const alone = new SessionRun({ policy: { cascade: session.policy } });
        for (const step of session.steps) alone.take(step);
        const policy = { cascade: session.policy };
        const beside = new SessionRun({ policy });
        const other = new SessionRun({ policy, session: "s2" as SessionId, layer: beside.layer });
        for (const step of session.steps) {
          beside.take(step);
          if ("hear" in step && isItsOwn(step.hear)) other.hear(step.hear, step.channel);
        }
        expect(rows(beside)).toEqual(rows(alone));
      },
      story,
    );
  });
});
