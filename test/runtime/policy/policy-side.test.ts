// Policy side
// Which policy is in force, what is asked of it, and what a lost or wrong answer comes to.

import { describe, expect, test } from "vitest";
import { RefusedError } from "../../../runtime/errors/errors.ts";
import type { PolicyCall } from "../../../runtime/policy.ts";
import { Rig } from "../../support/engine/rig.ts";
import { opening, policyOn, says, sideOf, TEXT } from "../../support/rules/policies.ts";
import { addRule, askFor, auditsIn, fateOf } from "../../support/rules/ruled.ts";
import { glob } from "../../support/rules/terms.ts";
import { call, said, unnamed } from "../../support/sessions/said.ts";

const saidIn = (rig: Rig): readonly string[] =>
  rig.disk.entries.flatMap(({ body }) => {
    const { said: own } = JSON.parse(body) as { said?: { type: string; engine?: string } };
    return own?.type.startsWith("policy.") ? [`${own.type} ${own.engine ?? ""}`.trim()] : [];
  });

describe("the policy in force", () => {
  test("POLICY-SIDE-1: is an entry where its text or its reader changed, and stays where a start names none", async () => {
    let rig = await Rig.start();
    const permit = () => says("permit");
    const restart = async (other: Parameters<typeof policyOn>[2]) => {
      await rig.engine.stop();
      rig = await rig.restart();
      return policyOn(rig, permit, other);
    };
    await policyOn(rig, permit, { wanted: undefined });
    expect(saidIn(rig)).toEqual([]);
    await restart({});
    await restart({});
    await restart({ wanted: undefined });
    expect(saidIn(rig)).toEqual(["policy.set test 1"]);
    await restart({ wanted: undefined, open: opening(permit, "test 2") });
    await restart({ wanted: { text: `${TEXT} ` }, open: opening(permit, "test 2") });
    expect(saidIn(rig)).toEqual(["policy.set test 1", "policy.set test 2", "policy.set test 2"]);
    const side = await restart({ wanted: "none" });
    await restart({ wanted: "none" });
    await restart({ wanted: undefined });
    side.stop();
    expect(saidIn(rig).slice(3)).toEqual(["policy.dropped"]);
    await askFor(rig, "a1", "make all");
    await rig.quiet();
    expect([fateOf(rig, "a1"), saidIn(rig).length, rig.row("policy")]).toEqual(["pending", 4, undefined]);
  });

  test("POLICY-SIDE-1, POLICY-ROWS-1: what waited for a policy that was let go of waits for a person", async () => {
    const rig = await Rig.start();
    const side = await policyOn(rig, () => says("permit"));
    side.stop();
    await addRule(rig, glob("allow", "make *"));
    await askFor(rig, "a1", "make all");
    await policyOn(rig, () => says("permit"), { wanted: "none" });
    await askFor(rig, "a2", "make all", "s2");
    expect([fateOf(rig, "a1"), rig.rows("unruled/").size]).toEqual(["pending", 0]);
    expect(fateOf(rig, "a2", "s2")).toMatch(/^approved rule:/);
  });

  test("POLICY-SIDE-2: keeps the engine from starting where nobody can read it", async () => {
    const rig = await Rig.start();
    await policyOn(rig, () => says("permit"));
    const absent = () => Promise.reject(new RefusedError("POLICY_READER_ABSENT", "No.", "Install it."));
    for (const wanted of [undefined, { text: TEXT }]) {
      const side = sideOf(rig, () => says("permit"), { open: absent, wanted });
      await expect(side.prepare().then(() => side.start())).rejects.toMatchObject({
        code: "POLICY_READER_ABSENT",
      });
    }
  });
});

describe("a question to a policy", () => {
  test("POLICY-SIDE-3: that cannot be asked or answered goes to a person", async () => {
    const rig = await Rig.start();
    const asked: PolicyCall[] = [];
    await policyOn(rig, (question) => {
      asked.push(question);
      throw new Error("broken");
    });
    const alike = unnamed("Bash", { command: "ls" });
    await rig.tell("s1", said.announced(alike), said.announced(alike), said.ask("a1", alike));
    const long = call("c2", "Write", { file_path: "x", content: "x".repeat(70_000) });
    await rig.tell("s2", said.announced(long), said.ask("a2", long));
    await askFor(rig, "a3", "ls", "s3");
    await rig.quiet();
    expect(asked.map(({ line }) => line)).toEqual(["ls"]);
    expect(["s1", "s2", "s3"].map((each, n) => fateOf(rig, `a${n + 1}`, each))).toEqual([
      "pending",
      "pending",
      "pending",
    ]);
    expect(auditsIn(rig, "rule-asked").map(({ reason }) => reason)).toEqual(
      Array(3).fill("the call cannot be read"),
    );
    expect(rig.defects).toMatchObject([{ message: "broken" }]);
  });

  test("POLICY-SIDE-4: whose answer was lost is asked at the next start; until then no rule allows it", async () => {
    const rig = await Rig.start();
    const side = await policyOn(rig, () => says("none"));
    await addRule(rig, glob("allow", "make *"));
    side.stop();
    await askFor(rig, "a1", "make all");
    rig.kill();
    const next = await rig.restart();
    expect(fateOf(next, "a1")).toBe("pending");
    await policyOn(next, () => says("none"), { wanted: undefined });
    await next.quiet();
    expect(fateOf(next, "a1")).toMatch(/^approved rule:/);
    expect(next.saidOwn("policy.ruled")).toHaveLength(1);
  });

  test("POLICY-SIDE-4: is not asked about what a rule denied, or what was asked before there was a policy", async () => {
    const rig = await Rig.start();
    await askFor(rig, "a1", "make all");
    const asked: string[] = [];
    const side = await policyOn(rig, ({ line }) => {
      asked.push(line);
      return says("permit");
    });
    await addRule(rig, glob("deny", "rm *"));
    await askFor(rig, "a2", "rm x", "s2");
    await rig.quiet();
    side.stop();
    await policyOn(rig, () => says("permit"));
    await rig.quiet();
    expect([asked, fateOf(rig, "a1")]).toEqual([[], "pending"]);
  });

  test("POLICY-SIDE-1: tells which agents asked for the same before", async () => {
    const rig = await Rig.start();
    const told: (readonly string[])[] = [];
    await policyOn(rig, ({ askedBefore }) => {
      told.push(askedBefore);
      return says("none");
    });
    for (const [id, command, session] of [
      ["a1", "ls", "s1"],
      ["a2", "ls", "s2"],
      ["a3", "ls -a", "s2"],
      ["a4", "ls", "s1"],
    ] as const) {
      await askFor(rig, id, command, session);
      await rig.quiet();
    }
    expect(told).toEqual([[], ["s1/main"], [], ["s1/main", "s2/main"]]);
  });
});
