// Rule answering
// What a rule answers, in which turn, and how that is told.

import { describe, expect, test } from "vitest";
import { gateAnswer } from "../../../runtime/reading/gate-answer.ts";
import { Queries } from "../../../runtime/reading/queries.ts";
import { Rig } from "../../support/engine/rig.ts";
import {
  addRule,
  approvalIn,
  askFor,
  auditsIn,
  fateOf,
  MADE_BY,
  ruleFor,
} from "../../support/rules/ruled.ts";
import { glob } from "../../support/rules/terms.ts";
import { call, said, unnamed } from "../../support/sessions/said.ts";
import type { AgentId, ApprovalId, CallContext, Denial } from "../../../machines/index.ts";

describe("an approval that a rule answers", () => {
  test("RULE-ANSWERING-1, I-51, I-39: is approved in the commit that made it, on its exact input, by the rule", async () => {
    const rig = await Rig.start();
    const rule = await ruleFor(rig, glob("allow", "git status *", { note: "reads only" }));
    const { position, answers } = await askFor(rig, "a1", "git status -s");
    const turns = rig.changes.filter(({ entity, id }) => entity === "approval" && id === "a1");
    expect(turns.map(({ to, turn }) => [to, turn])).toEqual([
      ["pending", position],
      ["approved", position],
    ]);
    expect(answers).toMatchObject([{ approvalId: "a1", result: "accepted", state: "approved" }]);
    expect(approvalIn(rig, "a1")).toMatchObject({
      by: `rule:${rule}`,
      message: `Allowed by rule ${rule}, made by ${MADE_BY}: reads only`,
    });
    const view = new Queries(rig.engine).getApproval("a1") ?? expect.fail();
    expect(gateAnswer("a1", view)).toMatchObject({
      decision: "allow",
      inputHash: approvalIn(rig, "a1")?.input?.hash,
    });
    const [audit] = auditsIn(rig, "decision");
    expect(audit).toMatchObject({
      by: `rule:${rule}`,
      decision: "approve",
      input: '{"command":"git status -s"}',
      position,
    });
    expect(rig.row(`rule/w/${rule.slice(2).padStart(16, "0")}`)).toMatchObject({ used: 1 });
  });

  test("RULE-ANSWERING-1, C4: is denied, and its call with it; the agent is told by which rule", async () => {
    const rig = await Rig.start();
    const rule = await ruleFor(rig, glob("deny", "rm *"));
    await askFor(rig, "a1", "cd /tmp && rm -rf x");
    expect(fateOf(rig, "a1")).toBe(`denied rule:${rule}`);
    const { denial } = (rig.row("actor/w/s1/call/c-a1") as { context: CallContext }).context;
    expect(denial).toMatchObject({
      cause: "rule",
      by: `rule:${rule}`,
      approvalId: "a1" as ApprovalId,
      message: `Denied by rule ${rule}, made by ${MADE_BY}.`,
    } satisfies Partial<Denial>);
  });

  test("RULE-ANSWERING-1: by no rule of another workspace, and by none that was made later", async () => {
    const rig = await Rig.start();
    await askFor(rig, "before", "git status");
    await ruleFor(rig, glob("allow", "git *"));
    expect(fateOf(rig, "before")).toBe("pending");
    const ref = call("c", "Bash", { command: "git status" });
    const other = { workspace: "other" as never };
    await (
      await rig.submit("s1", [said.announced(ref), said.ask("elsewhere", ref)], other)
    ).settled;
    expect(rig.row("actor/other/s1/approval/elsewhere")).toMatchObject({ value: "pending" });
  });

  test("RULE-ANSWERING-3: neither one that is ambiguous, nor one whose call is over", async () => {
    const rig = await Rig.start();
    await ruleFor(rig, glob("allow", "git *"));
    await ruleFor(rig, { effect: "deny", tool: "Read" });
    const alike = unnamed("Bash", { command: "git status" });
    await rig.tell("s1", said.announced(alike), said.announced(alike), said.ask("a1", alike));
    expect(approvalIn(rig, "a1")).toMatchObject({ state: "pending", ambiguous: true });
    const over = call("c2", "Bash", { command: "git log" });
    await rig.tell("s1", said.announced(over), said.pre(over), said.post(over));
    await rig.tell("s1", said.ask("a2", over));
    expect(approvalIn(rig, "a2")).toMatchObject({ state: "withdrawn", by: "elsewhere" });
    expect(auditsIn(rig, "decision")).toEqual([]);
  });

  test("RULE-ANSWERING-3: a second channel that asks about an approval does not have it answered", async () => {
    const rig = await Rig.start();
    const ref = call("c1", "Bash", { command: "git status" });
    await rig.tell("s1", said.announced(ref), said.ask("a1", ref));
    await ruleFor(rig, glob("allow", "git *"));
    await rig.tell("s1", { ...said.ask("a2", ref), channel: "sdk" } as never);
    expect(fateOf(rig, "a1")).toBe("pending");
  });

  test("RULE-ANSWERING-1: where a rule asks, a person answers; that it asked is audited", async () => {
    const rig = await Rig.start();
    await ruleFor(rig, glob("allow", "git *"));
    const rule = await ruleFor(rig, glob("ask", "git push *"));
    await askFor(rig, "a1", "git push --force");
    expect(fateOf(rig, "a1")).toBe("pending");
    expect(auditsIn(rig, "rule-asked")).toMatchObject([
      { by: `rule:${rule}`, decision: "ask", approvalId: "a1", callId: "c-a1" },
    ]);
    await askFor(rig, "a2", "git status");
    expect(fateOf(rig, "a2")).toMatch(/^approved rule:/);
  });

  test("RULE-ANSWERING-1: a subagent is known by its type", async () => {
    const rig = await Rig.start();
    await ruleFor(rig, glob("allow", "git *", { agent: "Explore" }));
    const agentId = "a-7" as AgentId;
    await rig.tell("s1", { type: "agent.started", agentId, agentType: "Explore" });
    const ref = call("c1", "Bash", { command: "git status" });
    await rig.tell("s1", said.agentPre(agentId, ref), { ...said.ask("a1", ref), agentId });
    await askFor(rig, "a2", "git status");
    expect([fateOf(rig, "a1").split(":")[0], fateOf(rig, "a2")]).toEqual(["approved rule", "pending"]);
  });

  test("RULE-ANSWERING-1: the session's folder is its project", async () => {
    const rig = await Rig.start();
    await ruleFor(rig, glob("allow", "git *", { project: "/repo" }));
    for (const [session, cwd] of [
      ["s1", "/repo/a"],
      ["s2", "/other"],
      ["s3", `/repo/${"x".repeat(600)}`],
    ] as const) {
      await rig.tell(session, { type: "session.started", reason: "startup", cwd });
      await askFor(rig, `a-${session}`, "git status", session);
    }
    await askFor(rig, "a-s4", "git status", "s4");
    const fates = ["s1", "s2", "s3", "s4"].map((each) => fateOf(rig, `a-${each}`, each).split(" ")[0]);
    expect(fates).toEqual(["approved", "pending", "pending", "pending"]);
  });
});

describe("a rule that cannot answer", () => {
  test("RULE-ANSWERING-2, G8: approves nothing in a session that is closed to approvals, and is not used up", async () => {
    const rig = await Rig.start();
    const rule = await ruleFor(rig, glob("allow", "git *", { uses: 1 }));
    await rig.tell("s1", said.prompt("p1"));
    rig.disk.rows.set("ledger/w/s1", JSON.stringify({ rejected: 0, rejections: [], closedBy: [7] }));
    const again = await rig.restart();
    await askFor(again, "a1", "git status");
    expect(fateOf(again, "a1")).toBe("pending");
    expect(again.row("ledger/w/s1")).toMatchObject({ rejected: 1, rejections: [{ what: "rule" }] });
    await askFor(again, "a2", "git status", "s2");
    expect(fateOf(again, "a2", "s2")).toBe(`approved rule:${rule}`);
  });

  test("G9, RULE-ANSWERING-2: with a row that cannot be read no rule of its workspace answers; a person can", async () => {
    const rig = await Rig.start();
    const rule = await ruleFor(rig, glob("deny", "rm *"));
    await addRule(rig, glob("allow", "git *"));
    rig.disk.rows.set(`rule/w/${rule.slice(2).padStart(16, "0")}`, "{");
    await rig.engine.stop();
    const again = await rig.restart();
    await askFor(again, "a1", "git status");
    expect([fateOf(again, "a1"), again.defects.length]).toEqual(["pending", 1]);
  });
});
