// Which call a hook means.

import { describe, expect, test } from "vitest";
import { extractIntent } from "../../../adapters/intent/lookup.ts";
import { oneCall, Script, START } from "../../support/intent/script.ts";

const nothing = (code: string) => ({ outcome: "not-found", text: "", code });

describe("by tool, input and time", () => {
  test("S2.1, S2.2, S2.3, S2.8, S2.19, S2.27, S2.37: a Pre without an id finds its call, the call's id and its words", async () => {
    const script = oneCall();
    const path = script.save();
    const found = await extractIntent(path, {
      tool: "Bash",
      input: { command: "npm test" },
      at: script.at + 20,
    });
    expect(found).toMatchObject({
      outcome: "found",
      text: "I run the tests.",
      source: "message",
      confidence: "certain",
      place: { path, uuid: "u2" },
      call: { toolUseId: "t1", how: "input", candidates: 1, place: { uuid: "u3" } },
    });
  });

  test("S2.20, S2.11: another tool's call is no match, whatever its input", async () => {
    const path = oneCall().save();
    expect(await extractIntent(path, { tool: "Read", input: { command: "npm test" } })).toMatchObject(
      nothing("NO_SUCH_CALL"),
    );
  });

  test("S2.10, S2.13, S2.18, S2.21: a call more than 60 s before the hook is not looked at, unless told otherwise", async () => {
    const script = oneCall();
    const path = script.save();
    const ask = (after: number, windowMs?: number) =>
      extractIntent(path, {
        tool: "Bash",
        input: { command: "npm test" },
        at: script.at + after,
        ...(windowMs !== undefined && { windowMs }),
      });
    expect(await ask(60_000)).toMatchObject({ text: "I run the tests." });
    expect(await ask(60_001)).toMatchObject(nothing("NO_SUCH_CALL"));
    expect(await ask(60_001, 0)).toMatchObject(nothing("NO_SUCH_CALL"));
    expect(await ask(60_001, -5)).toMatchObject(nothing("NO_SUCH_CALL"));
    expect(await ask(60_001, 600_000)).toMatchObject({ text: "I run the tests." });
    expect(await ask(100, 60)).toMatchObject(nothing("NO_SUCH_CALL"));
  });

  test("S2.10: a call that was written after the hook came is not the one", async () => {
    const script = oneCall();
    const path = script.save();
    expect(
      await extractIntent(path, { tool: "Bash", input: { command: "npm test" }, at: script.at - 5_000 }),
    ).toMatchObject(nothing("NO_SUCH_CALL"));
  });

  test("S2.10, S2.22, INTENT-CALL-1: of several calls of one tool the newest message's is meant", async () => {
    const script = oneCall()
      .result("t1")
      .says("m2", "Once more, with all of them.")
      .calls("m2", "t2", "Bash", { command: "npm test" });
    expect(
      await extractIntent(script.save(), { tool: "Bash", input: { command: "npm test" }, at: script.at }),
    ).toMatchObject({ text: "Once more, with all of them.", call: { toolUseId: "t2" } });
  });

  test("S2.9: among the last entries only, a hundred or as many as were asked for", async () => {
    const script = oneCall();
    for (let n = 0; n < 99; n++) script.line({ type: "system", subtype: "note" });
    const query = { tool: "Bash", input: { command: "npm test" }, at: START + 1_000 };
    expect(await extractIntent(script.save(), query)).toMatchObject({ text: "I run the tests." });
    script.line({ type: "system", subtype: "note" });
    const path = script.save();
    expect(await extractIntent(path, query)).toMatchObject({
      ...nothing("NO_SUCH_CALL"),
      reason: `No call of Bash that fits is among the last 100 entries of ${path}.`,
    });
    expect(await extractIntent(path, { ...query, maxEntries: 101 })).toMatchObject({
      text: "I run the tests.",
    });
    expect(await extractIntent(path, { ...query, maxEntries: 0 })).toMatchObject({ text: "" });
  });

  test("S2.10: only the agent's lines hold calls; a copy in a person's or the client's line is none", async () => {
    const copy = [{ type: "tool_use", id: "t9", name: "Bash", input: { command: "npm test" } }];
    const script = new Script()
      .prompt("Make it green.")
      .line({ type: "user", message: { role: "user", content: copy } })
      .line({ type: "system", message: { content: copy } });
    expect(
      await extractIntent(script.save(), { tool: "Bash", input: { command: "npm test" } }),
    ).toMatchObject(nothing("NO_SUCH_CALL"));
  });
});

describe("inputs", () => {
  const two = () =>
    new Script()
      .prompt("Look.")
      .says("m1", "First the head.")
      .calls("m1", "t1", "Read", { file_path: "a.ts", limit: 10 })
      .says("m1", "Then all of it.")
      .calls("m1", "t2", "Read", { file_path: "a.ts", limit: 30 });

  test.each([
    ["file_path", "Read", { file_path: "a.ts" }, { file_path: "b.ts" }],
    ["command", "Bash", { command: "ls" }, { command: "ls -l" }],
    ["query", "WebSearch", { query: "one" }, { query: "two" }],
    ["url", "WebFetch", { url: "https://a.example" }, { url: "https://b.example" }],
    ["none of the four", "Grep", { pattern: "one" }, { pattern: "two" }],
  ])("S2.12, S2.25, S2.47: calls in one message are told apart by %s", async (_, tool, one, other) => {
    const script = new Script()
      .prompt("Go on.")
      .says("m1", "The one.")
      .calls("m1", "t1", tool, one)
      .says("m1", "The other.")
      .calls("m1", "t2", tool, other);
    const path = script.save();
    expect(await extractIntent(path, { tool, input: one, at: script.at })).toMatchObject({
      text: "The one.",
    });
    expect(await extractIntent(path, { tool, input: other, at: script.at })).toMatchObject({
      text: "The other.",
    });
  });

  test("S2.12, S2.39: the same file at another place is another call; the order of fields does not matter", async () => {
    const path = two().save();
    expect(
      await extractIntent(path, { tool: "Read", input: { limit: 30, file_path: "a.ts" } }),
    ).toMatchObject({ text: "Then all of it." });
    expect(
      await extractIntent(path, { tool: "Read", input: { limit: 10, file_path: "a.ts" } }),
    ).toMatchObject({ text: "First the head." });
  });

  test("S2.26, S2.40, S2.47: no call with that input: nothing, and it is said that there are others", async () => {
    expect(await extractIntent(two().save(), { tool: "Read", input: { file_path: "b.ts" } })).toMatchObject({
      ...nothing("OTHER_INPUT"),
      reason: "2 calls of Read had another input.",
    });
  });

  test("S2.39, S2.40: calls that fit equally under different words give nothing", async () => {
    const query = { tool: "Read", at: two().at };
    expect(await extractIntent(two().save(), query)).toMatchObject(nothing("AMBIGUOUS"));
    expect(
      await extractIntent(two().save(), { ...query, input: { file_path: "z" }, matchInput: false }),
    ).toMatchObject(nothing("AMBIGUOUS"));
  });

  test("S2.17, S2.37: equal calls under the same words need not be told apart; names alone do where inputs are not compared", async () => {
    const script = new Script().prompt("Go on.").says("m1", "Twice each.");
    script.calls("m1", "t1", "Bash", { command: "ls" }).calls("m1", "t2", "Bash", { command: "ls" });
    const path = script.save();
    expect(
      await extractIntent(path, { tool: "Bash", input: { command: "ls" }, at: script.at }),
    ).toMatchObject({ text: "Twice each.", call: { how: "input", candidates: 2 } });
    expect(
      await extractIntent(path, {
        tool: "Bash",
        input: { command: "rewritten" },
        matchInput: false,
        at: script.at,
      }),
    ).toMatchObject({ text: "Twice each.", call: { how: "name" } });
  });
});

describe("what has ended", () => {
  test("S2.15, S2.28: a Post without an id finds its call, before and just after its result is written", async () => {
    const script = oneCall().wait(500);
    const query = { tool: "Bash", input: { command: "npm test" } };
    expect(await extractIntent(script.save(), { ...query, at: script.at })).toMatchObject({
      confidence: "certain",
    });
    script.result("t1");
    for (const at of [script.at - 5, script.at + 1_500])
      expect(await extractIntent(script.save(), { ...query, at })).toMatchObject({
        text: "I run the tests.",
        confidence: "certain",
      });
    expect(await extractIntent(script.save(), query)).toMatchObject({
      text: "I run the tests.",
      confidence: "likely",
    });
  });

  test("S2.5, S2.39, INTENT-CALL-2: the transcript lags: a call of before that has its result is not taken for the new one", async () => {
    const script = oneCall().result("t1").says("m2", "Green. I run them once more.");
    const query = { tool: "Bash", input: { command: "npm test" } };
    expect(await extractIntent(script.save(), { ...query, at: script.at + 5_000 })).toMatchObject(
      nothing("HAD_ENDED"),
    );
    expect(await extractIntent(script.save(), query)).toMatchObject({
      ...nothing("HAD_ENDED"),
      reason: "The call that fits had its result already.",
    });
  });
});

describe("by id", () => {
  test("S2.13, S2.38: a given id is used alone: no window, no input, no time", async () => {
    const script = oneCall().result("t1").wait(3_600_000).prompt("Thanks.");
    expect(
      await extractIntent(script.save(), {
        tool: "Bash",
        input: { command: "something else" },
        toolUseId: "t1",
        at: script.at,
      }),
    ).toMatchObject({ text: "I run the tests.", confidence: "certain", call: { how: "id" } });
  });

  test("S2.5, S2.40: an id that is not there gives nothing, though a call would fit", async () => {
    expect(
      await extractIntent(oneCall().save(), {
        tool: "Bash",
        input: { command: "npm test" },
        toolUseId: "t2",
      }),
    ).toMatchObject(nothing("NO_SUCH_CALL"));
  });
});

describe("times that cannot be read", () => {
  const badly = (timestamp: unknown) =>
    new Script()
      .prompt("Make it green.")
      .says("m1", "I run the tests.")
      .calls("m1", "t1", "Bash", { command: "npm test" }, { timestamp });

  test.each([["no date"], [17], [null], [""]])(
    "S2.49: %j: the line counts by its place, is counted, and nothing is certain",
    async (timestamp) => {
      const script = badly(timestamp);
      expect(
        await extractIntent(script.save(), { tool: "Bash", input: { command: "npm test" }, at: script.at }),
      ).toMatchObject({ text: "I run the tests.", confidence: "likely", skipped: { badTime: 1 } });
    },
  );

  test("S2.49, S2.21: a line without a time is as old as the one after it", async () => {
    const script = badly("no date").line({ type: "system", subtype: "note" });
    expect(
      await extractIntent(script.save(), {
        tool: "Bash",
        input: { command: "npm test" },
        at: script.at + 60_001,
      }),
    ).toMatchObject(nothing("NO_SUCH_CALL"));
  });
});
