// What was said before a call, and how sure that is.

import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { extractIntent } from "../../../adapters/intent/lookup.ts";
import type { IntentQuery } from "../../../adapters/intent/query.ts";
import { oneCall, ownFolder, Script } from "../../support/intent/script.ts";

const byId = (path: string, toolUseId: string, more: Partial<IntentQuery> = {}) =>
  extractIntent(path, { tool: "Bash", toolUseId, ...more });

describe("the same message", () => {
  test("S2.4: the text with the largest smaller place in the message counts, however its lines lie", async () => {
    const script = new Script()
      .prompt("Go on.")
      .says("m1", "First.", { apiBlockIndex: 0 })
      .calls("m1", "t1", "Bash", { command: "1" }, { apiBlockIndex: 1 })
      .result("t1")
      .says("m1", "Second.", { apiBlockIndex: 2 })
      .calls("m1", "t2", "Bash", { command: "2" }, { apiBlockIndex: 3 })
      .says("m1", "Too late.", { apiBlockIndex: 4 });
    const path = script.save();
    expect(await byId(path, "t1")).toMatchObject({
      text: "First.",
      source: "message",
      confidence: "certain",
    });
    expect(await byId(path, "t2")).toMatchObject({ text: "Second.", source: "message" });
  });

  test("S2.4: lines that were written out of order count by their places in the message", async () => {
    const script = new Script()
      .prompt("Go on.")
      .says("m1", "Second.", { apiBlockIndex: 2, uuid: "b" })
      .calls("m1", "t2", "Bash", {}, { apiBlockIndex: 3, uuid: "c" })
      .says("m1", "First.", { apiBlockIndex: 0, uuid: "a" })
      .calls("m1", "t1", "Bash", {}, { apiBlockIndex: 1, parentUuid: "a", uuid: "d" });
    expect(await byId(script.save(), "t2")).toMatchObject({ text: "Second." });
    expect(await byId(script.save(), "t1")).toMatchObject({ text: "First." });
  });

  test("S2.5: blank text and thinking are no words", async () => {
    const script = new Script().prompt("Go on.").thinks("m1", "I had better look.").says("m1", " \n");
    expect(await byId(script.calls("m1", "t1", "Bash", {}).save(), "t1")).toMatchObject({
      text: "Go on.",
      source: "prompt",
      confidence: "weak",
    });
  });
});

describe("the parents", () => {
  const behind = () =>
    oneCall().result("t1").line({ type: "attachment", attachment: {} }).calls("m2", "t2", "Bash", {});

  test("S2.4: the last text of the message before is likely; of one further back it is weak", async () => {
    expect(await byId(behind().save(), "t2")).toMatchObject({
      text: "I run the tests.",
      source: "parent",
      confidence: "likely",
      place: { uuid: "u2" },
    });
    expect(await byId(behind().result("t2").calls("m3", "t3", "Bash", {}).save(), "t3")).toMatchObject({
      text: "I run the tests.",
      source: "parent",
      confidence: "weak",
    });
  });

  test("S2.39: words of the turn before the prompt are never taken", async () => {
    const script = oneCall().result("t1").says("m2", "Done.").prompt("Now the docs.");
    expect(await byId(script.calls("m3", "t3", "Bash", {}).save(), "t3")).toMatchObject({
      text: "Now the docs.",
      source: "prompt",
      confidence: "weak",
    });
  });

  test.each([
    ["a task's notification", { content: "<task-notification>done</task-notification>" }],
    ["an interruption", { content: [{ type: "text", text: "[Request interrupted by user]" }] }],
    ["a slash command", { content: "<command-name>/compact</command-name>" }],
  ])("S2.39, S2.40: %s begins a turn, and is nobody's intent", async (_, message) => {
    const script = oneCall().result("t1").line({ type: "user", message }).calls("m3", "t3", "Bash", {});
    expect(await byId(script.save(), "t3")).toMatchObject({
      outcome: "none-written",
      text: "",
      code: "NONE_WRITTEN",
      reason: "Nobody wrote why the call was made.",
    });
  });

  test("S2.39: what the client writes in the agent's place is not the agent's word", async () => {
    const script = oneCall().result("t1");
    script.says("m2", "API Error: overloaded", { isApiErrorMessage: true });
    script.line({
      type: "assistant",
      message: { id: "x", model: "<synthetic>", content: [{ type: "text", text: "No response requested." }] },
    });
    const meta = script.prompt("Continue from where you left off.", { isMeta: true });
    expect(await byId(meta.calls("m3", "t3", "Bash", {}).save(), "t3")).toMatchObject({
      text: "I run the tests.",
      confidence: "weak",
    });
  });

  test("S2.5, S2.40, INTENT-WORDS-2: where a line of the chain is missing nothing is guessed from the order of lines", async () => {
    const script = behind();
    script.lines.splice(3, 1);
    expect(await byId(script.save(), "t2")).toMatchObject({ outcome: "not-found", code: "CHAIN_BROKEN" });
  });

  test("S2.44: a chain that bites its own tail ends", async () => {
    const script = new Script()
      .calls("m1", "t1", "Bash", {}, { uuid: "a", parentUuid: "b" })
      .line({ type: "system", uuid: "b", parentUuid: "a" });
    expect(await byId(script.save(), "t1")).toMatchObject({ outcome: "none-written" });
  });

  test("S2.48: a turn of more lines than are read gives nothing, and says so", async () => {
    const script = oneCall();
    for (let n = 0; n < 1_001; n++) script.line({ type: "system", subtype: "note" });
    const path = script.calls("m9", "t9", "Bash", {}).save();
    expect(await byId(path, "t9")).toMatchObject({ outcome: "not-found", code: "TOO_FAR_BACK" });
  });
});

describe("the other sources", () => {
  const silent = (input: unknown) => new Script().prompt("Go on.").calls("m1", "t1", "Bash", input);

  test("S2.4, INTENT-WORDS-1: what was displayed, then the description, then the prompt", async () => {
    const path = silent({ command: "ls", description: "List the files" }).save();
    expect(await byId(path, "t1", { display: "Let me look." })).toMatchObject({
      text: "Let me look.",
      source: "display",
      confidence: "likely",
    });
    expect(await byId(path, "t1", { display: " " })).toMatchObject({
      text: "List the files",
      source: "description",
      confidence: "likely",
    });
    expect(await byId(silent({ command: "ls", description: " " }).save(), "t1")).toMatchObject({
      source: "prompt",
    });
  });

  test("S2.4: a text goes before all of them", async () => {
    const path = oneCall({ command: "ls", description: "List the files" }).save();
    expect(await byId(path, "t1", { display: "Let me look." })).toMatchObject({ source: "message" });
  });

  test("S2.42, INTENT-ENTRY-2: a long text is kept by its beginning", async () => {
    const script = new Script().prompt("Go on.").says("m1", "a".repeat(100_000));
    const { text } = await byId(script.calls("m1", "t1", "Bash", {}).save(), "t1");
    expect(text).toBe(`${"a".repeat(4_095)}…`);
  });
});

describe("formats of several clients", () => {
  const query = { tool: "Bash", input: { command: "npm test" } };

  test("S2.29, S2.50: a message in one line, without places, requests or message ids", async () => {
    const content = [
      { type: "text", text: "I run the tests." },
      { type: "tool_use", id: "t1", name: "Bash", input: { command: "npm test" } },
    ];
    const script = new Script({ version: "1.0.58" })
      .prompt("Make it green.")
      .line({ type: "assistant", message: { role: "assistant", content } });
    expect(await extractIntent(script.save(), query)).toMatchObject({
      text: "I run the tests.",
      confidence: "certain",
    });
  });

  test("S2.50: a message that was written twice while it grew", async () => {
    const script = new Script({ version: "1.0.120" }).prompt("Make it green.");
    script.says("m1", "I run").says("m1", "I run the tests.");
    script.calls("m1", "t1", "Bash", {}).calls("m1", "t1", "Bash", { command: "npm test" });
    expect(await extractIntent(script.save(), query)).toMatchObject({ text: "I run the tests." });
  });

  test("S2.50: a prompt as a list of blocks, and an answer as plain text", async () => {
    const script = new Script({ version: "2.1.96" })
      .line({ type: "user", message: { content: [{ type: "text", text: "Make it green." }] } })
      .line({ type: "assistant", message: { id: "m0", content: "Gladly." } })
      .calls("m1", "t1", "Bash", { command: "npm test" });
    expect(await extractIntent(script.save(), query)).toMatchObject({ text: "Gladly.", source: "parent" });
  });

  test("S2.74: a hook's system line between a call and its result names the call, and is walked over", async () => {
    const script = oneCall().line({ type: "system", toolUseID: "t1" }).result("t1");
    expect(await byId(script.calls("m2", "t2", "Bash", {}).save(), "t2")).toMatchObject({
      text: "I run the tests.",
      source: "parent",
    });
  });

  test("S2.74: what a system line or an attachment names is no call of its own", async () => {
    const script = new Script().prompt("Go on.").line({ type: "system", toolUseID: "t1" });
    expect(await byId(script.save(), "t1")).toMatchObject({ code: "NO_SUCH_CALL" });
  });

  test("S2.50: fields and types that are not known are passed over", async () => {
    const script = new Script({ epoch: 3, nested: { deep: [] } }).prompt("Go on.");
    script.block("m1", { type: "hologram", text: "no" }).says("m1", "I look.");
    script.line({ type: "telemetry-of-tomorrow" });
    expect(
      await extractIntent(script.calls("m1", "t1", "Bash", { command: "npm test" }).save(), query),
    ).toMatchObject({ text: "I look." });
  });
});

describe("subagents", () => {
  const agents = (agentId: string, text: string) =>
    new Script({ isSidechain: true, agentId }, agentId)
      .prompt("Do the two things.")
      .says("a1", text)
      .calls("a1", "t7", "Bash", { command: "npm test" });

  test("S2.37: a subagent's words stand in its own file beside the session's", async () => {
    const path = oneCall().save();
    const folder = join(dirname(path), "s1", "subagents");
    mkdirSync(folder, { recursive: true });
    const lines = agents("a", "As agent a.").lines.join("\n");
    writeFileSync(join(folder, "agent-a.jsonl"), lines);
    const query = { tool: "Bash", input: { command: "npm test" } };
    expect(await extractIntent(path, { ...query, agentId: "a" })).toMatchObject({ text: "As agent a." });
    expect(await extractIntent(join(folder, "agent-a.jsonl"), query)).toMatchObject({ text: "As agent a." });
    expect(await extractIntent(path, query)).toMatchObject({ text: "I run the tests." });
  });

  test("S2.50: older clients wrote them into the session's file; the main agent never gets them", async () => {
    const script = oneCall();
    for (const line of agents("a", "As agent a.").lines) script.raw(line);
    const path = script.save();
    const query = { tool: "Bash", input: { command: "npm test" } };
    expect(await extractIntent(path, { ...query, agentId: "a" })).toMatchObject({ text: "As agent a." });
    expect(await extractIntent(path, { ...query, agentId: "b" })).toMatchObject({ text: "" });
    expect(await extractIntent(path, query)).toMatchObject({ text: "I run the tests." });
  });

  test("S2.39: an agent's folder that leads elsewhere is not followed", async () => {
    const path = oneCall().save();
    const elsewhere = ownFolder();
    mkdirSync(join(elsewhere, "subagents"));
    writeFileSync(join(elsewhere, "subagents", "agent-a.jsonl"), agents("a", "Elsewhere.").lines.join("\n"));
    symlinkSync(elsewhere, join(dirname(path), "s1"));
    expect(
      await extractIntent(path, { tool: "Bash", input: { command: "npm test" }, agentId: "a" }),
    ).toMatchObject({ text: "" });
  });

  test("S2.40: an agent's id that is a path is refused", async () => {
    expect(
      await extractIntent(oneCall().save(), { tool: "Bash", agentId: "../../../etc/passwd" }),
    ).toMatchObject({ outcome: "unreadable", code: "BAD_AGENT_ID", text: "" });
  });
});
