import fc from "fast-check";
import { expect, test } from "vitest";
import { spanText } from "../../../runtime/traces/span.ts";
import { holds } from "../../support/properties/property.ts";

const FILE = "test/runtime/traces/span-text.test.ts";

test("SPAN-1: whatever a client calls a tool, it is short, in one line, and hides nothing", () => {
  holds(FILE, 1_000, fc.string({ unit: "binary", maxLength: 400 }), (name) => {
    const shown = spanText(name);
    expect(Array.from(shown).length).toBeLessThanOrEqual(96);
    expect(shown).not.toMatch(/[\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069\u200b-\u200f]/u);
    expect(shown.isWellFormed()).toBe(true);
  });
});

test("SPAN-1: a plain name stays as it is", () => {
  for (const name of ["Bash", "mcp__github__create_issue", "a".repeat(96)]) expect(spanText(name)).toBe(name);
});
