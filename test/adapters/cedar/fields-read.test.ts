// Fields read
// Cedar says the same of the fields that a policy reads as of all, told to it directly.

import * as cedar from "@cedar-policy/cedar-wasm/nodejs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { openCedar } from "../../../adapters/cedar/cedar.ts";
import { fieldsRead } from "../../../adapters/cedar/policy-set.ts";
import type { PolicyCall } from "../../../runtime/policy.ts";
import { holdsLater } from "../../support/properties/property.ts";

const FILE = "test/adapters/cedar/fields-read.test.ts";

const read = (when: string): readonly string[] | undefined => {
  const policy = cedar.policyToJson(`permit (principal, action, resource) when { ${when} };`);
  if (policy.type === "failure") throw new Error("Cedar cannot read it");
  const fields = fieldsRead(policy.json);
  return fields && [...fields];
};

const TEXTS = ["", "a", "npm test"];
const text = fc.constantFrom(...TEXTS);
const list = fc.subarray(["a", "npm", "test"]);
const call: fc.Arbitrary<PolicyCall> = fc.record({
  ...{ workspace: text, session: text, agent: text, agentType: text, cwd: text, tool: text, inputHash: text },
  ...{ isPlain: fc.boolean(), line: text, words: list, reaches: list, commands: list, paths: list },
  ...{ risks: list, askedBefore: list },
});

const condition: fc.Arbitrary<string> = fc.letrec<{ it: string }>((tie) => ({
  it: fc.oneof(
    { depthSize: "small" },
    fc.constantFrom("context.isPlain", "context has cwd", "context has nowhere", "context.nowhere == 1"),
    fc.tuple(fc.constantFrom("line", "cwd", "agentType"), text).map(([f, t]) => `context.${f} == "${t}"`),
    fc.constantFrom("words", "risks", "paths").map((field) => `context["${field}"].contains("a")`),
    fc.constantFrom(
      "{a: context}.a has line && {a: context}.a.reaches.isEmpty()",
      '(if context.isPlain then context else {line: ""}).line == "a"',
      "[context].contains(context)",
      "context has line.x",
      'principal == Agent::"a"',
      '"context.commands" like "*"',
    ),
    fc.tuple(tie("it"), fc.constantFrom("&&", "||"), tie("it")).map(([a, op, b]) => `(${a} ${op} ${b})`),
    tie("it").map((a) => `!(${a})`),
  ),
})).it;
const effect = fc.constantFrom("permit", "forbid");
const policy = fc
  .tuple(effect, condition)
  .map(([kind, when]) => `${kind} (principal, action, resource) when { ${when} };`);

describe("the fields of the context that a policy reads", () => {
  test.each<[string, readonly string[] | undefined]>([
    ["true", []],
    ['context.line == "a" && context has cwd', ["line", "cwd"]],
    ['context["words"].contains(context.line)', ["words", "line"]],
    ["context has line.x", ["line"]],
    ["[context].contains(context)", undefined],
    ["{a: context}.a has line", undefined],
    ['"context.paths" == "a"', []],
  ])("POLICY-SET-3: of %s they are %j", (when, fields) => {
    expect(read(when)).toEqual(fields);
  });

  test("POLICY-SET-3: what Cedar says of them is what it says of all", async () => {
    const effects = new Set<string>();
    await holdsLater(
      FILE,
      300,
      fc.tuple(fc.array(policy, { minLength: 1, maxLength: 4 }), call),
      async ([of, its]) => {
        const { agent, tool, inputHash, ...context } = its;
        const whole = cedar.isAuthorized({
          principal: { type: "Agent", id: agent },
          action: { type: "Action", id: tool },
          resource: { type: "Call", id: inputHash },
          context: context as unknown as cedar.Context,
          policies: { staticPolicies: of.join("\n") },
          entities: [],
        });
        if (whole.type === "failure") throw new Error(JSON.stringify(whole.errors));
        const { decision, diagnostics } = whole.response;
        const isForbidden = decision === "deny" && diagnostics.reason.length > 0;
        const otherwise = decision === "allow" ? "permit" : "none";
        const expected = isForbidden ? "forbid" : diagnostics.errors.length > 0 ? "ask" : otherwise;
        const reader = await openCedar(of.join("\n"));
        expect(reader.decide(its).effect).toBe(expected);
        effects.add(expected);
      },
    );
    expect([...effects].sort()).toEqual(["ask", "forbid", "none", "permit"]);
  });
});
