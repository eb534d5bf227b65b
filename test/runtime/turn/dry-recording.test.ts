// Dry recording
// What a dry rule counts: what it would have answered, and what a person answered instead.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { ApprovalId, DryRecord, RuleTerms, SessionId } from "../../../machines/index.ts";
import { ENGINE } from "../../../runtime/message.ts";
import type { Reply } from "../../../runtime/turn/turn-result.ts";
import { HOUR_MS, Rig, WORKSPACE } from "../../support/engine/rig.ts";
import { holdsLater } from "../../support/properties/property.ts";
import { addRule, approvalIn, askFor, fateOf, ruleFor } from "../../support/rules/ruled.ts";
import { glob } from "../../support/rules/terms.ts";
import { said } from "../../support/sessions/said.ts";

const FILE = "test/runtime/turn/dry-recording.test.ts";
const NEVER: RuleTerms = { effect: "deny", tool: "Never" };

type Answer = "approve" | "deny" | "none";
interface Asked {
  readonly command: string;
  readonly answer: Answer;
}

const asked = fc.array(
  fc.record({
    command: fc.constantFrom("git status", "git status -s", "npm test", "rm -rf x", "git push"),
    answer: fc.constantFrom<Answer>("approve", "deny", "none"),
  }),
  { minLength: 1, maxLength: 20 },
);
const terms = fc.constantFrom<RuleTerms>(
  glob("allow", "git status *"),
  glob("allow", "npm test *"),
  glob("deny", "rm *"),
  glob("deny", "git *"),
  glob("ask", "git push *"),
);
const real = fc.array(terms, { maxLength: 3 });
const candidate = terms.filter(({ effect }) => effect !== "ask");

const decide = (rig: Rig, id: string, decision: "approve" | "deny"): Promise<Reply> =>
  rig.engine.own(WORKSPACE, "s1" as SessionId, {
    type: "decision",
    approvalId: id as ApprovalId,
    decision,
    ...(decision === "approve" && { inputHash: approvalIn(rig, id)?.input?.hash ?? "" }),
    by: "local:ann",
  });

const enforce = (rig: Rig, id: string): Promise<Reply> =>
  rig.engine.own(WORKSPACE, ENGINE.session, { type: "rule.enforced", id, by: "local:bob" });

/** A person answers what no rule does. @returns what became of each. */
async function played(rig: Rig, all: readonly Asked[]): Promise<readonly string[]> {
  for (const [n, { command, answer }] of all.entries()) {
    // A denial ends what else its request asks for.
    await rig.tell("s1", said.prompt(`p${n}`));
    await askFor(rig, `a${n}`, command);
    if (answer !== "none" && approvalIn(rig, `a${n}`)?.state === "pending")
      await decide(rig, `a${n}`, answer);
  }
  return all.map((_, n) => fateOf(rig, `a${n}`));
}

const recordOf = (rig: Rig, id: string): DryRecord | undefined =>
  (rig.row(`rule/w/${id.slice(2).padStart(16, "0")}`) as { record?: DryRecord }).record;

async function engineWith(rules: readonly RuleTerms[], last: RuleTerms): Promise<{ rig: Rig; id: string }> {
  const rig = await Rig.start();
  for (const rule of rules) await ruleFor(rig, rule);
  return { rig, id: await ruleFor(rig, last) };
}

describe("a dry rule", () => {
  test("RULING-8, DRY-RECORDING-1, DRY-RECORDING-2: answers nothing, and counts what the rule answers where it is real", async () => {
    await holdsLater(FILE, 25, fc.tuple(real, candidate, asked), async ([rules, rule, all]) => {
      const dry = await engineWith(rules, { ...rule, dry: true });
      const none = await engineWith(rules, NEVER);
      const whole = await engineWith(rules, rule);
      const fates = await played(dry.rig, all);
      expect(fates).toEqual(await played(none.rig, all));
      const would = await played(whole.rig, all);
      const people = fates.flatMap((fate, n) =>
        fate.endsWith(" local:ann") ? [[fate, would[n] ?? ""]] : [],
      );
      const answered = people.filter(([, other]) => other?.endsWith(` rule:${whole.id}`));
      const verdict = (fate = ""): string => fate.split(" ")[0] ?? "";
      const contradicted = answered.filter(([fate, other]) => verdict(fate) !== verdict(other));
      expect(recordOf(dry.rig, dry.id) ?? { asked: 0, answered: 0, contradicted: 0 }).toEqual({
        asked: people.length,
        answered: answered.length,
        contradicted: contradicted.length,
      });
      for (const { rig } of [dry, none, whole]) await rig.engine.stop();
    });
  });

  test("DRY-RECORDING-1: counts as far as its uses and its time go, and nothing that was asked before it was made", async () => {
    const rig = await Rig.start();
    await rig.tell("s1", said.prompt("p1"));
    await askFor(rig, "before", "git status");
    rig.clock.advance(1);
    const few = await ruleFor(rig, glob("allow", "git *", { uses: 2, dry: true }));
    const short = await ruleFor(rig, glob("allow", "git *", { dry: true }), { forMs: HOUR_MS });
    await decide(rig, "before", "approve");
    for (const id of ["a1", "a2", "a3"]) {
      await askFor(rig, id, "git status");
      await decide(rig, id, "approve");
    }
    expect(recordOf(rig, few)).toEqual({ asked: 3, answered: 2, contradicted: 0 });
    await rig.pass(2 * HOUR_MS);
    await askFor(rig, "late", "git status", "s2");
    await rig.engine.own(WORKSPACE, "s2" as SessionId, {
      type: "decision",
      approvalId: "late" as ApprovalId,
      decision: "deny",
      by: "local:ann",
    });
    expect(recordOf(rig, short)).toEqual({ asked: 4, answered: 3, contradicted: 0 });
  });

  test("RULE-MAKING-1: answers what is asked once a person has made it answer, and keeps its record", async () => {
    const rig = await Rig.start();
    const id = await ruleFor(rig, glob("allow", "git *", { dry: true }));
    await askFor(rig, "a1", "git status");
    await decide(rig, "a1", "deny");
    await askFor(rig, "waits", "git status", "s2");
    const { rule } = await enforce(rig, id);
    expect(rule).toMatchObject({
      id,
      record: { asked: 1, answered: 1, contradicted: 1 },
      enforced: { by: "local:bob", at: rig.clock.now() },
    });
    expect(rule).not.toHaveProperty("dry");
    expect(fateOf(rig, "waits", "s2")).toBe("pending");
    await askFor(rig, "a2", "git status", "s3");
    expect(fateOf(rig, "a2", "s3")).toBe(`approved rule:${id}`);
    expect((await enforce(rig, id)).rule).toMatchObject({ used: 1, record: { asked: 1 } });
    expect(await enforce(rig, "r_none")).toMatchObject({ outcome: "rejected", code: "UNKNOWN_RULE" });
  });

  test("RULE-2: is none that asks", async () => {
    const rig = await Rig.start();
    expect(await addRule(rig, glob("ask", "git *", { dry: true }))).toMatchObject({
      outcome: "rejected",
      path: "dry",
    });
  });

  test("G9, DRY-RECORDING-1: an answer counts though a rule's row cannot be read", async () => {
    const rig = await Rig.start();
    const id = await ruleFor(rig, glob("allow", "git *", { dry: true }));
    await askFor(rig, "a1", "npm test");
    await rig.engine.stop();
    rig.disk.rows.set(`rule/w/${id.slice(2).padStart(16, "0")}`, "{");
    const next = await rig.restart();
    await decide(next, "a1", "approve");
    expect(fateOf(next, "a1")).toBe("approved local:ann");
    expect(next.fatals).toEqual([]);
  });
});
