// How much of a file is read for an answer.

import { describe, expect, test } from "vitest";
import { extractIntent } from "../../../adapters/intent/lookup.ts";
import { IntentExtractor } from "../../../adapters/intent/extractor.ts";
import { LinesBackwards } from "../../../adapters/intent/lines-backwards.ts";
import { oneCall, Script, START } from "../../support/intent/script.ts";

const limits = (line: number) => ({ line, file: Infinity });

/** A file in memory that counts what is read of it. */
function counting(text: string) {
  const bytes = Buffer.from(text);
  const reads: { readonly from: number; readonly length: number }[] = [];
  return {
    reads,
    size: bytes.length,
    read: async (from: number, length: number): Promise<Buffer> => {
      reads.push({ from, length });
      return Promise.resolve(bytes.subarray(from, from + length));
    },
  };
}

async function all(lines: LinesBackwards): Promise<readonly (string | undefined)[]> {
  const seen: (string | undefined)[] = [];
  for (let line = await lines.next(); line; line = await lines.next()) seen.unshift(line.bytes?.toString());
  return seen;
}

describe("lines backwards", () => {
  test.each([
    ["nothing", ""],
    ["one line", "one"],
    ["a last line break", "one\ntwo\n"],
    ["line breaks of Windows", "one\r\ntwo\r\n"],
    ["empty lines", "\n\none\n\n\ntwo\n\n"],
    [
      "lines around the edges of chunks",
      `${"a".repeat(65_535)}\n${"b".repeat(65_536)}\n${"c".repeat(65_537)}\n`,
    ],
    ["a line over several chunks", `one\n${"x".repeat(300_000)}\ntwo`],
    ["letters of several bytes over an edge", `${"ä".repeat(32_767)}€\n${"€".repeat(30_000)}`],
  ])("S2.1, S2.67: %s: every line, whole, the last one first", async (_, text) => {
    const lines = new LinesBackwards(counting(text), limits(1_000_000));
    expect(await all(lines)).toEqual(text.split("\n"));
  });

  test("S2.67: each line is told with the place it begins at", async () => {
    const lines = new LinesBackwards(counting("one\nzwölf\nthree"), limits(100));
    const offsets = [];
    for (let line = await lines.next(); line; line = await lines.next()) offsets.push(line.offset);
    expect(offsets).toEqual([11, 4, 0]);
  });

  test("S2.32, S2.35: every byte is read once, in chunks, from the end", async () => {
    const source = counting("line\n".repeat(50_000));
    await all(new LinesBackwards(source, limits(1_000)));
    expect(source.reads.map(({ length }) => length)).toEqual([65_536, 65_536, 65_536, 53_392]);
    expect(
      source.reads.reduce((end, { from, length }) => (from + length === end ? from : NaN), 250_000),
    ).toBe(0);
  });

  test("S2.42, INTENT-LINES-BACKWARDS-1: a line that is too long is told of, and not held", async () => {
    const lines = new LinesBackwards(counting(`one\n${"x".repeat(500_000)}\ntwo`), limits(1_000));
    expect(await all(lines)).toEqual(["one", undefined, "two"]);
  });
});

test("S2.48, INTENT-LINES-BACKWARDS-1: no more of a file is read than is allowed, though it is one line", async () => {
  const source = counting("x".repeat(1_000_000));
  const lines = new LinesBackwards(source, { line: 1_000, file: 200_000 });
  expect(await lines.next()).toBeUndefined();
  expect(lines.isCut).toBe(true);
  expect(source.reads).toHaveLength(4);
});

describe("how far", () => {
  const padded = (lines: number): string =>
    `${JSON.stringify({ type: "system", uuid: "x", note: "a".repeat(1_000) })}\n`.repeat(lines);

  test("S2.43: an answer at the end costs the same in a file ten times as large, one further back more by what lies between", async () => {
    const cost = async (before: number, after: number): Promise<number> => {
      const source = counting(`${padded(before)}wanted\n${padded(after)}`);
      const lines = new LinesBackwards(source, limits(10_000));
      for (let line = await lines.next(); line?.bytes?.toString() !== "wanted"; line = await lines.next());
      return source.reads.length;
    };
    expect(await cost(10_000, 1)).toBe(await cost(1_000, 1));
    expect(await cost(10_000, 1_000)).toBeLessThanOrEqual(10 * (await cost(10_000, 100)));
  });

  test("S2.31, S2.33: no more entries are parsed than are asked for, and none before the window", async () => {
    const broken = "{ this line cannot be parsed }";
    const old = new Script().prompt("Long ago.").raw(broken).prompt("Still long ago.").wait(600_000);
    old.prompt("Go on.").says("m1", "I run the tests.").calls("m1", "t1", "Bash", { command: "npm test" });
    const query = { tool: "Bash", input: { command: "another" }, at: old.at };
    expect(await extractIntent(old.save(), query)).toMatchObject({ text: "", skipped: { notJson: 0 } });
    expect(await extractIntent(old.save(), { ...query, windowMs: 3_600_000 })).toMatchObject({
      skipped: { notJson: 1 },
    });
    expect(await extractIntent(old.save(), { ...query, windowMs: 3_600_000, maxEntries: 3 })).toMatchObject({
      skipped: { notJson: 0 },
    });
  });
});

describe("lookups in a row", () => {
  const ask = { tool: "Bash", input: { command: "npm test" }, at: START + 1_000 };

  test("S2.34, S2.35, S2.36, S2.65, INTENT-HISTORY-1: a file that did not change is not parsed again", async () => {
    const extractor = new IntentExtractor();
    const path = oneCall().raw("{ this line cannot be parsed }").save();
    const answers = [];
    for (let n = 0; n < 3; n++) answers.push(await extractor.extract(path, ask));
    expect(new Set(answers.map((each) => JSON.stringify(each))).size).toBe(1);
    // Counted as often as it was told of; read, once.
    expect(extractor.counts()).toMatchObject({ lookups: 3, filesRead: 1 });
  });

  test("S2.42, S2.65: the entries of two files are kept, or of as many as were asked for", async () => {
    const paths = [oneCall().save(), oneCall().save(), oneCall().save()];
    const readFor = async (extractor: IntentExtractor): Promise<number> => {
      for (const path of [...paths, ...paths.slice(1)]) await extractor.extract(path, ask);
      return extractor.counts().filesRead;
    };
    expect(await readFor(new IntentExtractor())).toBe(3);
    expect(await readFor(new IntentExtractor({ cachedFiles: 0 }))).toBe(5);
  });

  test("S2.46: lookups at the same time give what lookups one after another give", async () => {
    const script = oneCall().result("t1").says("m2", "More.").calls("m2", "t2", "Bash", { command: "ls" });
    const path = script.save();
    const queries = ["t1", "t2", "t3"].map((toolUseId) => ({ tool: "Bash", toolUseId }));
    const extractor = new IntentExtractor();
    const together = await Promise.all(queries.map((query) => extractor.extract(path, query)));
    const alone = [];
    for (const query of queries) alone.push(await extractIntent(path, query));
    expect(together.map(({ text }) => text)).toEqual(["I run the tests.", "More.", ""]);
    expect(together).toEqual(alone);
  });

  test("S2.17, S2.66: limits are set once for all lookups, and for one", async () => {
    const late = { ...ask, at: START + 120_000 };
    const path = oneCall().save();
    const extractor = new IntentExtractor({ defaults: { windowMs: 600_000 } });
    expect(await extractor.extract(path, late)).toMatchObject({ text: "I run the tests." });
    expect(await extractor.extract(path, { ...late, windowMs: 1_000 })).toMatchObject({ text: "" });
    const few = new IntentExtractor({ defaults: { maxEntries: 1, matchInput: false } });
    expect(await few.extract(path, { ...ask, input: { other: 1 } })).toMatchObject({ call: { how: "name" } });
  });
});
