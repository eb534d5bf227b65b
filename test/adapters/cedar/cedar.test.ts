// Cedar
// What Cedar itself says, through the package as it is installed.

import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { openCedar } from "../../../adapters/cedar/cedar.ts";
import type { PolicyCall, PolicyVerdict } from "../../../runtime/policy.ts";
import { holdsLater } from "../../support/properties/property.ts";

const FILE = "test/adapters/cedar/cedar.test.ts";

const question: PolicyCall = {
  workspace: "w",
  session: "s1",
  agent: "main",
  agentType: "",
  cwd: "/repo",
  tool: "Bash",
  inputHash: "ab",
  isPlain: true,
  line: "npm test",
  words: ["npm", "test"],
  reaches: [],
  commands: ["npm test"],
  paths: [],
  risks: [],
  askedBefore: [],
};

const decide = async (text: string, other: Partial<PolicyCall> = {}): Promise<PolicyVerdict> =>
  (await openCedar(text)).decide({ ...question, ...other });

const about = (kind: string, when: string, name = "p"): string =>
  `@id("${name}") ${kind} (principal, action, resource) when { ${when} };`;

describe("a policy in Cedar's language", () => {
  test.each<[string, string, PolicyVerdict]>([
    ["permits", about("permit", `context.line == "npm test"`), { effect: "permit", policies: ["p"] }],
    ["forbids", about("forbid", `context.words.contains("npm")`), { effect: "forbid", policies: ["p"] }],
    ["says nothing of other calls", about("permit", "!context.isPlain"), { effect: "none", policies: [] }],
    [
      "asks by a forbid",
      `@effect("ask") ${about("forbid", "context.risks.isEmpty()")}`,
      { effect: "ask", policies: ["p"], reason: "the policy asks" },
    ],
    [
      "asks by a permit, beside one that permits",
      `@effect("ask") ${about("permit", "true")} ${about("permit", "true", "q")}`,
      { effect: "ask", policies: ["p"], reason: "the policy asks" },
    ],
    [
      "forbids beside one that asks",
      `@effect("ask") ${about("forbid", "true")} ${about("forbid", "true", "q")}`,
      { effect: "forbid", policies: ["q"] },
    ],
    [
      "knows agent, session, workspace and tool",
      `permit (principal == Agent::"main", action == Action::"Bash", resource == Call::"ab") when
       { context.session == "s1" && context.workspace == "w" };`,
      { effect: "permit", policies: ["policy0"] },
    ],
    [
      "knows the rest",
      about(
        "permit",
        `context.cwd == "/repo" && context.agentType == "" && context.commands.contains("npm test")
         && context.paths.isEmpty() && context.reaches.isEmpty() && context.askedBefore.isEmpty()`,
      ),
      { effect: "permit", policies: ["p"] },
    ],
  ])("CEDAR-1: %s", async (_, text, verdict) => {
    expect(await decide(text)).toEqual(verdict);
  });

  test("CEDAR-1: deny beats ask beats permit, whichever are about the call", async () => {
    const kind = fc.constantFrom("permit", "forbid", '@effect("ask") permit', '@effect("ask") forbid');
    const policies = fc.array(fc.record({ kind, holds: fc.boolean() }), { minLength: 1, maxLength: 12 });
    await holdsLater(FILE, 150, policies, async (all) => {
      const text = all.map(({ kind: each, holds }, n) => about(each, String(holds), `p${n}`)).join("\n");
      const kinds = all.filter(({ holds }) => holds).map((each) => each.kind);
      const { effect } = await decide(text);
      const asks = kinds.some((each) => each.startsWith("@"));
      const wanted = kinds.includes("forbid")
        ? "forbid"
        : asks
          ? "ask"
          : kinds.length > 0
            ? "permit"
            : "none";
      expect(effect).toBe(wanted);
    });
  });

  test("CEDAR-2: an error asks, unless another policy forbids", async () => {
    const broken = about("permit", "context.nothing == 1", "broken");
    const permit = about("permit", "true");
    const reason = "the policy meets an error";
    expect(await decide(`${broken} ${permit}`)).toEqual({ effect: "ask", policies: ["broken"], reason });
    expect(await decide(`${broken} ${about("forbid", "true")}`)).toEqual({
      effect: "forbid",
      policies: ["p"],
    });
  });

  test("CEDAR-2: text that is no Unicode asks, in whichever field it stands", async () => {
    for (const [name, value] of Object.entries(question)) {
      if (typeof value === "boolean") continue;
      const odd = typeof value === "string" ? "\ud800" : ["x", "\udc00"];
      expect(await decide(about("permit", "true"), { [name]: odd })).toMatchObject({ effect: "ask" });
    }
    expect(await decide(about("permit", "true"), { line: "\u{1f600}" })).toMatchObject({ effect: "permit" });
  });

  test("CEDAR-2: what is thrown, or not known, asks", async () => {
    const real = await import("@cedar-policy/cedar-wasm/nodejs");
    for (const statefulIsAuthorized of [
      () => {
        throw new Error("unreachable");
      },
      () => ({ type: "failure" as const, errors: [], warnings: [] }),
    ]) {
      const reader = await openCedar(about("permit", "true"), () =>
        Promise.resolve({ ...real, statefulIsAuthorized }),
      );
      expect(reader.decide(question)).toMatchObject({ effect: "ask", policies: [] });
    }
  });

  test("CEDAR-2: hostile words are words", async () => {
    const odd = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.constantFrom("__entity", "__extn", '"); permit', "*"),
    );
    const permits = await openCedar(about("permit", `context.line == "npm test"`));
    await holdsLater(FILE, 200, fc.tuple(odd, fc.array(odd)), ([line, words]) => {
      const { effect } = permits.decide({ ...question, line, words, paths: words, cwd: line, agent: line });
      expect(effect).toBe("none");
      return Promise.resolve();
    });
  });

  test("CEDAR-3: without the package a start is refused, and told what to do", async () => {
    await expect(
      openCedar("", () => Promise.reject(new Error("ERR_MODULE_NOT_FOUND"))),
    ).rejects.toMatchObject({
      code: "POLICY_READER_ABSENT",
      next: expect.stringContaining("npm install @cedar-policy/cedar-wasm") as string,
    });
  });

  test("CEDAR-1: two policies that are open at once do not mix", async () => {
    const [one, other] = [await openCedar(about("permit", "true")), await openCedar(about("forbid", "true"))];
    expect([one.decide(question).effect, other.decide(question).effect]).toEqual(["permit", "forbid"]);
    expect(one.engine).toMatch(/^cedar \d+\.\d+\.\d+$/);
  });
});

describe("the example in docs/reference/rules.md", () => {
  const [, text = ""] = /```cedar\n([^]*?)```/.exec(readFileSync("docs/reference/rules.md", "utf8")) ?? [];

  test.each<[Partial<PolicyCall>, string]>([
    [{}, "permit tests"],
    [{ isPlain: false, line: "" }, "none"],
    [{ tool: "Edit", workspace: "shop-1a", agentType: "writer" }, "permit docs"],
    [{ tool: "Write", workspace: "shop-1a", agentType: "writer" }, "none"],
    [{ line: "", isPlain: false, words: ["cd", "x", "git", "push"] }, "forbid no-push"],
    [{ tool: "mcp__pay__send", askedBefore: ["s2/main"] }, "ask second-asker"],
    [{ tool: "mcp__pay__send" }, "none"],
  ])("CEDAR-1: says of %j: %s", async (other, expected) => {
    const { effect, policies } = await decide(text, other);
    expect([effect, ...policies].join(" ")).toBe(expected);
  });
});

describe("the policies of a text", () => {
  test("POLICY-SET-1: without an @id are called by their place", async () => {
    const text = Array.from(
      { length: 12 },
      (_, n) => `permit (principal, action, resource) when { context.line == "${n}" };`,
    ).join("\n");
    for (const n of [0, 2, 9, 10, 11])
      expect(await decide(text, { line: String(n) })).toEqual({ effect: "permit", policies: [`policy${n}`] });
  });

  test.each([
    ["that cannot be read", "permit (\nprincipal, action", /^The policy cannot be used: line 2: /],
    ["without any", "// nothing\n", /it has no policy/],
    ["with a template", "permit (principal == ?principal, action, resource);", /it has a template/],
    [
      "with two of one name",
      `${about("permit", "true")} ${about("forbid", "true")}`,
      /two policies are called p/,
    ],
    ["with a name that is none", about("permit", "true", "a b"), /an @id must match/],
    [
      "with an unknown effect",
      `@effect("deny") ${about("permit", "true")}`,
      /p has another @effect than "ask"/,
    ],
  ])("POLICY-SET-2: a text %s is refused", async (_, text, message) => {
    await expect(openCedar(text)).rejects.toMatchObject({
      code: "POLICY_INVALID",
      message: expect.stringMatching(message) as string,
    });
  });
});
