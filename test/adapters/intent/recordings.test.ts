// Intent in recordings of the real client, held against what a person judged.

import { beforeAll, describe, expect, test } from "vitest";
import { extractIntent } from "../../../adapters/intent/lookup.ts";
import { coverage, evaluate, type Tally } from "../../support/intent/evaluate.ts";
import { fileOf, labels } from "../../support/intent/labels.ts";

let tallies: readonly Tally[];
beforeAll(async () => {
  tallies = await evaluate();
}, 60_000);

const named = (way: string): Tally => {
  const tally = tallies.find((each) => each.way === way);
  if (!tally) throw new Error(`No lookups were made "${way}".`);
  return tally;
};

describe("recordings", () => {
  test("S2.54: more than a hundred calls were labelled, each with a reason, no call twice in one file", () => {
    const all = labels();
    expect(all.length).toBeGreaterThanOrEqual(100);
    expect(all.every(({ reason }) => reason.length > 20)).toBe(true);
    expect(new Set(all.map(({ transcript, call, agentId }) => `${transcript} ${call} ${agentId}`)).size).toBe(
      all.length,
    );
  });

  test("S2.29, S2.38, S2.39: by id every labelled call has the right words, or rightly none", () => {
    expect(named("labelled, by id")).toMatchObject({ asked: 119, right: 119, complaints: [] });
  });

  test("S2.27, S2.29, S2.30, S2.37: so it has without an id, by what a hook tells", () => {
    expect(named("labelled, by tool, input and time")).toMatchObject({
      asked: 113,
      right: 113,
      complaints: [],
    });
  });

  test("S2.29, S2.61: every call of every transcript has words", () => {
    expect(coverage(named("every call of every transcript, by id"))).toBeGreaterThanOrEqual(0.95);
  });

  test.each([
    "as it stood at PreToolUse, by id",
    "as it stood at PreToolUse, by tool and input",
    "as it stood at PostToolUse, by id",
    "as it stood at PostToolUse, by tool and input",
  ])("S2.15, S2.27, S2.28, S2.30, S2.40: words may be missing when a hook comes, never wrong: %s", (way) => {
    const tally = named(way);
    expect(tally.complaints).toEqual([]);
    expect(tally.right).toBeGreaterThan(40);
    expect(tally.right + tally.missed).toBe(tally.asked);
  });

  test("S2.46, INTENT-EXTRACTOR-2: the same query gives the same answer", async () => {
    for (const label of labels().slice(0, 20)) {
      const query = { tool: "", toolUseId: label.call };
      const [one, other] = [
        await extractIntent(fileOf(label), query),
        await extractIntent(fileOf(label), query),
      ];
      expect(one).toEqual(other);
    }
  });
});
