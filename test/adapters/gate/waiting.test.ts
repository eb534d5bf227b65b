// Waiting at the gate
// From an approval to its end, whatever the engine does: nothing but an answer that says so allows.

import { test as property, fc } from "@fast-check/vitest";
import { describe, expect, it } from "vitest";
import { printed } from "../../../adapters/claude-code/gate/printed.ts";
import { waitForAnswer } from "../../../adapters/gate/index.ts";
import { type Heard, heard, type Told } from "../../../adapters/gate/line.ts";
import { toolInput } from "../../../runtime/canonical.ts";
import { nearHashes } from "../../support/engine/near-hashes.ts";

const { hash: HASH } = toolInput({ command: "make" });
const told = (told: Partial<Told> = {}): Heard => ({ type: "told", told: { state: "pending", ...told } });
const ALLOWED = told({ state: "approved", decision: "allow", inputHash: HASH });
const AWAY: Heard = { type: "away" };

/** Each answer and how long it takes, ms; the last one again and again. */
type Says = readonly (readonly [heard: Heard, ms: number])[];

async function played(asks: Says, answers: Says, closed: "ask" | "deny" = "ask", deadline = 60_000) {
  let [now, asked, polled] = [0, 0, 0];
  const say = ([heard, ms]: readonly [Heard, number] = [AWAY, 10], withinMs: number): Promise<Heard> => {
    now += Math.min(ms, withinMs);
    return Promise.resolve(ms > withinMs ? AWAY : heard);
  };
  const end = await waitForAnswer({
    engine: {
      ask: (_, withinMs) => say(asks[Math.min(asked++, asks.length - 1)], withinMs),
      answer: (_, withinMs) => say(answers[Math.min(polled++, answers.length - 1)], withinMs),
    },
    inputHash: HASH,
    closed,
    deadline,
    now: () => now,
    sleep(ms) {
      now += ms;
      return Promise.resolve();
    },
  });
  return { ...end, now, asked };
}

describe("GATE-WAITING-1: waiting for an answer", () => {
  it("GATE-WAITING-1: not acknowledged within two seconds, however often it was tried: the closed answer", async () => {
    for (const asks of [[[AWAY, 5]], [[AWAY, 60_000]], [[told(), 2_500]]] as readonly Says[]) {
      const { verdict, isLocal, now } = await played(asks, [[ALLOWED, 1]]);
      expect([verdict.type, isLocal, now]).toEqual(["ask", true, 2_000]);
    }
    expect((await played([[AWAY, 5]], [], "deny")).verdict.type).toBe("deny-closed");
  });

  it("GATE-WAITING-4: an engine that took it may say that it is closed as denied; whatever comes then, it is", async () => {
    const closed = told({ closed: "deny" });
    const ends: readonly Says[] = [[[AWAY, 60_000]], [[told(), 20_000]], [[told({ state: "expired" }), 5]]];
    for (const answers of ends) {
      expect(
        (
          await played(
            [
              [closed, 5],
              [AWAY, 60_000],
            ],
            answers,
          )
        ).verdict.type,
      ).toBe("deny-closed");
      expect(
        (
          await played(
            [
              [told(), 5],
              [AWAY, 60_000],
            ],
            answers,
          )
        ).verdict.type,
      ).toBe("ask");
    }
    const late: Says = [
      [closed, 5],
      [AWAY, 60_000],
    ];
    expect(
      (
        await played(
          [
            [told(), 5],
            [AWAY, 60_000],
          ],
          late,
        )
      ).verdict.type,
    ).toBe("deny-closed");
  });

  it("GATE-WAITING-1: acknowledged, it waits through lost connections, forgotten approvals and silence, and then obeys", async () => {
    const answers: Says = [
      [told(), 20_000],
      [AWAY, 5],
      [{ type: "unknown" }, 5],
      [told(), 20_000],
      [ALLOWED, 5],
    ];
    const asks: Says = [
      [told(), 20],
      [AWAY, 5],
      [AWAY, 5],
      [told(), 20],
    ];
    expect(await played(asks, answers)).toMatchObject({ verdict: { type: "allow" }, isLocal: false });
  });

  it("GATE-WAITING-1: unanswered at its deadline: the closed answer, and never later", async () => {
    for (const answers of [[[told(), 20_000]], [[AWAY, 5]], [[told(), 1e9]]] as readonly Says[]) {
      const { verdict, isLocal, now } = await played([[told(), 20]], answers, "deny");
      expect([verdict.type, isLocal]).toEqual(["deny-closed", true]);
      expect(now).toBeLessThanOrEqual(60_000);
    }
  });

  it("GATE-WAITING-2: an approval that is over without a decision, or refused, is closed; the engine knows of the first", async () => {
    for (const state of ["expired", "withdrawn", "approved", "no such state"]) {
      const { verdict, isLocal } = await played([[told(), 1]], [[told({ state }), 1]]);
      expect([state, verdict.type, isLocal]).toEqual([state, "ask", false]);
    }
    const refused: Heard = { type: "refused", why: "the engine refused it (401)" };
    expect(await played([[refused, 1]], [])).toMatchObject({ verdict: { type: "ask" }, isLocal: true });
    expect(await played([[told(), 1]], [[refused, 1]])).toMatchObject({ isLocal: true });
  });

  it("I-39: an allow for another input, however near its hash, or for none, allows nothing", async () => {
    for (const inputHash of [undefined, ...nearHashes(HASH)]) {
      const answer = told({
        state: "approved",
        decision: "allow",
        ...(inputHash !== undefined && { inputHash }),
      });
      expect((await played([[told(), 1]], [[answer, 1]])).verdict.type).toBe("ask");
    }
  });

  const anyTold = fc.record(
    {
      state: fc.constantFrom("pending", "approved", "denied", "expired", "withdrawn", "x"),
      decision: fc.constantFrom("allow" as const, "deny" as const),
      inputHash: fc.constantFrom(HASH, ...nearHashes(HASH)),
      message: fc.string(),
      interrupt: fc.boolean(),
    },
    { requiredKeys: ["state"] },
  );
  const anyHeard: fc.Arbitrary<Heard> = fc.oneof(
    anyTold.map((each): Heard => ({ type: "told", told: each })),
    fc.constantFrom<Heard>(AWAY, { type: "unknown" }, { type: "refused", why: "no" }),
  );
  const says = fc.array(fc.tuple(anyHeard, fc.integer({ min: 1, max: 40_000 })), { maxLength: 8 });

  property.prop([says, says, fc.constantFrom("ask" as const, "deny" as const)])(
    "GATE-WAITING-2: whatever the engine says, only an allow for this input allows, and it ends in time",
    async (asks, answers, closed) => {
      const { verdict, now } = await played(asks, [...answers, [AWAY, 10]] as unknown as Says, closed);
      const isAllowed = [...asks, ...answers].some(
        ([each]) =>
          each.type === "told" &&
          each.told.decision === "allow" &&
          each.told.inputHash === HASH &&
          each.told.state !== "pending",
      );
      if (verdict.type === "allow") expect(isAllowed).toBe(true);
      expect(now).toBeLessThanOrEqual(60_000);
      const text = printed("PermissionRequest", verdict) + printed("PreToolUse", verdict);
      expect(text.includes('"allow"')).toBe(verdict.type === "allow");
    },
  );

  property.prop([fc.integer({ min: 100, max: 599 }), fc.oneof(fc.string(), fc.json())])(
    "GATE-LINE-1: no answer of any status or body is taken for one but a whole one",
    (status, text) => {
      const said = heard(status, text, "g1");
      if (said.type === "told") expect([status, typeof said.told.state]).toEqual([200, "string"]);
    },
  );

  it("GATE-LINE-1: an answer that speaks of another approval is none, whatever it says", () => {
    const yes = { approvalId: "g1", state: "approved", decision: "allow", inputHash: "h" };
    expect(heard(200, JSON.stringify(yes), "g1")).toEqual({ type: "told", told: yes });
    for (const approvalId of ["g2", "", undefined, null, 1])
      expect(heard(200, JSON.stringify({ ...yes, approvalId }), "g1")).toEqual({ type: "away" });
  });
});

describe("GATE-WAITING-5: what is printed", () => {
  const of = (event: "PermissionRequest" | "PreToolUse", verdict: Parameters<typeof printed>[1]): unknown => {
    const text = printed(event, verdict);
    return text === "" ? "" : (JSON.parse(text) as { hookSpecificOutput: unknown }).hookSpecificOutput;
  };

  it("GATE-WAITING-5: each end, as the client wants it for each of the two hooks", () => {
    const name = { hookEventName: "PermissionRequest" };
    expect(of("PermissionRequest", { type: "allow", updatedInput: { a: 1 } })).toEqual({
      ...name,
      decision: { behavior: "allow", updatedInput: { a: 1 } },
    });
    expect(of("PermissionRequest", { type: "deny", message: "no", interrupt: true })).toEqual({
      ...name,
      decision: { behavior: "deny", message: "no", interrupt: true },
    });
    expect(of("PermissionRequest", { type: "deny-closed", why: "late" })).toEqual({
      ...name,
      decision: { behavior: "deny", message: "late" },
    });
    expect(of("PermissionRequest", { type: "ask", why: "late" })).toBe("");
    const decisions = (
      [
        { type: "allow" },
        { type: "deny", message: "no", interrupt: true },
        { type: "deny-closed", why: "late" },
        { type: "ask", why: "late" },
      ] as const
    ).map((verdict) => of("PreToolUse", verdict));
    expect(decisions).toEqual([
      { hookEventName: "PreToolUse", permissionDecision: "allow" },
      { hookEventName: "PreToolUse", permissionDecision: "deny", permissionDecisionReason: "no" },
      { hookEventName: "PreToolUse", permissionDecision: "deny", permissionDecisionReason: "late" },
      { hookEventName: "PreToolUse", permissionDecision: "ask", permissionDecisionReason: "late" },
    ]);
  });
});
