// Sharing
// An approval's id that comes again, and several questions that share one answer.

import { describe, expect, test } from "vitest";
import { type ApprovalId, type CallRef, type Input, parseAddress } from "../../../../machines/index.ts";
import { approvalOf, scene } from "../../../../machines/routing/scene.ts";
import { digestId } from "../../../../runtime/foreign-id.ts";
import { announced, asked, call, decided, none } from "../../../support/sessions/asking.ts";
import { sessions, UNSEEN } from "../../../support/sessions/generate.ts";
import { holds } from "../../../support/properties/property.ts";
import { type Session, story } from "../../../support/sessions/script.ts";
import { SessionRun } from "../../../support/sessions/session-run.ts";

const FILE = "test/machines/routing/approvals/sharing.test.ts";
const reused = (id: string, ...facts: readonly string[]): string =>
  `the id ${id} was used for another call; what differs: ${facts.join(", ")}`;
const REF: CallRef = call("ls", "t1");
const FIRST = { ...asked(REF, "gateway", "g1"), promptId: "p1", agentId: "a1" } as Input;

describe("an id that comes again", () => {
  test.each<[string, object]>([
    ["run", { promptId: "p2" }],
    ["agent", { agentId: "a2" }],
    ["call", { call: call("ls", "t2") }],
    ["tool", { call: { ...REF, tool: "Zsh" } }],
    ["input", { call: call("rm -rf /", "t1") }],
  ])("I-53, ASKED-ABOUT-1: for another %s changes nothing", (fact, other) => {
    const run = none().tell(FIRST);
    expect(run.hear({ ...FIRST, ...other }).rejection).toBe(reused("g1", fact));
    expect(run.approvals.map(({ context }) => context.channels)).toEqual([["gateway"]]);
    run.tell(decided("g1", "approve", "ls"));
    expect(run.hear({ ...FIRST, ...other }).rejection).toBe(reused("g1", fact));
  });

  test("I-53, ASKED-ABOUT-1: what is left out, or named only now, is something else", () => {
    const bare = asked({ tool: "Bash", input: call("ls").input ?? fail() }, "gateway", "g1");
    expect(none().tell(FIRST).hear(bare).rejection).toBe(reused("g1", "run", "agent", "call"));
    expect(none().tell(bare).hear(FIRST).rejection).toBe(reused("g1", "run", "agent", "call"));
  });

  test("ASKED-ABOUT-2: is told what differs, and nothing of what was asked", () => {
    const run = none().tell(asked(call("cat /etc/secret"), "gateway", "g1"));
    const { rejection } = run.hear(asked(call("ls"), "gateway", "g1"));
    expect(rejection).toBe(reused("g1", "input"));
    expect(rejection).not.toContain(call("cat /etc/secret").input?.hash);
  });

  test("I-53: with everything equal tells nobody anything new, answered or not", () => {
    const run = none().tell(FIRST);
    expect(run.hear(FIRST).changes).toEqual([]);
    run.tell(decided("g1", "approve", "ls"));
    expect(run.hear(FIRST)).toMatchObject({ changes: [], answers: [] });
  });

  test("I-53, S3.22: as a second id it stands for what it was used for, not for what the first one was", () => {
    const run = none().tell(announced(REF), asked(call("ls"), "hook", "h1"), asked(REF, "sdk", "g1"));
    expect(run.approvals.map(({ context }) => context.aliases)).toEqual([["g1"]]);
    expect(run.hear(asked(call("ls"), "sdk", "g1")).rejection).toBe(reused("g1", "call"));
    expect(run.hear(asked(REF, "hook", "h1")).rejection).toBe(reused("h1", "call"));
    run.tell(asked(REF, "sdk", "g1"), asked(call("ls"), "hook", "h1"));
  });

  test("I-53: that the engine made stands for the tool and the input it was made for", () => {
    const run = none().tell(asked(call("ls")));
    const [{ id } = { id: "" }] = run.approvals;
    expect(run.hear(asked(call("rm -rf /"), "gateway", id)).rejection).toBe(reused(id, "input"));
    run.tell(asked(call("ls"), "gateway", id));
  });
});

describe("a question about a call that is being asked about", () => {
  test("I-53: shares no answer to another input or tool, under whatever id", () => {
    const run = none().tell(announced(REF), asked(REF, "hook", "h1"));
    const why = "the call is being asked about already; what differs: ";
    expect(run.hear(asked(call("rm -rf /", "t1"), "sdk", "g1")).rejection).toBe(`${why}input`);
    expect(run.hear(asked(call("ls", "t1", "Zsh"), "sdk")).rejection).toBe(`${why}tool`);
    run.tell(decided("h1", "approve", "ls"));
    // It is a question of its own once the first one is answered.
    run.tell(asked(call("rm -rf /", "t1"), "sdk", "g1"));
    expect(run.approvals.map(({ state }) => state)).toEqual(["approved", "pending"]);
  });
});

test("I-53: in any session, whoever is not turned away is shown as he asks, and as he asked before", () => {
  let again = 0;
  let refused = 0;
  const claim = ({ policy, steps }: Session): void => {
    const run = new SessionRun({ policy: { cascade: policy } });
    const first = new Map<string, string>();
    for (const step of steps) {
      const input = run.inputOf(step);
      const heard = run.take(step);
      if (input?.type !== "approval.requested" || input.approvalId === undefined) continue;
      refused += heard?.rejection?.includes("what differs") ? 1 : 0;
      if (heard?.rejection !== undefined) continue;
      const { approvalId, call: ref, agentId, parentToolUseId, promptId } = input;
      const whole = JSON.stringify([ref, agentId ?? parentToolUseId, promptId]);
      again += first.has(approvalId) ? 1 : 0;
      expect(whole).toBe(first.get(approvalId) ?? whole);
      first.set(approvalId, whole);
      const { tool, input: shown } = shownUnder(run, approvalId);
      expect([tool, shown?.hash]).toEqual([ref.tool, ref.input?.hash]);
    }
  };
  holds(FILE, 150, sessions(40, { ...UNSEEN, ask: 60, repeat: 12 }), claim, story);
  expect([again > 20, refused > 100]).toEqual([true, true]);
});

function shownUnder(run: SessionRun, asked: ApprovalId) {
  const { session: sessionId } = parseAddress(run.home);
  const { records, at, policy } = run;
  const stage = scene({ records, sessionId, at, channel: "test", policy, digest: digestId });
  const id = approvalOf(stage, asked);
  return run.approvals.find((each) => each.id === id)?.context ?? fail();
}

function fail(): never {
  throw new Error("There is no such approval.");
}
