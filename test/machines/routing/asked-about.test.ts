// Asked about
// Two questions are the same where every fact is, and no fact counts for less than the whole of it.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type AskedAbout, contradicting, differing } from "../../../machines/index.ts";
import { toolInput } from "../../../runtime/canonical.ts";
import { nearHashes } from "../../support/engine/near-hashes.ts";
import { holds } from "../../support/properties/property.ts";

const FILE = "test/machines/routing/asked-about.test.ts";
const NAMES = ["session", "run", "agent", "call", "tool", "inputHash"] as const;
const factOf = (name: (typeof NAMES)[number]): string => (name === "inputHash" ? "input" : name);

const { hash } = toolInput({ command: "make" });
const WHOLE: AskedAbout = {
  session: "s1",
  run: "p1",
  agent: "a1",
  call: "t1",
  tool: "Bash",
  inputHash: hash,
};
const word = fc.option(fc.constantFrom("x", "X", "xx"), { nil: undefined });
const some: fc.Arbitrary<Partial<AskedAbout>> = fc
  .tuple(...NAMES.map(() => word))
  .map((words) =>
    Object.fromEntries(
      words.flatMap((said, n) => (said === undefined ? [] : [[NAMES[n] ?? expect.fail(), said]])),
    ),
  );

describe("what differs between two questions", () => {
  test("ASKED-ABOUT-1: is each fact that is another one, or that one of them leaves out, in their order", () => {
    holds(FILE, 2_000, fc.tuple(some, some), ([was, now]) => {
      const differ = NAMES.filter((name) => was[name] !== now[name]);
      expect(differing(was, now)).toEqual(differ.map(factOf));
      const both = differ.filter((name) => was[name] !== undefined && now[name] !== undefined);
      expect(contradicting(was, now)).toEqual(both.map(factOf));
    });
  });

  test("ASKED-ABOUT-1: is the input, however near the hashes are", () => {
    for (const inputHash of nearHashes(hash)) {
      expect(differing(WHOLE, { ...WHOLE, inputHash }), inputHash).toEqual(["input"]);
      expect(contradicting({ ...WHOLE, inputHash }, WHOLE), inputHash).toEqual(["input"]);
    }
    expect(differing(WHOLE, { ...WHOLE })).toEqual([]);
  });
});
