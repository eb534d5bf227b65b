// File form
// A file of rules reads back as it was written, and a fault names its line.

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { flawOf, type RuleTerms } from "../../../../machines/index.ts";
import { fileSchema, readRules, writeRules } from "../../../../adapters/cli/rules/file-form.ts";
import { canonicalText, toolInput } from "../../../../runtime/canonical.ts";
import { holds } from "../../../support/properties/property.ts";
import { someRules } from "../../../support/rules/terms.ts";
import { anyText } from "../../../support/rules/texts.ts";

const FILE = "test/adapters/cli/rules/file-form.test.ts";

const more: fc.Arbitrary<Partial<RuleTerms>> = fc.record(
  {
    note: fc.oneof(
      fc.string({ unit: "grapheme", maxLength: 40 }),
      fc.constantFrom("yes", "1e3", "~", "- a: b"),
    ),
    uses: fc.integer({ min: 1, max: 1_000 }),
    expiresAt: fc.integer({ min: 1, max: 4_000_000_000_000 }),
    perHour: fc.integer({ min: 1, max: 100 }),
    hours: fc.constantFrom("Mon-Fri 09:00-17:00+01:00", "Sat,Sun 22:00-06:00Z"),
    session: fc.constantFrom("s1", "null").map((id) => id as RuleTerms["session"] & string),
    dry: fc.constant(true as const),
    unmarked: fc.constant(true as const),
  },
  { requiredKeys: [] },
);
const exact = fc
  .oneof(
    fc.json(),
    anyText.map((command) => JSON.stringify({ command })),
  )
  .map((text): RuleTerms => {
    const { text: input, hash: inputHash } = toolInput(JSON.parse(text));
    return { effect: "allow", tool: "Bash", match: { kind: "exact", inputHash, input } };
  });
const terms = fc
  .tuple(
    fc.oneof(someRules, fc.array(exact, { maxLength: 3 })),
    fc.array(more, { minLength: 9, maxLength: 9 }),
  )
  .map(([rules, others]) => rules.map((rule, n): RuleTerms => ({ ...rule, ...others[n % 9] })))
  .map((rules) => rules.filter((rule) => flawOf(rule) === undefined))
  .map((rules) => [...new Map(rules.map((rule) => [canonicalText(rule), rule])).values()]);

describe("a file of rules", () => {
  it("FILE-FORM-1: reads back as it was written, whatever the texts are", () => {
    holds(FILE, 500, terms, (rules) => {
      expect(readRules(writeRules(rules), "f", "owner")).toEqual(rules);
    });
  });

  it.each([
    ["rules: [", 1, "Flow sequence"],
    ["version: 2\nrules: []", 1, "version"],
    ["version: 1\nrules:\n  - deny: Bash\n    globe: x\n", 4, "globe"],
    ["version: 1\nrules:\n  - deny: Bash\n  - note: x\n", 4, "rule 2 needs one of allow, ask and deny"],
    ["version: 1\nrules:\n  - deny: Bash\n    deny: Edit\n", 4, "unique"],
    ["version: 1\nrules:\n  - deny: Bash\n    prefix: a\n    glob: b\n", 3, "rule 1 has one pattern"],
    ["version: 1\nrules:\n  - deny: Bash\n    until: soon\n", 3, "rule 1 ends at no time"],
    [
      "version: 1\nrules:\n  - allow: Bash\n    prefix: git status\n  - allow: Bash\n",
      5,
      "rule 2.match is missing",
    ],
    ["version: 1\nrules:\n  - deny: Bash\n  - deny: Bash\n", 4, "rule 2 repeats rule 1"],
    ["version: 1\nrules:\n  - &a {deny: Bash}\n  - *a\n", 1, "alias"],
  ] as const)("FILE-FORM-2, YAML-TEXT-1: %j is refused at line %i", (text, line, words) => {
    const read = (): unknown => readRules(text, "f.yaml", "owner");
    expect(read).toThrow(new RegExp(`^f\\.yaml:${line}: `));
    expect(read).toThrow(new RegExp(words, "i"));
  });

  it("RULE-FILE-4: a project's file allows nothing", () => {
    const text = writeRules([{ effect: "allow", tool: "Read" }]);
    expect(readRules(text, "f", "owner")).toHaveLength(1);
    expect(() => readRules(text, "f", "project")).toThrow(
      /^f:4: rule 1\.effect cannot be allow in a project's file/,
    );
  });

  it("FILE-FORM-1: has a schema that names every field", () => {
    const text = JSON.stringify(fileSchema());
    for (const name of [
      "allow",
      "ask",
      "deny",
      "prefix",
      "glob",
      "exact",
      "until",
      "uses",
      "note",
      "dry",
      "project",
    ])
      expect(text).toContain(`"${name}"`);
  });
});
