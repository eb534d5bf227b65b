// Past approvals
// What a trial of rules says of approvals that were removed: what it said while they were kept.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { ApprovalId, RuleTerms, SessionId } from "../../../machines/index.ts";
import { NOTHING_GUARDED } from "../../../machines/index.ts";
import { DEFAULT_CONFIGURATION } from "../../../runtime/config.ts";
import { Reader } from "../../../runtime/reading/reader.ts";
import { ended, type Trial, trialInSlices } from "../../../runtime/reading/rule-trial.ts";
import { DAY_MS, HOUR_MS, Rig, type RigOptions, WORKSPACE } from "../../support/engine/rig.ts";
import { holdsLater } from "../../support/properties/property.ts";
import { approvalIn, askFor, ruleFor } from "../../support/rules/ruled.ts";
import { call, said } from "../../support/sessions/said.ts";

const FILE = "test/runtime/rows/past-approvals.test.ts";
const COMMANDS = ["git status", "git status -s", "npm test", "rm -rf x", "git push --force"] as const;
const RULES: readonly RuleTerms[] = [
  { effect: "allow", tool: "Bash", match: { kind: "glob", text: "git status *" } },
  { effect: "deny", tool: "Bash", match: { kind: "prefix", text: "rm" } },
  { effect: "ask", tool: "Bash", match: { kind: "prefix", text: "git push" } },
  { effect: "allow", tool: "Bash", match: { kind: "glob", text: "npm test *" }, agent: "main" },
];

const tried = (rig: Rig, since = 0, rules = RULES): Promise<Trial> =>
  ended(
    trialInSlices(new Reader(rig.engine.store), rules, {
      workspace: WORKSPACE,
      since,
      limit: 1_000,
      guarded: NOTHING_GUARDED,
    }),
  );

interface Asked {
  readonly command: string;
  readonly answer: "approve" | "deny" | "none";
}

/** One request with these approvals, answered by a person. */
async function asked(rig: Rig, session: string, all: readonly Asked[]): Promise<void> {
  await rig.tell(session, said.prompt(`${session}-p`));
  for (const [n, { command, answer }] of all.entries()) {
    const its = call(`${session}-c${n}`, "Bash", { command });
    await rig.tell(session, said.pre(its), said.ask(`${session}-a${n}`, its));
    if (answer === "none") continue;
    await rig.engine.own(WORKSPACE, session as SessionId, {
      type: "decision",
      approvalId: `${session}-a${n}` as ApprovalId,
      decision: answer,
      ...(answer === "approve" && { inputHash: its.input?.hash ?? "" }),
      by: "me",
    });
  }
  await rig.tell(session, said.sessionEnd());
}

const one = fc.record({
  command: fc.constantFrom(...COMMANDS),
  answer: fc.constantFrom("approve", "deny", "none"),
});

const options = (approvalsKeptMs: number): RigOptions => ({
  configuration: { ...DEFAULT_CONFIGURATION, approvalsKeptMs },
});

describe("past approvals", () => {
  test("PAST-APPROVALS-1, RULE-TRIAL-3: a trial says of removed approvals what it said before, and again the same", async () => {
    await holdsLater(FILE, 12, fc.array(one, { minLength: 1, maxLength: 40 }), async (all) => {
      const rig = await Rig.start();
      await asked(rig, "s1", all);
      const before = await tried(rig);
      expect(before.asked).toBe(all.length);
      await rig.pass(2 * DAY_MS, HOUR_MS);
      expect([...rig.rows("actor/w/s1/approval/").keys()]).toEqual([]);
      const after = await tried(rig);
      const byId = ({ items }: Trial): unknown =>
        items.toSorted((a, b) => (a.approvalId < b.approvalId ? -1 : 1));
      expect(byId(after)).toEqual(byId(before));
      const { items: _, ...counts } = before;
      expect(after).toMatchObject(counts);
      expect(JSON.stringify(await tried(rig))).toBe(JSON.stringify(after));
      await rig.engine.stop();
    });
  });

  test("PAST-APPROVALS-1: they go after their time, and only what was asked since a moment is looked at", async () => {
    const rig = await Rig.start(options(10 * DAY_MS));
    await asked(rig, "s1", [{ command: "git status", answer: "approve" }]);
    await rig.pass(5 * DAY_MS, HOUR_MS);
    const since = rig.clock.now();
    await asked(rig, "s2", [{ command: "git status", answer: "deny" }]);
    await rig.pass(2 * DAY_MS, HOUR_MS);
    expect(await tried(rig)).toMatchObject({
      asked: 2,
      allow: 2,
      differing: 1,
      days: [{ answered: 1 }, { answered: 1 }],
    });
    expect(await tried(rig, since)).toMatchObject({ asked: 1, items: [{ sessionId: "s2", differs: true }] });
    await rig.pass(5 * DAY_MS, HOUR_MS);
    expect(await tried(rig)).toMatchObject({ asked: 1 });
    await rig.pass(6 * DAY_MS, HOUR_MS);
    expect(await tried(rig)).toMatchObject({ asked: 0, days: [], items: [] });
    await rig.engine.stop();
  });

  test("ANSWERER-1, RULE-TRIAL-3: a trial measures no rule by what a model answered, before and after it is removed", async () => {
    const rig = await Rig.start();
    for (const [session, by] of [
      ["s1", "model"],
      ["s2", "terminal"],
    ] as const) {
      const its = call("c1", "Bash", { command: "rm -rf x" });
      const approvalId = `${session}-a1` as ApprovalId;
      await rig.tell(session, said.prompt(`${session}-p`), said.pre(its), said.ask(approvalId, its), {
        ...{ type: "approval.answered", approvalId, call: its, decision: "approve", by },
      });
      await rig.tell(session, said.sessionEnd());
    }
    const differing = async (): Promise<unknown> =>
      (await tried(rig)).items.map(({ sessionId, by, differs }) => ({ sessionId, by, differs }));
    const both = [
      { sessionId: "s1", by: "model", differs: false },
      { sessionId: "s2", by: "terminal", differs: true },
    ];
    expect(await differing()).toEqual(expect.arrayContaining(both));
    await rig.pass(2 * DAY_MS, HOUR_MS);
    expect(await differing()).toEqual(expect.arrayContaining(both));
    await rig.engine.stop();
  });

  test("PAST-APPROVALS-1: where none are kept none is written, and another workspace's are not looked at", async () => {
    const rig = await Rig.start(options(0));
    await asked(rig, "s1", [{ command: "git status", answer: "approve" }]);
    await rig.pass(2 * DAY_MS, HOUR_MS);
    expect([...rig.rows("past/").keys()]).toEqual([]);
    await rig.engine.stop();
    const kept = await Rig.start();
    await asked(kept, "s1", [{ command: "git status", answer: "approve" }]);
    await kept.pass(2 * DAY_MS, HOUR_MS);
    const [key = ""] = kept.rows("past/").keys();
    kept.disk.rows.set(key.replace(`/${WORKSPACE}/`, "/other/"), kept.disk.rows.get(key) ?? "");
    expect(await tried(kept)).toMatchObject({ asked: 1 });
    await kept.engine.stop();
  });

  test("RULE-TRIAL-1: what a trial says is what the rules then do", async () => {
    await holdsLater(FILE, 12, fc.array(one, { minLength: 1, maxLength: 20 }), async (all) => {
      const rig = await Rig.start();
      await asked(rig, "s1", all);
      await rig.pass(2 * DAY_MS, HOUR_MS);
      const would = new Map((await tried(rig)).items.map((item) => [item.approvalId, item.would]));
      for (const terms of RULES) await ruleFor(rig, terms);
      for (const [n, { command }] of all.entries()) {
        await askFor(rig, `later-${n}`, command, `later-${n}`);
        const state = { allow: "approved", deny: "denied", ask: "pending" }[would.get(`s1-a${n}`) ?? "ask"];
        expect([command, approvalIn(rig, `later-${n}`, `later-${n}`)?.state]).toEqual([command, state]);
      }
      await rig.engine.stop();
    });
  });

  test("PAST-APPROVALS-2: a long input does not stay, and a person answers", async () => {
    const rig = await Rig.start();
    await asked(rig, "s1", [{ command: `git status ${"x".repeat(5_000)}`, answer: "approve" }]);
    expect(await tried(rig)).toMatchObject({ asked: 1, allow: 1 });
    await rig.pass(2 * DAY_MS, HOUR_MS);
    expect([...rig.rows("past/").values()].join("").length).toBeLessThan(1_000);
    expect(await tried(rig)).toMatchObject({ asked: 1, allow: 0, deny: 0, ask: 0 });
    await rig.engine.stop();
  });
});
