// Invariants
// The theorems over generated sessions, step by step, under each cascade policy.

import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import type { ApprovalId, Decision, SessionId } from "../../machines/index.ts";
import { approvals as approvalBooks } from "../../machines/books.ts";
import { head } from "../../machines/index.ts";
import type { ActorRow } from "../../runtime/rows/actors/actor-rows.ts";
import { decode, encode } from "../../runtime/rows/codec.ts";
import { toolInput } from "../../runtime/canonical.ts";
import { sessions } from "../support/sessions/generate.ts";
import { holds, samples } from "../support/properties/property.ts";
import { type Session, type Step, story } from "../support/sessions/script.ts";
import { type Heard, SessionRun } from "../support/sessions/session-run.ts";
import { momentOf, OF_STATE, OF_STEP } from "../support/properties/theorems.ts";

const FILE = "test/machines/invariants.test.ts";

/** Plays a session; looks on after each step. */
function play(
  { policy, steps }: Session,
  look: (run: SessionRun, heard: Heard, step: Step) => void,
  run = new SessionRun({ policy: { cascade: policy } }),
): SessionRun {
  for (const step of steps) {
    const heard = run.take(step);
    if (heard) look(run, heard, step);
  }
  return run;
}

const statesOf = (run: SessionRun): unknown => [
  run.calls.map(({ state, approval }) => [state, approval]),
  run.requests.map(({ state }) => state),
  run.approvals.map(({ state }) => state),
];

/** One theorem over every message of a session. @throws where it is broken. */
const CLAIMS: Readonly<Record<string, (session: Session) => void>> = {
  ...Object.fromEntries(
    Object.entries(OF_STATE).map(([name, holdsNow]) => [
      name,
      (session: Session) => void play(session, holdsNow),
    ]),
  ),
  ...Object.fromEntries(
    Object.entries(OF_STEP).map(([name, holdsOver]) => [
      name,
      (session: Session): void => {
        const run = new SessionRun({ policy: { cascade: session.policy } });
        let before = momentOf(run);
        const look = (now: SessionRun, heard: Heard): void => {
          const after = momentOf(now);
          holdsOver(before, after, heard);
          before = after;
        };
        play(session, look, run);
      },
    ]),
  ),
};

describe("theorems", () => {
  const broken = new Set<string>();
  let messages = 0;

  // All at once, so that each session is played once; what breaks is tried again alone, for the smallest session.
  beforeAll(() => {
    for (const session of samples(400, sessions(50))) {
      const run = new SessionRun({ policy: { cascade: session.policy } });
      let before = momentOf(run);
      const look = (now: SessionRun, heard: Heard): void => {
        const after = momentOf(now);
        messages += 1;
        for (const [name, holdsNow] of Object.entries(OF_STATE)) note(name, () => holdsNow(now));
        for (const [name, holdsOver] of Object.entries(OF_STEP))
          note(name, () => holdsOver(before, after, heard));
        before = after;
      };
      play(session, look, run);
    }
  });
  const note = (name: string, holdsNow: () => void): void => {
    try {
      holdsNow();
    } catch {
      broken.add(name);
    }
  };

  test.each(Object.entries(CLAIMS))("%s", (name, claim) => {
    if (broken.has(name)) holds(FILE, 400, sessions(50), claim, story);
    expect([...broken]).not.toContain(name);
  });

  test("I-01, I-02, I-03, I-04, I-07, I-10, I-12, I-13, I-15, I-17, I-44, C2, C4, R2: each was tried on thousands of messages", () => {
    expect(messages).toBeGreaterThan(5_000);
  });
});

describe("decisions", () => {
  const isDecision = (step: Step): boolean =>
    "decide" in step || ("hear" in step && step.hear.type === "decision");

  test("I-14, I-41: each decision, early or not, is one audit row and one answer in its own turn; a question has one that counts, the first", () => {
    let effective = 0;
    let early = 0;
    const claim = (session: Session): void => {
      const counted = new Set<string>();
      const look = (_: SessionRun, { audits = [], answers = [], rejection }: Heard, step: Step): void => {
        // What became of a denial is a row of its own, which may come at once (I-41).
        const rows = audits.filter(({ kind }) => /^(?:early-|ignored-)?decision$/.test(kind));
        if (isDecision(step)) expect([rejection, rows.length, answers.length]).toEqual([undefined, 1, 1]);
        for (const { kind, approvalId = "" } of rows.filter(({ kind: is }) => is === "decision")) {
          expect(counted, kind).not.toContain(approvalId);
          counted.add(approvalId);
        }
        early += answers.filter(({ result }) => result === "early").length;
        effective += answers.filter(({ result }) => result === "accepted").length;
      };
      play(session, look);
    };
    holds(FILE, 200, sessions(40), claim, story);
    expect(effective).toBeGreaterThan(30);
    expect(early).toBeGreaterThan(10);
  });

  test("I-08: a question is approved by a decision only with the hash of the input that was shown", () => {
    const claim = (session: Session): void => {
      let before = new Map<string, string>();
      const look = (run: SessionRun, _: Heard, step: Step): void => {
        for (const { id, state } of run.approvals) {
          const wasApproved = before.get(id) !== "approved" && state === "approved";
          if (wasApproved && "decide" in step)
            expect([step.decision, step.hash]).toEqual(["approve", "shown"]);
        }
        before = new Map(run.approvals.map(({ id, state }) => [id, state]));
      };
      play(session, look);
    };
    holds(FILE, 200, sessions(40), claim, story);
  });

  test("I-40: an approve altered in its question, its hash or its session changes no state", () => {
    let tried = 0;
    const claim = (session: Session): void => {
      const run = play(session, () => undefined);
      const [question] = run.approvals.filter(({ state }) => state === "pending");
      if (!question) return;
      tried += 1;
      const right: Decision = {
        type: "decision",
        approvalId: question.context.id,
        decision: "approve",
        by: "local:ann",
        inputHash: question.context.input?.hash ?? "",
      };
      const { inputHash: _, ...unseen } = right;
      const elsewhere = new SessionRun({ session: "s2" as SessionId, layer: run.layer });
      const before = JSON.stringify(statesOf(run));
      for (const altered of [
        { ...right, approvalId: "a_other" as ApprovalId },
        { ...right, inputHash: toolInput({ n: "another" }).hash },
        unseen,
      ]) {
        run.hear(altered, "own");
        expect(JSON.stringify(statesOf(run)), JSON.stringify(altered)).toBe(before);
      }
      elsewhere.hear(right, "own");
      expect(JSON.stringify(statesOf(run)), "in another session").toBe(before);
      run.hear(right, "own");
      expect(run.approvals.find(({ id }) => id === question.id)?.state).toBe("approved");
    };
    holds(FILE, 150, sessions(30), claim, story);
    expect(tried).toBeGreaterThan(30);
  });
});

describe("foreign input", () => {
  const hostile = fc.oneof(
    fc.json().map((text) => JSON.parse(text) as unknown),
    fc.constantFrom<unknown>(
      JSON.parse('{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}'),
      { xstate$$type: 1, id: "x" },
      { sessionId: "x:0", send: 1, ref: 1 },
      { type: "xstate.stop" },
      "\u202e\u0000\r\n\u2028",
    ),
  );

  test("I-25: what is stored is read back as it was, whatever the tool was given", () => {
    const claim = (value: unknown): void => {
      const input = toolInput(value);
      const run = new SessionRun().tell(
        { type: "tool.started", call: { toolUseId: "t1", tool: "Bash", input } },
        { type: "approval.requested", call: { toolUseId: "t1", tool: "Bash", input }, channel: "hook" },
        { type: "tool.finished", call: { toolUseId: "t1" }, output: input.text },
      );
      for (const [key, row] of run.layer.writes()) {
        if (row === undefined) continue;
        const text = encode(key, row);
        expect(encode(key, decode(key, text))).toBe(text);
        if (key.startsWith("actor/"))
          expect(decode(key, text)).toMatchObject({ snapshot: atRest(row), book: bookOf(row) });
      }
      expect(run.calls[0]?.context.input).toEqual(input);
      expect(JSON.parse(input.text)).toEqual(value);
      expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
    };
    holds(FILE, 300, hostile, claim);
  });

  const atRest = (row: unknown): object => {
    const { value, context } = (row as ActorRow).snapshot;
    return { value, context };
  };
  const bookOf = (row: unknown): unknown => (row as ActorRow).book;
});

describe("bounds", () => {
  test("I-37: 1,024 results wait for their call, and no more; the others are counted", () => {
    const run = new SessionRun();
    for (let n = 0; n < 1_100; n++)
      run.tell({ type: "tool.finished", call: { toolUseId: `t${n}`, tool: "Bash" } });
    const { orphans, dropped } = head(run.records);
    expect([orphans.size, dropped]).toEqual([1_024, 76]);
  });

  test("I-37, I-41: 1,024 decisions wait for their question; those beyond are told so, and drive none of them out", () => {
    const run = new SessionRun();
    const early = (n: number): Decision => ({
      type: "decision",
      approvalId: `g${n}` as ApprovalId,
      decision: "deny",
      by: "local:ann",
    });
    const heard = Array.from({ length: 1_100 }, (_, n) => run.hear(early(n), "own"));
    expect(head(run.records).early.size).toBe(1_024);
    const reason = "too many decisions wait for their approvals";
    expect(heard.at(-1)?.audits).toMatchObject([{ kind: "ignored-decision", approvalId: "g1099", reason }]);
    expect(heard.at(-1)?.answers).toMatchObject([{ approvalId: "g1099", result: "ignored", reason }]);
    const ask = (n: number) =>
      ({
        type: "approval.requested",
        approvalId: `g${n}` as ApprovalId,
        call: { tool: "Bash" },
        channel: "sdk",
      }) as const;
    run.tell(ask(0), ask(1_099));
    expect(run.approvals.map(({ state }) => state)).toEqual(["denied", "pending"]);
    expect(approvalBooks.get(run.records, "g1099" as ApprovalId)?.pending).toBe(true);
  });

  test("I-44: no row of a session grows with its history, but those that list each thing once", () => {
    const run = new SessionRun({ policy: { cascade: "none" } });
    const largest = [200, 2_000].map((size) => {
      for (let n = run.calls.length; n < size; n++) {
        const call = { toolUseId: `t${n}`, tool: "Bash", input: toolInput({ n: n % 3 }) };
        run.tell({ type: "tool.started", call });
        if (n % 2 === 0) run.tell({ type: "approval.requested", call, channel: "hook" });
        if (n % 4 === 0) run.tell({ type: "tool.finished", call, output: "done" });
        if (n % 50 === 0) run.tell({ type: "tool.announced", call, messageId: `m${n}` });
      }
      return Math.max(
        ...[...run.layer.writes()].map(([key, value]) =>
          value === undefined ? 0 : encode(key, value).length,
        ),
      );
    });
    expect(largest[1]).toBeLessThan((largest[0] ?? 0) + 64);
  });
});
