// Question
// What a policy is told of a call, by hand.

import { describe, expect, test } from "vitest";
import type { AskedCall } from "../../../machines/index.ts";
import type { PolicyCall } from "../../../runtime/policy.ts";
import { policyCall } from "../../../runtime/turn/policy/policy-call.ts";
import { asked, bash } from "../../support/rules/terms.ts";

const of = (call: AskedCall, before: readonly string[] = []): PolicyCall | undefined =>
  policyCall("w", { ...call, approvalId: "a1", state: "pending" }, before);

describe("a question to a policy", () => {
  test.each<[string, AskedCall, Partial<PolicyCall>]>([
    [
      "a plain command",
      bash("git log -3"),
      { isPlain: true, line: "git log -3", words: ["git", "log", "-3"] },
    ],
    ["words with blanks", bash("echo 'a b' c"), { isPlain: true, line: "echo 'a b' c" }],
    [
      "an option that writes",
      bash("git log --output=x"),
      { isPlain: true, reaches: ["--output=x"], risks: [] },
    ],
    [
      "several commands",
      bash("git log && rm -rf x"),
      { isPlain: false, line: "", words: ["git", "log", "rm", "-rf", "x"], risks: ["delete"] },
    ],
    ["an unknown field", asked("Bash", { command: "ls", env: {} }), { isPlain: false, line: "" }],
    ["what no shell reads", asked("REPL", { code: "ls" }), { isPlain: false, line: "", commands: ["ls"] }],
    [
      "a path",
      asked("Read", { file_path: "/repo/a.ts" }),
      { isPlain: true, line: "", words: [], paths: ["/repo/a.ts"] },
    ],
    ["a tool of a server", asked("mcp__a__b", { x: 1 }), { isPlain: false, paths: [], commands: [] }],
    [
      "another client's shell",
      asked("shell", { command: ["git", "log"] }, { shell: { command: "git log", cwd: "/r" }, cwd: "/r" }),
      { isPlain: true, line: "git log", cwd: "/r" },
    ],
    [
      "another client's shell in another folder",
      asked("shell", { command: ["git", "log"] }, { shell: { command: "git log", cwd: "/x" }, cwd: "/r" }),
      { isPlain: false, line: "" },
    ],
  ])("POLICY-CALL-2: %s", (_, call, expected) => {
    expect(of(call)).toMatchObject({ ...expected, inputHash: call.input?.hash });
  });

  test("POLICY-CALL-1: is none where the call cannot be read", () => {
    const { input, ...bare } = bash("ls");
    expect(of(bare)).toBeUndefined();
    expect(of({ ...bare, input: { hash: input?.hash ?? "", bytes: 9 } as never })).toBeUndefined();
    expect(of(bash("ls", { isAmbiguous: true }))).toBeUndefined();
    expect(of(bash(`echo ${"x".repeat(65_536)}`))).toBeUndefined();
    expect(of(bash(`echo ${"x".repeat(1_000)}`))).toBeDefined();
  });

  test("POLICY-CALL-1: names whose call it is, and who asked before", () => {
    const call = bash("ls", { agentType: "Explore", cwd: "/repo" });
    expect(of(call, ["s2/main"])).toMatchObject({
      workspace: "w",
      session: "s",
      agent: "main",
      agentType: "Explore",
      cwd: "/repo",
      tool: "Bash",
      askedBefore: ["s2/main"],
    });
  });
});
