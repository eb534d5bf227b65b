// Once
// What is read of a call once holds for every call that is the same, and for no other.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type AskedCall,
  NOTHING_GUARDED,
  type RuleTerms,
  rulingsOfEach,
} from "../../../../machines/index.ts";
import { toolInput } from "../../../../runtime/canonical.ts";
import { marksOnce, once } from "../../../../runtime/reading/backtest/once.ts";
import { withMarks } from "../../../../runtime/risks/marked.ts";
import { holds } from "../../../support/properties/property.ts";
import { pastOf } from "../../../support/suggestions/history.ts";

const FILE = "test/runtime/reading/backtest/once.test.ts";

/** Texts that would be told apart wrongly if they were only put together. */
const PIECES = ["", "1", "1:", "/a", "/a1:", "Bash", "Bash2:/a", "Edit", "Shell", "!", "?"] as const;
const command = fc.constantFrom("ls", "cat ../x", "rm -rf x", "cat .env", "npm test");
const asked: fc.Arbitrary<AskedCall> = fc
  .record({
    tool: fc.constantFrom(...PIECES),
    command,
    cwd: fc.option(fc.constantFrom(...PIECES, "/home/ann"), { nil: undefined }),
    shell: fc.option(fc.record({ command, cwd: fc.constantFrom("/a", "/home/ann") }), { nil: undefined }),
    isAmbiguous: fc.boolean(),
    hasInput: fc.boolean(),
  })
  .map(({ tool, command: text, cwd, shell, isAmbiguous, hasInput }) => {
    const { input, cwd: _, ...past } = pastOf({ tool, input: { command: text }, answer: "expired" }, 0);
    return {
      ...{ ...past, isAmbiguous },
      ...(hasInput && input && { input }),
      ...(cwd !== undefined && { cwd }),
      ...(shell && { shell }),
    };
  });

const RULES: readonly RuleTerms[] = [
  { effect: "allow", tool: "Bash", match: { kind: "glob", text: "ls" }, project: "/a", unmarked: true },
  { effect: "allow", tool: "Bash", match: { kind: "glob", text: "cat *" }, unmarked: true },
  {
    ...{ effect: "allow", tool: "Edit", unmarked: true },
    match: { kind: "exact", inputHash: toolInput({ command: "npm test" }).hash },
  },
];

describe("once", () => {
  test("BACKTEST-ONCE-1: what is kept is what would be read anew, for the marks and for the rules", () => {
    holds(FILE, 200, fc.array(asked, { maxLength: 40 }), (calls) => {
      const marking = marksOnce();
      const said = once((call: AskedCall) => rulingsOfEach(RULES, marking(call), NOTHING_GUARDED));
      for (const call of calls) {
        expect(marking(call).isMarked()).toBe(withMarks(call).isMarked());
        expect(said(call)).toEqual(rulingsOfEach(RULES, withMarks(call), NOTHING_GUARDED));
      }
    });
  });

  test("BACKTEST-ONCE-1: of the same call nothing is read twice, whoever asked and when", () => {
    let reads = 0;
    const read = once(() => (reads += 1));
    const past = { input: { command: "ls" }, answer: "approved" } as const;
    for (const n of [1, 2, 3]) read(pastOf({ ...past, session: `s${n}`, at: n, by: `local:${n}` }, n));
    expect(reads).toBe(1);
    for (const other of [{ cwd: "/elsewhere" }, { tool: "Monitor" }, { input: { command: "pwd" } }])
      read(pastOf({ ...past, ...other }, 4));
    expect(reads).toBe(4);
  });
});
