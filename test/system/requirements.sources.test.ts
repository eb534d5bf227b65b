// What of seed 002 the sources already give: ids, envelopes, lines that cannot be read.

import { describe, expect, test } from "vitest";
import {
  parseLine,
  translateHook,
  translateStreamLine,
  translateTranscriptLine,
} from "../../adapters/claude-code/index.ts";
import { systemIds } from "../../adapters/system/index.ts";
import { clients } from "../../adapters/composition/clients.ts";
import { Door } from "../../runtime/door/door.ts";
import { Queries } from "../../runtime/reading/queries.ts";
import { textAt } from "../support/engine/json.ts";
import { messages } from "../support/sessions/play.ts";
import { allRecordings, recording } from "../support/sessions/recording.ts";
import { Rig } from "../support/engine/rig.ts";

const PRE = {
  session_id: "s1",
  cwd: "/app",
  prompt_id: "p1",
  hook_event_name: "PreToolUse",
  tool_name: "Bash",
  tool_input: { command: "ls" },
  tool_use_id: "toolu_1",
};

const doorOf = ({ engine, clock }: Rig): Door => new Door({ engine, clock, ids: systemIds(), clients });

describe("ids and envelopes", () => {
  test("S2.70: hooks name their calls: every recorded PreToolUse has an id, and the call keeps it", () => {
    const pres = allRecordings()
      .flatMap(({ hooks }) => hooks.lines.map(({ value }) => (value as { payload: unknown }).payload))
      .filter((payload) => textAt(payload, "hook_event_name") === "PreToolUse");
    expect(pres.length).toBeGreaterThan(0);
    for (const payload of pres)
      expect(translateHook(payload).inputs).toMatchObject([
        { type: "tool.started", call: { toolUseId: textAt(payload, "tool_use_id") } },
      ]);
  });

  test.each([
    ["bare", PRE],
    ["wrapped", { hook: PRE }],
  ])("S2.75: a hook's payload is read %s", async (_, payload) => {
    const rig = await Rig.start();
    const body = Buffer.from(JSON.stringify(payload));
    await doorOf(rig).hook(body, { workspace: "w" }, { door: "http", by: "test" });
    await rig.quiet();
    expect(new Queries(rig.engine).getToolCall("toolu_1")?.execution).toBe("processing");
  });

  test("S2.73: a transcript line's envelope is read: session, agent, branch, folder, time", () => {
    const lines = recording("s6-subagent").transcripts.flatMap(({ lines: all }) =>
      all.map(({ value }) => value),
    );
    const inside = lines.filter(
      (line) => textAt(line, "agentId") !== undefined && textAt(line, "type") === "assistant",
    );
    expect(inside.length).toBeGreaterThan(0);
    for (const line of inside) {
      const { sessionId, cwd, inputs } = translateTranscriptLine(line);
      expect({ sessionId, cwd }).toEqual({ sessionId: textAt(line, "sessionId"), cwd: textAt(line, "cwd") });
      for (const input of inputs)
        expect(input).toMatchObject({
          agentId: textAt(line, "agentId"),
          observedAt: Date.parse(textAt(line, "timestamp") ?? ""),
        });
    }
  });

  test("S2.71: a call in the stream is known before its hook, with the same id", () => {
    const { stream, hooks } = recording("s1-ten-allowed");
    const ids = stream.lines
      .flatMap(({ value }) => translateStreamLine(value).inputs)
      .flatMap((input) => (input.type === "tool.announced" ? (input.call.toolUseId ?? []) : []));
    const started = hooks.lines.flatMap(({ value }) => textAt(value, "payload", "tool_use_id") ?? []);
    expect(new Set(ids)).toEqual(new Set(started));
    expect(ids).toHaveLength(10);
  });
});

describe("lines that cannot be read", () => {
  test.each([
    ["S2.23, S2.44: cut short", '{"type":"assistant","message":{"content":[{"type":"tool_use"'],
    ["S2.23, S2.44: of the wrong kind", "[1,2]"],
    ["S2.24: empty", ""],
  ])("S2.23, S2.24, S2.44: a line is refused with a reason (%s)", (_, text) => {
    expect(() => translateTranscriptLine(parseLine(text))).toThrow(/\w/);
  });

  test("S2.23, S2.44: a payload that cannot be read is one dead letter, and the next one is taken", async () => {
    const rig = await Rig.start();
    const door = doorOf(rig);
    const caller = { door: "http", by: "test" };
    await expect(door.hook(Buffer.from('{"session_id":"s1"'), { workspace: "w" }, caller)).rejects.toThrow();
    await door.hook(Buffer.from(JSON.stringify(PRE)), { workspace: "w" }, caller);
    await rig.quiet();
    const queries = new Queries(rig.engine);
    expect(queries.deadLetters().items).toHaveLength(1);
    expect(queries.getToolCall("toolu_1")).toBeDefined();
  });

  test("S2.46: the same line always gives the same inputs", () => {
    const list = messages(recording("s7-intent"), ["hooks", "stream", "transcript"]);
    const read = (): readonly unknown[] => list.map((message) => [message.id, JSON.stringify(message.data)]);
    const translate = (): readonly unknown[] =>
      list
        .filter(({ type }) => type === "claude-code.transcript")
        .map(({ data }) => translateTranscriptLine(structuredClone(data)));
    const before = read();
    expect(translate()).toEqual(translate());
    expect(read()).toEqual(before);
  });
});
