// Policy answering
// What a policy and rules come to together, against a model that knows only what each of them says of a command.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { ApprovalId, RuleTerms, SessionId } from "../../../machines/index.ts";
import type { PolicyEffect, PolicyRuled } from "../../../runtime/policy.ts";
import { HOUR_MS, Rig, WORKSPACE } from "../../support/engine/rig.ts";
import { verified } from "../../support/engine/verifying.ts";
import { holdsLater } from "../../support/properties/property.ts";
import { policyOn, READER, says, TEXT } from "../../support/rules/policies.ts";
import { addRule, approvalIn, askFor, auditsIn, fateOf, ruleFor } from "../../support/rules/ruled.ts";
import { glob } from "../../support/rules/terms.ts";
import { call, said } from "../../support/sessions/said.ts";

const FILE = "test/runtime/turn/policy/policy-answering.test.ts";

/** By hand: may a policy or a rule allow it at all, and does it bear a mark? */
const COMMANDS: Readonly<Record<string, { readonly isPlain: boolean; readonly isMarked: boolean }>> = {
  "git status": { isPlain: true, isMarked: false },
  "git push origin main": { isPlain: true, isMarked: true },
  "npm test": { isPlain: true, isMarked: false },
  "npm test && git status": { isPlain: false, isMarked: false },
  "rm -rf x": { isPlain: true, isMarked: true },
};

type Verdict = PolicyEffect | "fails";

interface Asked {
  readonly command: string;
  readonly verdict: Verdict;
  /** The engine is killed before the policy is asked. */
  readonly isLate: boolean;
}

interface Rule {
  readonly effect: RuleTerms["effect"];
  readonly program: string;
  readonly uses?: number;
  readonly approvals?: number;
}

const program = fc.constantFrom("git", "npm test", "rm");
const rule: fc.Arbitrary<Rule> = fc.oneof(
  fc.record({ effect: fc.constant("allow" as const), program }),
  fc.record({ effect: fc.constant("allow" as const), program, uses: fc.constantFrom(1, 2) }),
  fc.record({ effect: fc.constantFrom("deny" as const, "ask" as const), program }),
  fc.record({ effect: fc.constant("ask" as const), program, approvals: fc.constant(2) }),
);
const story = fc.record({
  rules: fc.array(rule, { maxLength: 3 }),
  all: fc.array(
    fc.record({
      command: fc.constantFrom(...Object.keys(COMMANDS)),
      verdict: fc.constantFrom<Verdict>("permit", "permit", "forbid", "ask", "none", "fails"),
      isLate: fc.oneof(
        { weight: 4, arbitrary: fc.constant(false) },
        { weight: 1, arbitrary: fc.constant(true) },
      ),
    }),
    { minLength: 1, maxLength: 9 },
  ),
});

/** Written from the words of the decision alone: deny beats ask beats allow. */
function expected({ rules, all }: { rules: readonly Rule[]; all: readonly Asked[] }): readonly string[] {
  const left = rules.map(({ uses = Infinity }) => uses);
  return all.map(({ command, verdict }) => {
    const parts = command.split(" && ");
    const { isPlain = false, isMarked = true } = COMMANDS[command] ?? {};
    const about = [...rules.entries()].filter(([, each]) =>
      parts.some((part) => part.startsWith(each.program)),
    );
    const effects = about.map(([, { effect }]) => effect);
    if (effects.includes("deny")) return "denied rule";
    if (verdict === "forbid") return "denied policy";
    if (effects.includes("ask") || verdict === "ask" || verdict === "fails") return "pending";
    const [allowing] = isPlain ? about.filter(([n]) => (left[n] ?? 0) > 0) : [];
    if (allowing) {
      const [n] = allowing;
      left[n] = (left[n] ?? 0) - 1;
      return "approved rule";
    }
    return verdict === "permit" && isPlain && !isMarked ? "approved policy" : "pending";
  });
}

const saidOf = (verdict: () => Verdict) => (): ReturnType<typeof says> => {
  const now = verdict();
  if (now === "fails") throw new Error("the reader fails");
  return says(now);
};

const termsOf = ({ effect, program: name, ...more }: Rule): RuleTerms => glob(effect, `${name} *`, more);

describe("a policy beside rules", () => {
  test("POLICY-ANSWERING-1, POLICY-ANSWERING-2, POLICY-SIDE-4: the most restrictive wins, also after a kill, and a replay without the policy's reader agrees", async () => {
    await holdsLater(FILE, 120, story, async (told) => {
      let verdict: Verdict = "none";
      let rig = await Rig.start();
      const decide = saidOf(() => verdict);
      let side = await policyOn(rig, decide);
      for (const each of told.rules) await ruleFor(rig, termsOf(each));
      for (const [n, each] of told.all.entries()) {
        verdict = each.verdict;
        if (each.isLate) side.stop();
        // A denial ends what else its session asks for.
        await askFor(rig, `a${n}`, each.command, `s${n}`);
        if (each.isLate) {
          rig.kill();
          rig = await rig.restart();
          side = await policyOn(rig, decide, { wanted: undefined });
        }
        await rig.quiet();
      }
      const fates = told.all.map((_, n) => fateOf(rig, `a${n}`, `s${n}`).split(":")[0]);
      expect(fates).toEqual(expected(told));
      expect(rig.rows("unruled/").size).toBe(0);
      const { differences, rows } = await verified(rig.disk);
      expect([differences, rows.differences]).toEqual([[], []]);
      expect(rig.fatals).toEqual([]);
    });
  });

  test("POLICY-ANSWERING-1: what a policy permits still needs the people that a rule asks for", async () => {
    const rig = await Rig.start();
    await policyOn(rig, () => says("permit"));
    await addRule(rig, glob("ask", "make *", { approvals: 2 }));
    await askFor(rig, "a1", "make all");
    await rig.quiet();
    const say = (by: string) =>
      rig.engine.own(WORKSPACE, "s1" as SessionId, {
        type: "decision",
        approvalId: "a1" as ApprovalId,
        decision: "approve",
        inputHash: approvalIn(rig, "a1")?.input?.hash ?? "",
        by,
      });
    await say("policy:p");
    await say("http:ann");
    expect(approvalIn(rig, "a1")?.state).toBe("pending");
    await say("http:ben");
    expect(fateOf(rig, "a1")).toBe("approved http:ben");
  });

  test("POLICY-ANSWERING-1: what a rule asked stays asked, though that rule has ended before the verdict", async () => {
    const rig = await Rig.start();
    const side = await policyOn(rig, () => says("permit"));
    side.stop();
    await ruleFor(rig, glob("ask", "make *"), { forMs: HOUR_MS });
    await ruleFor(rig, glob("allow", "make *"));
    await askFor(rig, "a1", "make all");
    await rig.pass(2 * HOUR_MS);
    rig.kill();
    const next = await rig.restart();
    await policyOn(next, () => says("permit"));
    await next.quiet();
    expect(next.saidOwn("policy.ruled")).toHaveLength(1);
    expect(fateOf(next, "a1")).toBe("pending");
  });

  test("POLICY-ANSWERING-1: a rule that was made after the question does not answer it with the verdict", async () => {
    const rig = await Rig.start();
    const side = await policyOn(rig, () => says("none"));
    side.stop();
    await askFor(rig, "a1", "make all");
    rig.clock.advance(1);
    await ruleFor(rig, glob("allow", "make *"));
    await policyOn(rig, () => says("none"));
    await rig.quiet();
    expect([rig.saidOwn("policy.ruled").length, fateOf(rig, "a1")]).toEqual([1, "pending"]);
  });

  test("POLICY-ANSWERING-1: what it forbids ends what else its request asks for, as a rule's denial does", async () => {
    const ends = async (prepare: (rig: Rig) => Promise<unknown>) => {
      const rig = await Rig.start();
      await prepare(rig);
      await rig.tell("s1", said.prompt("p1"));
      for (const n of [1, 2]) {
        const ref = call(`c${n}`, "Bash", { command: n === 2 ? "make all" : "ls" });
        await rig.tell("s1", said.announced(ref), said.ask(`a${n}`, ref));
        await rig.quiet();
      }
      return [1, 2].map((n) => [rig.state(`s1/call/c${n}`), approvalIn(rig, `a${n}`)?.state]);
    };
    const byRule = await ends((rig) => addRule(rig, glob("deny", "make *")));
    const byPolicy = await ends((rig) =>
      policyOn(rig, ({ line }) => says(line === "make all" ? "forbid" : "none")),
    );
    expect(byPolicy).toEqual(byRule);
    expect(byPolicy[1]?.[1]).toBe("denied");
  });

  test("POLICY-ANSWERING-2: permits nothing that an unknown field, a tool with code or a file that runs later could hide, nor what reaches the engine", async () => {
    const rig = await Rig.start();
    await policyOn(rig, () => says("permit"));
    const fates: Record<string, string> = {};
    for (const [n, [tool, input]] of (
      [
        ["Bash", { command: "ls", env: "x" }],
        ["mcp__box__run", { code: "print(1)" }],
        ["PowerShell", { command: "ls" }],
        ["Write", { file_path: "/repo/.git/hooks/pre-commit", content: "x" }],
        ["Bash", { command: "ls" }],
        ["mcp__notes__list", { page: 1 }],
        ["Bash", { command: "npx signalbox approve a1" }],
      ] as const
    ).entries()) {
      const ref = call(`c${n}`, tool, input);
      await rig.tell("s1", said.announced(ref), said.ask(`a${n}`, ref));
      await rig.quiet();
      fates[`${n} ${tool}`] = fateOf(rig, `a${n}`);
    }
    expect(fates).toEqual({
      "0 Bash": "pending",
      "1 mcp__box__run": "pending",
      "2 PowerShell": "pending",
      "3 Write": "pending",
      "4 Bash": "approved policy:p",
      "5 mcp__notes__list": "approved policy:p",
      "6 Bash": "pending",
    });
  });

  test("POLICY-ANSWERING-3, POLICY-ROWS-1: a verdict for another policy, reader or input leads to nothing, and one counts once", async () => {
    const rig = await Rig.start();
    const side = await policyOn(rig, () => says("none"));
    side.stop();
    await askFor(rig, "a1", "make all");
    const { hash: inputHash = "" } = approvalIn(rig, "a1")?.input ?? {};
    const { hash: policy } = rig.row("policy") as { hash: string };
    const verdict: PolicyRuled = {
      type: "policy.ruled",
      approvalId: "a1",
      inputHash,
      policy,
      engine: READER,
      ...says("permit"),
    };
    const rule = (other: Partial<PolicyRuled>) =>
      rig.engine.own(WORKSPACE, "s1" as SessionId, { ...verdict, ...other });
    await rule({ policy: "0".repeat(64) });
    await rule({ engine: "test 0" });
    await rule({ approvalId: "a2" });
    expect([fateOf(rig, "a1"), rig.rows("unruled/").size]).toEqual(["pending", 1]);
    await rule({ inputHash: "0".repeat(64) });
    await rule({});
    expect([fateOf(rig, "a1"), rig.rows("unruled/").size]).toEqual(["pending", 0]);
    expect(rig.defects).toEqual([]);
  });

  test("POLICY-ANSWERING-3: what a person answered before the verdict stays", async () => {
    const rig = await Rig.start();
    const side = await policyOn(rig, () => says("forbid"));
    side.stop();
    await askFor(rig, "a1", "make all");
    const inputHash = approvalIn(rig, "a1")?.input?.hash ?? "";
    await rig.engine.own(WORKSPACE, "s1" as SessionId, {
      type: "decision",
      approvalId: "a1" as ApprovalId,
      decision: "approve",
      inputHash,
      by: "local:ann",
    });
    await policyOn(rig, () => says("forbid"));
    await rig.quiet();
    expect([fateOf(rig, "a1"), rig.rows("unruled/").size]).toEqual(["approved local:ann", 0]);
  });

  test("POLICY-ANSWERING-1: who answered, by which policy and reader, is told; that it asks is audited", async () => {
    const rig = await Rig.start();
    await policyOn(rig, ({ line }) =>
      line === "ls"
        ? says("permit", ["reads", "tests"])
        : { ...says("ask", ["risky"]), reason: "the policy asks" },
    );
    await askFor(rig, "a1", "ls");
    await askFor(rig, "a2", "make all");
    await rig.quiet();
    const { hash } = rig.row("policy") as { hash: string };
    expect(approvalIn(rig, "a1")).toMatchObject({
      by: "policy:reads+tests",
      message: `Allowed by reads, tests of policy ${hash.slice(0, 12)}, read by test 1.`,
    });
    expect(auditsIn(rig, "decision")).toMatchObject([{ by: "policy:reads+tests", decision: "approve" }]);
    expect(auditsIn(rig, "rule-asked")).toMatchObject([
      { by: "policy:risky", approvalId: "a2", reason: "the policy asks" },
    ]);
    expect(rig.saidOwn("policy.set")).toMatchObject([{ text: TEXT, hash, engine: READER }]);
  });
});
