// Rule
// Which rules can be made.

import { describe, expect, test } from "vitest";
import {
  byPolicy,
  byRule,
  flawOf,
  isByRule,
  type RuleTerms,
  type SessionId,
} from "../../../machines/index.ts";
import { glob } from "../../support/rules/terms.ts";

const prefix = (effect: RuleTerms["effect"], tool: string, text: string): RuleTerms => ({
  effect,
  tool,
  match: { kind: "prefix", text },
});

describe("a rule that cannot be made", () => {
  test.each<[string, RuleTerms, string]>([
    ["allows every command", { effect: "allow", tool: "Bash" }, "match"],
    ["allows several tools", { effect: "allow", tool: "mcp__*" }, "tool"],
    ["allows any program", glob("allow", "* status"), "match.glob"],
    ["has a * within a tool's name", { effect: "deny", tool: "mcp__*__x" }, "tool"],
    ["holds an operator", glob("allow", "git status && *"), "match.glob"],
    ["holds a variable", prefix("allow", "Bash", "echo $HOME"), "match.prefix"],
    ["has a * in its prefix", prefix("allow", "Bash", "git *"), "match.prefix"],
    ["has a relative path", prefix("allow", "Read", "src"), "match.prefix"],
    ["leaves its folder", prefix("allow", "Read", "/repo/../etc"), "match.prefix"],
    ["is about a tool without a command or path", glob("allow", "x", { tool: "WebFetch" }), "match.glob"],
    ["allows a search by its folder", prefix("allow", "Grep", "/repo"), "match.prefix"],
    ["is too long", glob("allow", `git ${"x".repeat(600)}`), "match.glob"],
    ["allows every Monitor command", { effect: "allow", tool: "Monitor" }, "match"],
    ["allows every PowerShell command", { effect: "allow", tool: "PowerShell" }, "match"],
    ["allows every piece of code", { effect: "allow", tool: "REPL" }, "match"],
    ["allows PowerShell by words of sh", prefix("allow", "PowerShell", "git status"), "match.prefix"],
    ["allows code by words of sh", glob("allow", "git *", { tool: "REPL" }), "match.glob"],
    ["leaves open what sudo runs", prefix("allow", "Bash", "sudo"), "match.prefix"],
    ["leaves open what env runs", glob("allow", "env A=1 *"), "match.glob"],
    ["leaves open which script runs", glob("allow", "python *.py"), "match.glob"],
    ["leaves open which code runs", glob("allow", "bash -c *"), "match.glob"],
    ["leaves open what ssh runs", prefix("allow", "Bash", "ssh host"), "match.prefix"],
    ["leaves open what is run in a container", prefix("allow", "Bash", "docker run"), "match.prefix"],
    ["leaves open what pnpm runs", glob("allow", "pnpm *"), "match.glob"],
    ["leaves open what yarn runs", glob("allow", "yarn run *"), "match.glob"],
    ["leaves open which file bun runs", glob("allow", "bun *"), "match.glob"],
    ["leaves open what is configured", glob("allow", "git config *"), "match.glob"],
    ["begins with a word of the shell's own", glob("allow", "time ls"), "match.glob"],
    ["is for the whole disk as a project", glob("allow", "git *", { project: "/" }), "project"],
    ["is for a relative project", glob("allow", "git *", { project: "repo" }), "project"],
    ["is for no session", glob("allow", "git *", { session: "a/b" as SessionId }), "session"],
    ["is for no agent", glob("allow", "git *", { agent: "" }), "agent"],
  ])("RULE-1: %s", (_, terms, path) => {
    expect(flawOf(terms)?.path).toBe(path);
  });

  test("RULE-2: denies or asks in one project, or asks a number of times", () => {
    expect(flawOf(glob("deny", "rm *", { project: "/repo" }))?.path).toBe("project");
    expect(flawOf(glob("ask", "rm *", { project: "/repo" }))?.path).toBe("project");
    expect(flawOf(glob("ask", "rm *", { uses: 2 }))?.path).toBe("uses");
  });
});

describe("a rule that can be made", () => {
  test.each<RuleTerms>([
    glob("allow", "npm run test:*", { project: "/repo", uses: 3, expiresAt: 5 }),
    glob("deny", "* --force"),
    glob("deny", "rm *", { tool: "*" }),
    { effect: "deny", tool: "*" },
    { effect: "ask", tool: "mcp__db__*" },
    { effect: "allow", tool: "mcp__db__query" },
    { effect: "allow", tool: "Bash", match: { kind: "exact", inputHash: "x" } },
    prefix("allow", "Write", "/repo/src"),
    prefix("allow", "Monitor", "tail -f a.log"),
    prefix("deny", "PowerShell", "git push"),
    prefix("deny", "mcp__x__run", "git push"),
    prefix("allow", "Bash", "sudo systemctl-x status"),
    prefix("allow", "Bash", "python manage.py"),
    glob("allow", "git config --get user.name"),
    glob("allow", "sed -n *"),
    glob("allow", "git *"),
    glob("allow", "npm *"),
    glob("allow", "pnpm run test:*"),
    prefix("allow", "Bash", "yarn build"),
    prefix("allow", "Bash", "pnpm vitest run"),
    { effect: "allow", tool: "PowerShell", match: { kind: "exact", inputHash: "x" } },
    prefix("deny", "Grep", "/etc"),
    glob("deny", "**/.env", { tool: "Read" }),
  ])("RULE-1: %j", (terms) => {
    expect(flawOf(terms)).toBeUndefined();
  });

  test("RULE-1: is known by what its decisions are by", () => {
    const all = [byRule("r_1"), byPolicy(["a", "b"]), "local:ada"];
    expect(all).toEqual(["rule:r_1", "policy:a+b", "local:ada"]);
    expect(all.map(isByRule)).toEqual([true, true, false]);
  });
});
