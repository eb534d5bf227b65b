// Subject
// Commands and paths found in inputs of any shape, whatever the tool is called.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isAbout, isSameKind, mayAllowByPattern, subjectsOf } from "../../../machines/rules/subject.ts";
import { holds } from "../../support/properties/property.ts";
import { commandRule, saidOf, saidOfCall } from "../../support/rules/terms.ts";

const FILE = "test/machines/rules/subject.test.ts";
const COMMAND_FIELDS = [
  "command",
  "cmd",
  "script",
  "code",
  "bash",
  "shellCommand",
  "command_line",
  "Run",
  "argv",
];
const OTHER_FIELDS = ["prompt", "text", "query", "content", "note", "description"];

/** One field with a text, at any depth. */
const inputs = (fields: readonly string[]): fc.Arbitrary<unknown> =>
  fc
    .tuple(
      fc.constantFrom(...fields),
      fc.array(fc.constantFrom<"list" | "object">("list", "object"), { maxLength: 4 }),
    )
    .map(([field, layers]) =>
      layers.reduce<unknown>((inner, layer) => (layer === "list" ? [inner] : { options: inner }), {
        [field]: "id",
      }),
    );
const tools = fc.constantFrom("mcp__x__run", "Task", "bash", "Unheard", "WebFetch");

describe("what an input holds", () => {
  test("SUBJECT-2, RULING-6: a command is found at any depth, and no rule without a pattern allows it", () => {
    holds(FILE, 1_000, fc.tuple(tools, inputs(COMMAND_FIELDS)), ([tool, input]) => {
      expect(subjectsOf(tool, input).commands).toEqual(["id"]);
      expect(saidOfCall([{ effect: "allow", tool }], tool, input)).toBeUndefined();
      expect(saidOfCall([commandRule("deny", "id")], tool, input)).toBe("deny");
    });
  });

  test("SUBJECT-2, RULING-6: what is no command is none", () => {
    holds(FILE, 500, fc.tuple(tools, inputs(OTHER_FIELDS)), ([tool, input]) => {
      expect(subjectsOf(tool, input).commands).toEqual([]);
      expect(saidOfCall([{ effect: "allow", tool }], tool, input)).toBe("allow");
    });
  });

  test("SUBJECT-2: words of sh allow a command only for tools that run it by sh", () => {
    expect(["Bash", "Monitor", "PowerShell", "REPL", "Write", "Grep"].map(mayAllowByPattern)).toEqual([
      ...[true, true, false, false, true, false],
    ]);
    expect(["Bash", "Monitor", "PowerShell", "REPL"].map(isAbout)).toEqual(Array(4).fill("command"));
    const words = (tool: string) =>
      saidOfCall([{ ...commandRule("allow", "git status"), tool }], tool, { command: "git status" });
    expect([words("Monitor"), words("PowerShell"), words("mcp__x__run")]).toEqual([
      "allow",
      undefined,
      undefined,
    ]);
    expect(saidOf([commandRule("allow", "git status")], "git status")).toBe("allow");
  });

  test("SUBJECT-3: tools that write are of one kind, and those that read", () => {
    expect([
      isSameKind("Write", "Edit"),
      isSameKind("Read", "NotebookRead"),
      isSameKind("Read", "Write"),
    ]).toEqual([...[true, true, false]]);
  });
});
