// Files and lines that are not what they should be: a word for each, and never a throw.

import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { extractIntent } from "../../../adapters/intent/lookup.ts";
import { IntentExtractor } from "../../../adapters/intent/extractor.ts";
import { TranscriptFile } from "../../../adapters/intent/transcript-file.ts";
import { LinesBackwards } from "../../../adapters/intent/lines-backwards.ts";
import { oneCall, ownFolder, Script } from "../../support/intent/script.ts";

const QUERY = { tool: "Bash", input: { command: "npm test" } };
const unreadable = (code: string) => ({ outcome: "unreadable", text: "", code });

describe("files", () => {
  test("S2.14, S2.16: one that is not there", async () => {
    const path = join(ownFolder(), "gone.jsonl");
    expect(await extractIntent(path, QUERY)).toMatchObject({
      ...unreadable("NO_FILE"),
      reason: `There is no file ${path}.`,
    });
    expect(await extractIntent(join(oneCall().save(), "below"), QUERY)).toMatchObject(unreadable("NO_FILE"));
  });

  test("S2.16, INTENT-TRANSCRIPT-FILE-1: a link, to a file or to itself, is not followed", async () => {
    const folder = ownFolder();
    const [link, loop] = [join(folder, "link.jsonl"), join(folder, "loop.jsonl")];
    symlinkSync(oneCall().save(), link);
    symlinkSync(loop, loop);
    expect(await extractIntent(link, QUERY)).toMatchObject({
      ...unreadable("A_LINK"),
      reason: `${link} is a link; links are not followed.`,
    });
    expect(await extractIntent(loop, QUERY)).toMatchObject(unreadable("A_LINK"));
  });

  test("S2.16, INTENT-TRANSCRIPT-FILE-1: a folder, a device, a pipe that nobody writes to, a socket", async () => {
    const folder = ownFolder();
    const [pipe, socket] = [join(folder, "pipe"), join(folder, "socket")];
    execFileSync("mkfifo", [pipe]);
    const server = createServer().listen(socket);
    onTestFinished(() => void server.close());
    await new Promise((resolve) => server.once("listening", resolve));
    for (const path of [folder, "/dev/null", pipe, socket])
      expect(await extractIntent(path, QUERY)).toMatchObject(unreadable("NOT_A_FILE"));
  });

  test.runIf(process.getuid?.() !== 0)("S2.16: one that this user may not read", async () => {
    const path = oneCall().save();
    chmodSync(path, 0);
    expect(await extractIntent(path, QUERY)).toMatchObject(unreadable("NO_PERMISSION"));
  });

  test("S2.16: a path that is none", async () => {
    expect(await extractIntent("a\0b", QUERY)).toMatchObject(unreadable("CANNOT_READ"));
    expect(await extractIntent("", QUERY)).toMatchObject(unreadable("NO_FILE"));
  });

  test("S2.24: an empty file, and one of empty lines", async () => {
    for (const text of ["", "\n", "\n\n \r\n"]) {
      const path = join(ownFolder(), "empty.jsonl");
      writeFileSync(path, text);
      expect(await extractIntent(path, QUERY)).toMatchObject({
        outcome: "not-found",
        text: "",
        code: "NO_SUCH_CALL",
      });
    }
  });

  test("S2.48: ten gigabytes, of which the end is read", async () => {
    const path = join(ownFolder(), "huge.jsonl");
    writeFileSync(path, "");
    truncateSync(path, 10 * 1024 ** 3);
    appendFileSync(path, `\n${oneCall().lines.join("\n")}\n`);
    expect(statSync(path).size).toBeGreaterThan(10 * 1024 ** 3);
    expect(await extractIntent(path, QUERY)).toMatchObject({ text: "I run the tests." });
  });

  test("S2.42, S2.48, INTENT-HISTORY-2: what lies more than 32 MiB before the end is not read, and that is said", async () => {
    const path = join(ownFolder(), "huge.jsonl");
    writeFileSync(path, `${oneCall().lines.join("\n")}\n`);
    truncateSync(path, 10 * 1024 ** 3);
    expect(await extractIntent(path, QUERY)).toMatchObject({ outcome: "not-found", code: "NO_SUCH_CALL" });
  });
});

describe("files that change", () => {
  test("S2.16, INTENT-TRANSCRIPT-FILE-2: one that grows while it is read is read as it stood", async () => {
    const script = oneCall();
    const path = script.save();
    const file = await TranscriptFile.open(path);
    appendFileSync(path, "more\n");
    const lines = new LinesBackwards(file, { line: 1_000_000, file: 1_000_000 });
    const seen: string[] = [];
    for (let line = await lines.next(); line; line = await lines.next()) seen.unshift(String(line.bytes));
    await file.close();
    expect(seen).toEqual([...script.lines, ""]);
  });

  test("S2.16, INTENT-TRANSCRIPT-FILE-2: one that becomes shorter while it is read is an error with a word", async () => {
    const path = oneCall().save();
    const file = await TranscriptFile.open(path);
    truncateSync(path, 10);
    await expect(file.read(0, file.size)).rejects.toThrow(`${path} became shorter while it was read.`);
    await file.close();
  });

  test("S2.36, S2.46: one that was replaced, cut or added to is another file for the next lookup", async () => {
    const extractor = new IntentExtractor();
    const path = oneCall().save();
    expect(await extractor.extract(path, QUERY)).toMatchObject({ text: "I run the tests." });
    const other = new Script()
      .prompt("No.")
      .says("m1", "Other words.")
      .calls("m1", "t1", "Bash", QUERY.input);
    writeFileSync(path, other.lines.join("\n"));
    expect(await extractor.extract(path, QUERY)).toMatchObject({ text: "Other words." });
    other.result("t1").says("m2", "Again.").calls("m2", "t2", "Bash", QUERY.input);
    writeFileSync(path, other.lines.join("\n"));
    expect(await extractor.extract(path, QUERY)).toMatchObject({ text: "Again." });
    truncateSync(path, 0);
    expect(await extractor.extract(path, QUERY)).toMatchObject({ text: "" });
  });
});

describe("lines", () => {
  const deep = (levels: number) => "[".repeat(levels) + "]".repeat(levels);
  const call = '"name":"Bash","id":"t9","type":"tool_use"';

  test.each([
    ["cut off", '{"type":"assistant","message":{"content":[{"type":"tool_', { notJson: 1 }],
    ["no JSON at all", "Segmentation fault", { notJson: 1 }],
    ["a list", "[1,2]", { wrongShape: 1 }],
    ["a number", "17", { wrongShape: 1 }],
    ["null", "null", { wrongShape: 1 }],
    ["without a type", '{"uuid":"x"}', { wrongShape: 1 }],
    ["with a type of another kind", '{"type":17,"uuid":"x"}', { wrongShape: 1 }],
    ["without its message", '{"type":"assistant","uuid":"x"}', { wrongShape: 1 }],
    ["with a message of another kind", '{"type":"user","uuid":"x","message":[]}', { wrongShape: 1 }],
    ["with content of another kind", '{"type":"assistant","uuid":"x","message":{"content":17}}', {}],
    ["with blocks of another kind", '{"type":"assistant","uuid":"x","message":{"content":[null,3,[]]}}', {}],
    [
      "with a call of another kind",
      `{"type":"assistant","uuid":"x","message":{"content":[{"type":"tool_use","name":{}}]}}`,
      {},
    ],
    [
      "with __proto__",
      `{"type":"assistant","uuid":"x","__proto__":{"a":1},"message":{"__proto__":{"content":[{${call}}]}}}`,
      {},
    ],
    [
      "sixty-four levels deep",
      `{"type":"assistant","uuid":"x","message":{"content":[{${call},"input":${deep(64)}}]}}`,
      {},
    ],
    [
      "ten thousand levels deep",
      `{"type":"assistant","uuid":"x","message":{"content":[{${call},"input":${deep(10_000)}}]}}`,
      {},
    ],
    ["of the client's own", '{"type":"api-request-blob","blob":[{"type":"tool_use"}]}', {}],
  ])("S2.23, S2.44: one %s harms no other", async (_, line, skipped) => {
    const script = new Script().prompt("Go on.").raw(line).says("m1", "I run the tests.").raw(line);
    const path = script.calls("m1", "t1", "Bash", QUERY.input).raw(line).save();
    const found = await extractIntent(path, { ...QUERY, at: script.at });
    expect(found).toMatchObject({ outcome: "found", text: "I run the tests.", call: { toolUseId: "t1" } });
    for (const [key, count] of Object.entries(skipped))
      expect(found.skipped).toMatchObject({ [key]: count * 3 });
    expect(await extractIntent(path, { tool: "Bash", toolUseId: "t1" })).toMatchObject({ outcome: "found" });
  });

  test("S2.23, S2.44: a call whose input is nested too deeply is found by its id, and by no input", async () => {
    const input = { deep: JSON.parse(deep(64)) as unknown };
    const path = oneCall(input).save();
    expect(await extractIntent(path, { tool: "Bash", toolUseId: "t1", input })).toMatchObject({
      outcome: "found",
    });
    expect(await extractIntent(path, { tool: "Bash", input })).toMatchObject({ code: "OTHER_INPUT" });
  });

  test("S2.44: __proto__ in an input is a field like any other", async () => {
    const [one, other] = ['{"__proto__":{"a":1}}', '{"__proto__":{"a":2}}'].map((text): unknown =>
      JSON.parse(text),
    );
    const path = oneCall(one).save();
    expect(await extractIntent(path, { tool: "Bash", input: one })).toMatchObject({ outcome: "found" });
    expect(await extractIntent(path, { tool: "Bash", input: other })).toMatchObject({ code: "OTHER_INPUT" });
  });

  test("S2.44, INTENT-ENTRY-1: half a last line is passed over; a whole one without its line break is read", async () => {
    const script = oneCall();
    const path = script.save();
    appendFileSync(path, script.lines[2]?.slice(0, 50) ?? "");
    expect(await extractIntent(path, QUERY)).toMatchObject({
      text: "I run the tests.",
      skipped: { notJson: 1 },
    });
    writeFileSync(path, script.lines.join("\n"));
    expect(await extractIntent(path, QUERY)).toMatchObject({
      text: "I run the tests.",
      skipped: { notJson: 0 },
    });
  });

  test("S2.44: bytes that are no UTF-8 spoil their own line only", async () => {
    const script = oneCall();
    const path = script.save();
    appendFileSync(path, Buffer.from([0xff, 0xfe, 0x7b, 0x0a]));
    expect(await extractIntent(path, QUERY)).toMatchObject({
      text: "I run the tests.",
      skipped: { notUtf8: 1 },
    });
  });

  test("S2.42, S2.44: a line above 8 MiB is passed over and counted", async () => {
    const script = oneCall().raw(
      JSON.stringify({ type: "user", message: { content: "a".repeat(9 * 1024 ** 2) } }),
    );
    expect(await extractIntent(script.save(), QUERY)).toMatchObject({
      text: "I run the tests.",
      skipped: { tooLong: 1 },
    });
  });

  test("S2.44: doubled lines count once", async () => {
    const script = oneCall();
    script.lines.splice(0, 3, ...script.lines.flatMap((line) => [line, line]));
    expect(await extractIntent(script.save(), { ...QUERY, at: script.at })).toMatchObject({
      text: "I run the tests.",
      call: { candidates: 1 },
      skipped: { doubled: 2 },
    });
  });
});

describe("another session's file", () => {
  test("S2.39, S2.40: its lines are left out, counted, and named as the reason", async () => {
    const path = oneCall().save();
    for (const query of [QUERY, { ...QUERY, toolUseId: "t1" }])
      expect(await extractIntent(path, { ...query, sessionId: "s2" })).toMatchObject({
        outcome: "not-found",
        text: "",
        code: "OTHER_SESSION",
        reason: "The transcript is of another session, not of s2.",
        skipped: { otherSession: 3 },
      });
    expect(await extractIntent(path, { ...QUERY, sessionId: "s1" })).toMatchObject({
      text: "I run the tests.",
      skipped: { otherSession: 0 },
    });
  });

  test("S2.39: words of another session between those of this one are not taken", async () => {
    const script = new Script().prompt("Go on.").says("m1", "Theirs.", { sessionId: "s2" });
    const path = script.calls("m1", "t1", "Bash", QUERY.input).save();
    expect(await extractIntent(path, { ...QUERY, sessionId: "s1" })).toMatchObject({
      text: "",
      code: "CHAIN_BROKEN",
      skipped: { otherSession: 1 },
    });
  });
});

test("S2.16, INTENT-EXTRACTOR-1: a folder named like an agent's file is a word, not a throw", async () => {
  const path = oneCall().save();
  mkdirSync(join(path.slice(0, -".jsonl".length), "subagents", "agent-a.jsonl"), { recursive: true });
  expect(await extractIntent(path, { ...QUERY, agentId: "a" })).toMatchObject(unreadable("NOT_A_FILE"));
});
