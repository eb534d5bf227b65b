// What lookups are counted by, when that is an alarm, and what is logged.

import { describe, expect, test } from "vitest";
import { IntentExtractor } from "../../../adapters/intent/extractor.ts";
import { oneCall, Script } from "../../support/intent/script.ts";

const BY_INPUT = { tool: "Bash", input: { command: "npm test" } };
const NO_FILE = "/nowhere/gone.jsonl";

/** A clock that goes on by so many ms with each look. */
const clock = (...steps: readonly number[]) => {
  let at = 0;
  let looks = 0;
  return () => (at += looks++ % 2 === 0 ? 0 : (steps[(looks / 2 - 1) % steps.length] ?? 0));
};

async function asked(extractor: IntentExtractor, path: string, times: number): Promise<void> {
  for (let n = 0; n < times; n++) await extractor.extract(path, BY_INPUT);
}

const silent = () =>
  new Script()
    .line({ type: "user", message: { content: "<task-notification>" } })
    .calls("m1", "t1", "Bash", BY_INPUT.input);

describe("counters", () => {
  test("S2.57, S2.59, S2.60, S2.69: success, method, source and errors, each by itself", async () => {
    const extractor = new IntentExtractor();
    const path = oneCall().save();
    await extractor.extract(path, BY_INPUT);
    await extractor.extract(path, { tool: "Bash" });
    await extractor.extract(path, { tool: "Bash", toolUseId: "t1" });
    await extractor.extract(path, { tool: "Read" });
    await extractor.extract(NO_FILE, BY_INPUT);
    expect(extractor.counts()).toMatchObject({
      lookups: 5,
      outcomes: { found: 3, "none-written": 0, "not-found": 1, unreadable: 1 },
      methods: { input: 1, name: 1, id: 1 },
      sources: { message: 3, parent: 0, display: 0, description: 0, prompt: 0 },
      codes: { NO_SUCH_CALL: 1, NO_FILE: 1 },
      successRate: 0.6,
      errorRate: 0.2,
    });
  });

  test("S2.57, INTENT-MEASURES-1: what nobody wrote is counted apart, as no failure", async () => {
    const extractor = new IntentExtractor();
    await asked(extractor, silent().save(), 30);
    expect(extractor.counts()).toMatchObject({
      outcomes: { "none-written": 30 },
      successRate: 1,
      errorRate: 0,
    });
    expect(extractor.alerts()).toEqual([]);
  });

  test("S2.58: how long lookups took: the middle, one in twenty, the longest", async () => {
    const extractor = new IntentExtractor({ now: clock(...Array.from({ length: 100 }, (_, n) => n + 1)) });
    await asked(extractor, oneCall().save(), 100);
    expect(extractor.counts().latency).toEqual({ p50Ms: 50, p95Ms: 95, maxMs: 100 });
  });

  test("S2.44, S2.57: lines that were passed over are counted by reason", async () => {
    const extractor = new IntentExtractor();
    await extractor.extract(oneCall().raw("{").raw("[]").save(), BY_INPUT);
    expect(extractor.counts().skipped).toMatchObject({ notJson: 1, wrongShape: 1, doubled: 0 });
  });
});

describe("alerts", () => {
  test("S2.61: fewer than 95 of a hundred found, once there were twenty", async () => {
    const extractor = new IntentExtractor();
    await asked(extractor, oneCall().save(), 18);
    await asked(extractor, new Script().prompt("No call here.").save(), 1);
    expect(extractor.alerts()).toEqual([]);
    await asked(extractor, oneCall().save(), 1);
    expect(extractor.alerts()).toEqual([]);
    await asked(extractor, new Script().prompt("No call here.").save(), 1);
    expect(extractor.alerts()).toMatchObject([
      {
        name: "low-success",
        limit: 0.95,
        text: "An intent was found for 90.5 % of the calls that have one; at least 95 % are expected.",
      },
    ]);
  });

  test("S2.62: one lookup in twenty above 500 ms", async () => {
    const slow = new IntentExtractor({ now: clock(501) });
    const quick = new IntentExtractor({ now: clock(500) });
    for (const each of [slow, quick]) await asked(each, oneCall().save(), 20);
    expect(slow.alerts()).toMatchObject([{ name: "high-latency", figure: 501, limit: 500 }]);
    expect(quick.alerts()).toEqual([]);
  });

  test("S2.63: more than one file of a hundred that cannot be read", async () => {
    const extractor = new IntentExtractor();
    await asked(extractor, oneCall().save(), 99);
    await asked(extractor, NO_FILE, 1);
    expect(extractor.alerts()).toEqual([]);
    await asked(extractor, NO_FILE, 1);
    expect(extractor.alerts()).toMatchObject([{ name: "many-errors", limit: 0.01 }]);
  });
});

describe("the log", () => {
  const logged = async (path: string, query = BY_INPUT) => {
    const lines: { readonly facts: object; readonly text: string }[] = [];
    const log = { debug: (facts: object, text: string) => void lines.push({ facts, text }) };
    await new IntentExtractor({ log, now: () => 0 }).extract(path, query);
    return lines;
  };

  test("S2.6, S2.14, S2.45: a failure is one line with path, tool, code and reason", async () => {
    expect(await logged(NO_FILE)).toMatchObject([
      {
        facts: { path: NO_FILE, tool: "Bash", outcome: "unreadable", code: "NO_FILE", ms: 0 },
        text: `There is no file ${NO_FILE}.`,
      },
    ]);
  });

  test("S2.45, S2.47: a mismatch says how many calls had another input", async () => {
    const path = oneCall().save();
    expect(await logged(path, { tool: "Bash", input: { command: "other" } })).toMatchObject([
      { facts: { path, code: "OTHER_INPUT" }, text: "1 call of Bash had another input." },
    ]);
  });

  test("S2.45, S2.49: what was found says how, from where, and what was passed over", async () => {
    const script = new Script().prompt("Go on.").says("m1", "I look.", { timestamp: "never" });
    const path = script.calls("m1", "t1", "Bash", BY_INPUT.input).save();
    expect(await logged(path)).toMatchObject([
      {
        facts: { toolUseId: "t1", how: "input", source: "message", skipped: { badTime: 1 } },
        text: "The intent was found.",
      },
    ]);
  });
});
