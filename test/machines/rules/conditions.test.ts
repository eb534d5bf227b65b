// Conditions
// How the conditions of one rule come together, and how they are told.

import { describe, expect, test } from "vitest";
import {
  type AgentId,
  type AskedCall,
  flawOf,
  inputText,
  NOTHING_GUARDED,
  type RuleTerms,
  rulingOf,
  scopeText,
  type SessionId,
} from "../../../machines/index.ts";
import { bash, glob } from "../../support/rules/terms.ts";

const S1 = "s1" as SessionId;
const said = (rule: RuleTerms, call: Partial<AskedCall>, command = "git push"): string | undefined =>
  rulingOf([rule], bash(command, call), NOTHING_GUARDED)?.effect;

describe("the conditions of a rule", () => {
  const all = { agent: "Explore", session: S1, project: "/repo", uses: 2, expiresAt: 9 } as const;
  const call = {
    agentId: "a1" as AgentId,
    agentType: "Explore",
    sessionId: S1,
    cwd: "/repo/src",
    at: 8,
  };

  test("CONDITIONS-1: allow only together", () => {
    const rule = glob("allow", "git push", all);
    expect(said(rule, call)).toBe("allow");
    for (const other of [
      { agentType: "Plan" },
      { sessionId: "s2" as SessionId },
      { cwd: "/other" },
      { at: 9 },
    ])
      expect(said(rule, { ...call, ...other })).toBeUndefined();
    expect(said(rule, call, "git pull")).toBeUndefined();
    expect(said({ ...rule, tool: "Monitor" }, call)).toBeUndefined();
    expect(said({ ...rule, used: 2 } as RuleTerms, call)).toBeUndefined();
  });

  test.each<[sure: string, type: string | undefined, command: string, effect: string | undefined]>([
    ["all are", "Explore", "git push", "deny"],
    ["the agent is unsure", undefined, "git push", "ask"],
    ["the input is unsure", "Explore", "git p", "ask"],
    ["both are unsure", undefined, "git p", "ask"],
    ["one says no, one is unsure", undefined, "ls", undefined],
    ["one says no, one yes", "Plan", "git push", undefined],
  ])("CONDITIONS-1: a rule to deny, where %s", (_, agentType, command, effect) => {
    const { agentType: _known, ...unknown } = call;
    const rule = glob("deny", "git push", { agent: "Explore", session: S1 });
    expect(said(rule, { ...unknown, ...(agentType !== undefined && { agentType }) }, command)).toBe(effect);
  });

  test("CONDITIONS-2: the first of several flaws is told", () => {
    const rule = glob("ask", "a && b", { project: "/repo", uses: 2 });
    expect(flawOf(rule)?.path).toBe("project");
    expect(flawOf({ ...rule, tool: "x*y" })?.path).toBe("tool");
    expect(flawOf(glob("ask", "a && b", { uses: 2 }))?.path).toBe("uses");
    expect(flawOf(glob("ask", "a && b"))?.path).toBe("match.glob");
  });

  test("CONDITIONS-2: words are shown in one order; what is left of a rule is told elsewhere", () => {
    expect(scopeText(glob("allow", "ls", all))).toBe("agent Explore, session s1, in /repo");
    expect(scopeText(glob("allow", "ls", { uses: 2, expiresAt: 9 }))).toBe("");
    const matches: readonly (readonly [RuleTerms["match"], string])[] = [
      [{ kind: "glob", text: "git *" }, "git *"],
      [{ kind: "prefix", text: "git" }, "git …"],
      [{ kind: "exact", inputHash: "0123456789abcdef", input: "{}" }, "{}"],
      [{ kind: "exact", inputHash: "0123456789abcdef" }, "input 0123456789ab…"],
    ];
    for (const [match, words] of matches)
      expect(inputText({ tool: "Bash", ...(match && { match }) })).toBe(words);
    expect(inputText({ tool: "Bash" })).toBe("");
  });
});
