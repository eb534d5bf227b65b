// Assigning
// Who is asked to answer an approval, against a model that keeps the last name; and next to an engine that is told the same
// without any assignment.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { ApprovalContext, ApprovalId, SessionId } from "../../../machines/index.ts";
import { keys } from "../../../runtime/rows/keys.ts";
import { DAY_MS, MINUTE_MS, Rig, WORKSPACE } from "../../support/engine/rig.ts";
import { verified } from "../../support/engine/verifying.ts";
import { holdsLater } from "../../support/properties/property.ts";
import { approvalIn } from "../../support/rules/ruled.ts";
import { call, said } from "../../support/sessions/said.ts";

const FILE = "test/runtime/turn/assigning.test.ts";

type Step =
  | { readonly is: "assign"; readonly to: string | undefined; readonly by: string }
  | { readonly is: "deny" | "kill" }
  | { readonly is: "wait"; readonly min: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      is: fc.constant("assign" as const),
      to: fc.constantFrom("ann", "ben", "\u202e<b>zoe", undefined),
      by: fc.constantFrom("http:ann", "local:ben"),
    }),
  },
  { weight: 1, arbitrary: fc.record({ is: fc.constantFrom("deny" as const, "kill" as const) }) },
  {
    weight: 2,
    arbitrary: fc.record({ is: fc.constant("wait" as const), min: fc.integer({ min: 1, max: 20 }) }),
  },
);

const assign = (rig: Rig, { to, by }: { to?: string | undefined; by: string }, id = "a1", session = "s1") =>
  rig.engine.own(
    WORKSPACE,
    session as SessionId,
    {
      ...{ type: "assigned", approvalId: id as ApprovalId, by },
      ...(to !== undefined && { to }),
    } as const,
  );
const deny = (rig: Rig) =>
  rig.engine.own(
    WORKSPACE,
    "s1" as SessionId,
    {
      ...{ type: "decision", approvalId: "a1" as ApprovalId, decision: "deny", by: "local:zoe" },
    } as const,
  );

/** An engine that waits for an answer, and denies after half an hour. */
async function waiting(): Promise<Rig> {
  const rig = await Rig.start();
  const ref = call("c1", "Bash", { command: "make" });
  const deadlineAt = rig.clock.now() + 30 * MINUTE_MS;
  await rig.tell("s1", said.announced(ref), said.ask("a1", ref, { deadlineAt, onDeadline: "deny" }));
  return rig;
}

/** What no assignment may change: all of the approval but its own field, and every deadline there is. */
function othersOf(rig: Rig) {
  const { assigned: _, updatedAt: _at, ...rest } = approvalIn(rig, "a1") as ApprovalContext;
  return { rest, alarms: rig.rows("alarm/") };
}

describe("assigning an approval", () => {
  test("APPROVAL-4: the newest one stays through crashes until the answer, a late one is told so, nothing else differs, and a replay leads to the same", async () => {
    await holdsLater(FILE, 60, fc.array(step, { maxLength: 14 }), async (steps) => {
      let [rig, plain] = [await waiting(), await waiting()];
      let model: object | undefined;
      for (const each of steps) {
        const isOver = approvalIn(rig, "a1")?.state !== "pending";
        if (each.is === "assign") {
          const { answers, at, outcome } = await assign(rig, each);
          const state = approvalIn(rig, "a1")?.state;
          const reason = `already ${String(state)}`;
          expect([outcome, answers]).toMatchObject([
            "applied",
            [isOver ? { result: "ignored", state, reason } : { result: "accepted", state: "pending" }],
          ]);
          if (!isOver) model = each.to === undefined ? undefined : { to: each.to, by: each.by, at };
        } else if (each.is === "deny") for (const one of [rig, plain]) await deny(one);
        else if (each.is === "wait")
          for (const one of [rig, plain]) await one.pass(each.min * MINUTE_MS, MINUTE_MS);
        else {
          for (const one of [rig, plain]) one.kill();
          [rig, plain] = [await rig.restart(), await plain.restart()];
        }
        expect(approvalIn(rig, "a1")?.assigned).toEqual(model);
        expect(othersOf(rig)).toEqual(othersOf(plain));
      }
      for (const one of [rig, plain]) await one.pass(2 * DAY_MS, DAY_MS / 4);
      expect(rig.rows(keys.actors).size).toBe(plain.rows(keys.actors).size);
      expect([rig.fatals, rig.defects]).toEqual([[], []]);
      expect((await verified(rig.disk)).differences).toEqual([]);
    });
  });

  test("APPROVAL-4, ROWS-CHANGES-1: followers hear of each, and of nothing where it takes back what is not there or comes too late", async () => {
    const rig = await waiting();
    const heard = async (to?: string) => {
      const before = rig.changes.length;
      await assign(rig, { to, by: "local:ben" });
      return rig.changes
        .slice(before)
        .map(({ entity, to: state, view }) => [
          entity,
          state,
          (view as { assigned?: { to: string } }).assigned?.to,
        ]);
    };
    expect(await heard()).toEqual([]);
    expect(await heard("ann")).toEqual([["approval", "annotated", "ann"]]);
    expect(await heard("zoe")).toEqual([["approval", "annotated", "zoe"]]);
    expect(await heard()).toEqual([["approval", "annotated", undefined]]);
    await deny(rig);
    expect(await heard("ann")).toEqual([]);
  });

  test("APPROVAL-4: one to an approval, or a session, that is not there is rejected, and makes no session", async () => {
    const rig = await waiting();
    const before = rig.rows(keys.actors).size;
    for (const session of ["s1", "s2"])
      expect(await assign(rig, { to: "ann", by: "local:ben" }, "a9", session)).toMatchObject({
        outcome: "rejected",
      });
    expect(rig.rows(keys.actors).size).toBe(before);
  });
});
