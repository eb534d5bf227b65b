// Ruling
// Which of several rules answers a question, and when none does.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type AgentId,
  shortlist,
  NOTHING_GUARDED,
  type RuleTerms,
  rulingAmong,
  rulingOf,
  rulingsOfEach,
  type SessionId,
} from "../../../machines/index.ts";
import { nearHashes } from "../../support/engine/near-hashes.ts";
import { holds } from "../../support/properties/property.ts";
import { asked, AT, bash, glob, someQuestion, someRules } from "../../support/rules/terms.ts";

const FILE = "test/machines/rules/ruling.test.ts";
const said = (rules: readonly RuleTerms[], question = bash("git status")) =>
  rulingOf(rules, question, NOTHING_GUARDED)?.effect;

describe("the rules of a workspace", () => {
  test("RULING-1, I-51: deny beats ask beats allow, in whatever order they were made", () => {
    let answered = 0;
    holds(FILE, 5_000, fc.tuple(someRules, someQuestion), ([rules, question]) => {
      const each = rules.map((rule) => said([rule], question));
      const strongest = (["deny", "ask", "allow"] as const).find((effect) => each.includes(effect));
      if (strongest) answered += 1;
      expect(said(rules, question)).toBe(strongest);
      expect(said(rules.toReversed(), question)).toBe(strongest);
    });
    expect(answered).toBeGreaterThan(500);
  });

  test("RULING-9: a call's shortlist leaves no rule out that answers it, whoever asks and when", () => {
    let answered = 0;
    holds(FILE, 3_000, fc.tuple(someRules, someQuestion, someQuestion), ([rules, question, another]) => {
      const { sessionId, agentId, at } = another;
      const seen = shortlist(rules, { ...question, sessionId, agentId, at }, NOTHING_GUARDED);
      const anew = rulingOf(rules, question, NOTHING_GUARDED);
      if (anew) answered += 1;
      expect(seen && rulingAmong(seen, rules, question)).toEqual(anew);
      expect(rulingsOfEach(rules, question, NOTHING_GUARDED)).toEqual(
        rules.map((rule) => rulingOf([rule], question, NOTHING_GUARDED)),
      );
    });
    expect(answered).toBeGreaterThan(300);
  });

  test("RULING-1: of several with one effect the first made answers", () => {
    const rules = [glob("allow", "git log *"), glob("allow", "git *"), glob("allow", "git status")];
    expect(rulingOf(rules, bash("git status"), NOTHING_GUARDED)?.rule).toBe(rules[1]);
  });

  test("RULING-2: nothing is said of an ambiguous question, nor of one whose input is not there", () => {
    const rules = [
      glob("allow", "git *"),
      { effect: "deny", tool: "Bash" },
      { effect: "deny", tool: "*" },
    ] as const;
    const { hash } = bash("git status").input ?? expect.fail();
    expect(said(rules, bash("git status", { isAmbiguous: true }))).toBeUndefined();
    expect(said(rules, bash("git status", { input: { hash, bytes: 9, blob: true } }))).toBeUndefined();
    expect(said(rules, bash("git status", { input: { hash, found: "x", damaged: true } }))).toBeUndefined();
    const { input: _, ...unseen } = bash("git status");
    expect(said(rules, unseen)).toBeUndefined();
    expect(said(rules)).toBe("deny");
  });

  test("RULE-1: a rule for one input is about that input, and about none whose hash is near", () => {
    const question = bash("git status");
    const { hash } = question.input ?? expect.fail();
    const exact = (effect: "allow" | "deny", inputHash: string): RuleTerms => ({
      effect,
      tool: "Bash",
      match: { kind: "exact", inputHash },
    });
    for (const effect of ["allow", "deny"] as const) {
      expect(said([exact(effect, hash)], question)).toBe(effect);
      for (const near of nearHashes(hash))
        expect(said([exact(effect, near)], question), near).toBeUndefined();
    }
  });

  test("RULING-3: a denial that cannot be sure asks, even where another rule would allow", () => {
    const long = `git log ${"x".repeat(20_000)}`;
    const exact: RuleTerms = {
      effect: "allow",
      tool: "Bash",
      match: { kind: "exact", inputHash: bash(long).input?.hash ?? "" },
    };
    expect(said([exact], bash(long))).toBe("allow");
    expect(said([exact, glob("deny", "rm *")], bash(long))).toBe("ask");
    const agent = bash("git status", { agentId: "a1" as AgentId });
    const denial = glob("deny", "git *", { agent: "Explore" });
    expect(said([glob("allow", "git *"), denial], agent)).toBe("ask");
    expect(said([glob("allow", "git *"), denial], { ...agent, agentType: "Plan" })).toBe("allow");
    expect(said([glob("allow", "git *"), denial], { ...agent, agentType: "Explore" })).toBe("deny");
  });

  test("RULING-4: a rule that has expired or is used up says nothing", () => {
    expect(said([glob("allow", "git *", { expiresAt: AT + 1 })])).toBe("allow");
    expect(said([glob("allow", "git *", { expiresAt: AT })])).toBeUndefined();
    const twice = glob("allow", "git *", { uses: 2 });
    expect(rulingOf([{ ...twice, used: 1 }], bash("git status"), NOTHING_GUARDED)?.effect).toBe("allow");
    expect(rulingOf([{ ...twice, used: 2 }], bash("git status"), NOTHING_GUARDED)).toBeUndefined();
  });

  test("RULING-1: a rule speaks of its session, its agent, its project and its tool only", () => {
    const scopes: readonly (readonly [Partial<RuleTerms>, Parameters<typeof bash>[1], boolean])[] = [
      [{ session: "s" as SessionId }, {}, true],
      [{ session: "t" as SessionId }, {}, false],
      [{ agent: "main" }, {}, true],
      [{ agent: "main" }, { agentId: "a1" as AgentId, agentType: "main" }, false],
      [{ agent: "Explore" }, { agentId: "a1" as AgentId, agentType: "Explore" }, true],
      [{ agent: "Explore" }, { agentType: "Explore" }, false],
      [{ project: "/repo" }, { cwd: "/repo/a" }, true],
      [{ project: "/repo" }, { cwd: "/repository" }, false],
      [{ project: "/repo" }, { cwd: "/repo/../x" }, false],
      [{ project: "/repo" }, {}, false],
      [{ tool: "bash" }, {}, false],
      [{ tool: "Bas*" }, {}, false],
    ];
    for (const [terms, question, is] of scopes)
      expect([terms, said([glob("allow", "git *", terms)], bash("git status", question))]).toEqual([
        terms,
        is ? "allow" : undefined,
      ]);
    expect(said([{ effect: "deny", tool: "mcp__*" }], asked("mcp__db__drop", {}))).toBe("deny");
  });
});

describe("what is never allowed", () => {
  test("SUBJECT-1: a pattern does not allow an input with a field that is not known", () => {
    const free = { command: "git status", dangerouslyDisableSandbox: true };
    expect(said([glob("allow", "git *")], asked("Bash", free))).toBeUndefined();
    expect(said([glob("allow", "git *")], asked("Bash", { command: "git status", description: "x" }))).toBe(
      "allow",
    );
    expect(said([glob("deny", "git *")], asked("Bash", free))).toBe("deny");
    expect(said([glob("allow", "git *")], asked("Bash", { command: ["git", "status"] }))).toBeUndefined();
    const read: RuleTerms = { effect: "allow", tool: "Read", match: { kind: "prefix", text: "/repo" } };
    expect(said([read], asked("Read", { file_path: "/repo/a", limit: 5 }))).toBe("allow");
    expect(said([read], asked("Read", { file_path: "/repo/a", path: "/etc" }))).toBeUndefined();
  });

  test("GUARDED-3, RULING-5: a call that names Signalbox, its port or the client's settings", () => {
    const all = (tool: string): RuleTerms => ({
      effect: "allow",
      tool,
      match: { kind: "glob", text: "/**" },
    });
    for (const path of [
      "/home/a/.claude/settings.json",
      "/home/a/.local/state/signalbox/token",
      "/x/.CLAUDE",
    ])
      expect(said([all("Edit")], asked("Edit", { file_path: path }))).toBeUndefined();
    for (const command of [
      "npx signalbox approve a_1",
      "npx 'signal''box' x",
      "curl http://127.0.0.1:4280/v1",
      "cat .claude/x",
    ]) {
      const exact: RuleTerms = {
        effect: "allow",
        tool: "Bash",
        match: { kind: "exact", inputHash: bash(command).input?.hash ?? "" },
      };
      expect(
        said([exact, glob("allow", "npx *"), glob("allow", "curl *"), glob("allow", "cat *")], bash(command)),
      ).toBeUndefined();
    }
    expect(said([all("Edit")], asked("Edit", { file_path: "/repo/a.ts", new_string: "signalbox" }))).toBe(
      "allow",
    );
  });

  test("RULE-1: every command of a shell, whatever the rule says", () => {
    expect(said([{ effect: "allow", tool: "Bash" }])).toBeUndefined();
    expect(said([glob("allow", "* status")])).toBeUndefined();
    expect(said([{ effect: "allow", tool: "WebSearch" }], asked("WebSearch", { query: "x" }))).toBe("allow");
  });
});

describe("a rule without a pattern", () => {
  test.each(["Monitor", "PowerShell", "REPL", "Task", "mcp__x__run", "bash", "Write"])(
    "RULING-6: does not let %s run a command, or code",
    (tool) => {
      const rule: RuleTerms = { effect: "allow", tool };
      const inputs = [{ command: "id" }, { code: "id" }, { deep: [{ script: ["id"] }] }];
      expect(inputs.map((input) => said([rule], asked(tool, input)))).toEqual(inputs.map(() => undefined));
      const question = asked(tool, { command: "id" });
      const match = { kind: "exact", inputHash: question.input?.hash ?? expect.fail() } as const;
      expect(said([{ ...rule, match }], question)).toBe("allow");
    },
  );

  test("RULING-6: lets a tool do what is no command", () => {
    for (const tool of ["Task", "WebSearch", "mcp__x__run"])
      expect(said([{ effect: "allow", tool }], asked(tool, { prompt: "run it", note: "id" }))).toBe("allow");
  });
});

describe("a rule to deny, and other names of what it denies", () => {
  const deny = (tool: string, text: string, kind: "prefix" | "glob" = "prefix"): RuleTerms => ({
    effect: "deny",
    tool,
    match: { kind, text },
  });

  test("SUBJECT-2, SUBJECT-3: a command is denied to every tool that takes one, at any depth", () => {
    const rules = [deny("Bash", "git push")];
    const push = "git -C x push";
    expect(said(rules, asked("Monitor", { command: push }))).toBe("deny");
    expect(said(rules, asked("PowerShell", { command: push }))).toBe("deny");
    expect(said(rules, asked("REPL", { code: `sh("${push}")` }))).toBe("deny");
    expect(said(rules, asked("mcp__x__run", { options: [{ script: push }] }))).toBe("deny");
    expect(said(rules, asked("mcp__x__run", { options: [{ note: push }] }))).toBeUndefined();
    expect(said([deny("Monitor", "git push")], bash(push))).toBe("deny");
    expect(said([{ effect: "deny", tool: "Bash" }], asked("Monitor", { command: push }))).toBeUndefined();
  });

  test("SUBJECT-3: a path is denied to all tools that write, or to both that read", () => {
    const rules = [deny("Write", "/repo/secret")];
    const allow: RuleTerms = { effect: "allow", tool: "Edit" };
    const edit = (file_path: string) => asked("Edit", { file_path, old_string: "a", new_string: "b" });
    expect(said([...rules, allow], edit("/repo/secret/x"))).toBe("deny");
    expect(said([...rules, allow], edit("/repo/x"))).toBe("allow");
    expect(said(rules, asked("NotebookEdit", { notebook_path: "/repo/secret/x" }))).toBe("deny");
    expect(said(rules, asked("Read", { file_path: "/repo/secret/x" }))).toBeUndefined();
    expect(said([deny("Read", "/s")], asked("NotebookRead", { notebook_path: "/s/x" }))).toBe("deny");
    expect(said([deny("mcp__*", "/s/**", "glob")], asked("mcp__fs__read", { path: "/s/x" }))).toBe("deny");
  });

  test("RULING-1, SIGHT-2: what may be an alias of what is denied is asked about, though another rule allows it", () => {
    const rules = [glob("allow", "git *"), deny("Bash", "git push")];
    const texts = ["git status", "git -C x push", "git -c alias.p=push p", "git p"];
    expect(texts.map((text) => said(rules, bash(text)))).toEqual(["allow", "deny", "ask", "ask"]);
  });
});
