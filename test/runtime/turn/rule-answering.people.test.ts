// Rule answering, people
// Rules that want several people's approval, or some people's alone, against a model that knows only who said yes.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { ApprovalId, RuleTerms, SessionId, SourceInput } from "../../../machines/index.ts";
import { gateAnswer } from "../../../runtime/reading/gate-answer.ts";
import { Queries } from "../../../runtime/reading/queries.ts";
import type { Reply } from "../../../runtime/turn/turn-result.ts";
import { MINUTE_MS, Rig, WORKSPACE } from "../../support/engine/rig.ts";
import { holdsLater } from "../../support/properties/property.ts";
import { addRule, approvalIn, askFor, auditsIn, fateOf, ruleFor } from "../../support/rules/ruled.ts";
import { glob } from "../../support/rules/terms.ts";
import { call, said } from "../../support/sessions/said.ts";

const FILE = "test/runtime/turn/rule-answering.people.test.ts";

const PEOPLE = ["ann", "ben", "cat", "dan"] as const;
const DOORS = ["local", "http", "nats"] as const;

interface Wanted {
  readonly approvals?: number;
  readonly approvers?: readonly { readonly name: string; readonly afterMs?: number }[];
}
interface Saying {
  readonly by: string;
  readonly decision: "approve" | "deny";
  readonly waitMin: number;
  readonly isEdited: boolean;
}

const approvers = fc
  .uniqueArray(fc.constantFrom(...PEOPLE), { minLength: 1, maxLength: 4 })
  .chain(([first = "ann", ...rest]) =>
    fc
      .tuple(
        ...rest.map((name) =>
          fc.option(fc.integer({ min: 1, max: 20 }), { nil: 0 }).map((min) => ({ name, min })),
        ),
      )
      .map((others) => [
        { name: first },
        ...others.map(({ name, min }) => (min === 0 ? { name } : { name, afterMs: min * MINUTE_MS })),
      ]),
  );
const wanted: fc.Arbitrary<Wanted> = fc
  .record({ approvals: fc.integer({ min: 1, max: 3 }), approvers: fc.option(approvers, { nil: undefined }) })
  .filter(({ approvals, approvers: named }) => named === undefined || named.length >= approvals)
  .map(({ approvals, approvers: named }) => ({
    ...(approvals > 1 && { approvals }),
    ...(named && { approvers: named }),
  }));
const saying: fc.Arbitrary<Saying> = fc.record({
  by: fc.oneof(
    {
      weight: 8,
      arbitrary: fc
        .tuple(fc.constantFrom(...DOORS), fc.constantFrom(...PEOPLE))
        .map(([door, name]) => `${door}:${name}`),
    },
    { weight: 1, arbitrary: fc.constantFrom("model", "rule:r_1") },
  ),
  decision: fc.oneof(
    { weight: 7, arbitrary: fc.constant("approve" as const) },
    { weight: 1, arbitrary: fc.constant("deny" as const) },
  ),
  waitMin: fc.integer({ min: 0, max: 8 }),
  isEdited: fc.oneof(
    { weight: 5, arbitrary: fc.constant(false) },
    { weight: 1, arbitrary: fc.constant(true) },
  ),
});
const story = fc.record({
  rules: fc.array(wanted, { minLength: 1, maxLength: 3 }),
  hasDeadline: fc.boolean(),
  requester: fc.constantFrom("http:ann", "local:ben", "nats:service"),
  sayings: fc.array(saying, { minLength: 1, maxLength: 10 }),
});

const asks = (more: Wanted): RuleTerms => glob("ask", "make *", more);

/** Asks as `sender`, who is known by the name of the source. */
const askAs = async (rig: Rig, sender: string, hasDeadline = true): Promise<void> => {
  const ref = call("c1", "Bash", { command: "make all" });
  const deadlineAt = rig.clock.now() + 600 * MINUTE_MS;
  const asked = said.ask("a1", ref, hasDeadline ? { deadlineAt, onDeadline: "ask" } : {});
  await rig.tell("s1", said.announced(ref));
  await (
    await rig.submit("s1", [{ ...asked, sender } as SourceInput])
  ).settled;
};

const say = (rig: Rig, { by, decision, isEdited }: Omit<Saying, "waitMin">): Promise<Reply> =>
  rig.engine.own(WORKSPACE, "s1" as SessionId, {
    type: "decision",
    approvalId: "a1" as ApprovalId,
    decision,
    inputHash: approvalIn(rig, "a1")?.input?.hash ?? "",
    by,
    ...(isEdited &&
      decision === "approve" && { updatedInput: { text: '{"command":"make none"}', hash: "f".repeat(64) } }),
  });

const nameOf = (by: string): string | undefined =>
  by === "model" || by.startsWith("rule:") ? undefined : by.slice(by.indexOf(":") + 1);

/** What the people's words come to: written from the rules' words alone. */
function expected({
  rules,
  requester,
  sayings,
}: {
  rules: readonly Wanted[];
  requester: string;
  sayings: readonly Saying[];
}): string {
  const real = rules.filter(
    ({ approvals, approvers: named }) => approvals !== undefined || named !== undefined,
  );
  const yes = real.map(() => new Set<string>());
  let min = 0;
  for (const { by, decision, waitMin, isEdited } of sayings) {
    min += waitMin;
    if (decision === "deny") return "denied";
    if (real.length === 0) return "approved";
    const name = nameOf(by);
    if (name === undefined || (isEdited && real.some(({ approvals = 1 }) => approvals > 1))) continue;
    for (const [n, { approvals = 1, approvers: named }] of real.entries()) {
      const isOwn = approvals > 1 && name === nameOf(requester);
      const isAsked =
        named?.some((each) => each.name === name && (each.afterMs ?? 0) <= min * MINUTE_MS) ?? true;
      if (!isOwn && isAsked) yes[n]?.add(name);
    }
    if (real.every(({ approvals = 1 }, n) => (yes[n]?.size ?? 0) >= approvals)) return "approved";
  }
  return "pending";
}

describe("an approval that people are to give together", () => {
  test("I-54, VOTES-1, VOTES-2, VOTES-3, VOTES-4, VOTES-5: closes as their words say, whoever came by whichever door", async () => {
    await holdsLater(FILE, 150, story, async (told) => {
      const rig = await Rig.start();
      for (const each of told.rules) await addRule(rig, asks(each));
      await askAs(rig, told.requester, told.hasDeadline);
      for (const each of told.sayings) {
        if (each.waitMin > 0) await rig.pass(each.waitMin * MINUTE_MS);
        await say(rig, each);
      }
      await rig.pass(30 * MINUTE_MS, MINUTE_MS);
      expect(approvalIn(rig, "a1")?.state).toBe(expected(told));
      expect(rig.fatals).toEqual([]);
      expect(rig.defects).toEqual([]);
    });
  });

  test("RULE-ANSWERING-4: is told of all that ask, whichever was made first, in the commit that makes it", async () => {
    const rig = await Rig.start();
    await addRule(rig, glob("ask", "make *"));
    const two = await ruleFor(rig, asks({ approvals: 2 }));
    const ann = await ruleFor(rig, asks({ approvers: [{ name: "ann" }] }));
    await addRule(rig, glob("allow", "make *"));
    const { position } = await askFor(rig, "a1", "make all");
    expect(approvalIn(rig, "a1")).toMatchObject({
      demands: [
        { rule: two, approvals: 2 },
        { rule: ann, approvals: 1, approvers: [{ name: "ann" }] },
      ],
      onDeadline: "deny",
    });
    const changes = rig.changes.filter(({ entity }) => entity === "approval");
    expect(changes.map(({ to, turn }) => [to, turn])).toEqual([
      ["pending", position],
      ["annotated", position],
    ]);
    expect(auditsIn(rig, "rule-asked").map(({ reason }) => reason)).toEqual([
      "a person is to answer",
      "2 people are to answer",
      "a person is to answer: ann",
    ]);
  });

  test("APPROVAL-3, GATE-ANSWER-3: a vote is told, shown and recorded; the last one approves, and the gate hears of that alone", async () => {
    const rig = await Rig.start();
    await addRule(rig, asks({ approvals: 2 }));
    await askAs(rig, "local:dan");
    const view = () => new Queries(rig.engine).getApproval("a1") ?? expect.fail();
    expect(gateAnswer("a1", view())).toMatchObject({ state: "pending", closed: "deny" });
    const first = await say(rig, { by: "http:ann", decision: "approve", isEdited: false });
    expect(first.answers).toMatchObject([{ result: "counted", state: "pending" }]);
    expect(view()).toMatchObject({
      state: "pending",
      demands: [{ approvals: 2, given: 1 }],
      votes: [{ by: "http:ann" }],
    });
    expect(gateAnswer("a1", view())).not.toHaveProperty("decision");
    expect(rig.changes.at(-1)).toMatchObject({ entity: "approval", to: "annotated" });
    const again = await say(rig, { by: "nats:ann", decision: "approve", isEdited: false });
    expect(again.answers).toMatchObject([
      { result: "refused", reason: "you approved it already: somebody else must approve it, too" },
    ]);
    const own = await say(rig, { by: "local:dan", decision: "approve", isEdited: false });
    expect(own.answers).toMatchObject([
      { result: "refused", reason: "whoever requested it cannot approve it: others must" },
    ]);
    await say(rig, { by: "local:ben", decision: "approve", isEdited: false });
    expect(fateOf(rig, "a1")).toBe("approved local:ben");
    expect(gateAnswer("a1", view())).toMatchObject({ decision: "allow" });
    expect(auditsIn(rig, "vote")).toMatchObject([{ by: "http:ann", decision: "approve" }]);
    expect(auditsIn(rig, "ignored-decision")).toHaveLength(2);
  });

  test("VOTES-3: asks the next person when it is their time, and tells followers; not once it is answered", async () => {
    const rig = await Rig.start();
    await addRule(rig, asks({ approvers: [{ name: "ann" }, { name: "ben", afterMs: 10 * MINUTE_MS }] }));
    await askAs(rig, "local:dan");
    const early = await say(rig, { by: "http:ben", decision: "approve", isEdited: false });
    expect(early.answers).toMatchObject([
      { result: "refused", reason: "ann is to approve it; you may later" },
    ]);
    await rig.pass(11 * MINUTE_MS, MINUTE_MS);
    expect(rig.changes.filter(({ entity, to }) => entity === "approval" && to === "annotated")).toHaveLength(
      2,
    );
    await say(rig, { by: "http:ben", decision: "approve", isEdited: false });
    expect(fateOf(rig, "a1")).toBe("approved http:ben");
    expect([...rig.rows("timer/").values()].filter((row) => row.includes("approval"))).toEqual([]);
  });

  test("VOTES-1: who approved for one rule before their time for another may approve again when it has come", async () => {
    const rig = await Rig.start();
    await addRule(rig, asks({ approvals: 2 }));
    await addRule(rig, asks({ approvers: [{ name: "ann" }, { name: "ben", afterMs: 10 * MINUTE_MS }] }));
    await askAs(rig, "local:dan");
    const ben = { by: "http:ben", decision: "approve", isEdited: false } as const;
    await say(rig, ben);
    expect((await say(rig, ben)).answers).toMatchObject([{ result: "refused" }]);
    await say(rig, { ...ben, by: "http:cat" });
    expect(approvalIn(rig, "a1")?.state).toBe("pending");
    await rig.pass(11 * MINUTE_MS, MINUTE_MS);
    await say(rig, ben);
    expect(fateOf(rig, "a1")).toBe("approved http:ben");
  });

  test("DEMANDS-1: closes as denied at its deadline, whatever its asker was set up for, and its call with it", async () => {
    const rig = await Rig.start();
    await addRule(rig, asks({ approvals: 2 }));
    await askAs(rig, "local:dan");
    await say(rig, { by: "http:ann", decision: "approve", isEdited: false });
    await rig.pass(601 * MINUTE_MS);
    expect(fateOf(rig, "a1")).toBe("expired deadline");
    expect(rig.state("s1/call/c1")).toMatchObject({ execution: "denied", approval: "expired" });
  });

  test.each([
    ["while it is pending", undefined],
    ["that one person allowed at the client", "terminal"],
  ])("ALARM-6: a call that ran %s raises an alarm", async (_, by) => {
    const rig = await Rig.start();
    await addRule(rig, asks({ approvals: 2 }));
    await askAs(rig, "local:dan");
    const ref = call("c1", "Bash", { command: "make all" });
    if (by !== undefined)
      await rig.tell("s1", {
        type: "approval.answered",
        approvalId: "a1" as ApprovalId,
        call: ref,
        decision: "approve",
        by,
      });
    await rig.tell("s1", said.post(ref));
    const alarms = rig.changes.filter(({ entity }) => entity === "alarm");
    expect(alarms.map(({ to, cause }) => [to, cause])).toEqual([
      ["unapprovedExecution", { because: "unmet" }],
    ]);
  });

  test("ALARM-6: a call that both approved raises none", async () => {
    const rig = await Rig.start();
    await addRule(rig, asks({ approvals: 2 }));
    await askAs(rig, "local:dan");
    await say(rig, { by: "http:ann", decision: "approve", isEdited: false });
    await say(rig, { by: "http:ben", decision: "approve", isEdited: false });
    await rig.tell("s1", said.post(call("c1", "Bash", { command: "make all" })));
    expect(rig.changes.filter(({ entity }) => entity === "alarm")).toEqual([]);
  });

  test("APPROVAL-3: what was given outlives a killed engine", async () => {
    const rig = await Rig.start();
    await addRule(rig, asks({ approvals: 2 }));
    await askAs(rig, "local:dan");
    await say(rig, { by: "http:ann", decision: "approve", isEdited: false });
    rig.kill();
    const next = await rig.restart();
    const again = await say(next, { by: "http:ann", decision: "approve", isEdited: false });
    expect(again.answers).toMatchObject([{ result: "refused" }]);
    await say(next, { by: "http:ben", decision: "approve", isEdited: false });
    expect(fateOf(next, "a1")).toBe("approved http:ben");
  });
});
