// Door: limits
// How much may come in, and what is kept of a raw payload.

import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readEvent } from "../../support/engine/read-event.ts";
import { parseBytes } from "../../../runtime/door/parse.ts";
import { shrink } from "../../../runtime/door/inputs/shrink.ts";
import { refusal } from "../../support/engine/refusal.ts";
import { event } from "../../support/http/served.ts";

const KIB = 1024;
const parsed = (text: string): unknown => JSON.parse(text);
const nested = (levels: number): unknown => parsed("[".repeat(levels) + "]".repeat(levels));
const created = (attributes: object) => event("request.created", { requestId: "r1" }, attributes);

describe("LIMITS-1: the limits are exact to the byte, the level and the key", () => {
  const ofBytes = (bytes: number, type = "request.created"): object => {
    const make = (prompt: string) =>
      type === "request.created"
        ? created({ id: "big", data: { requestId: "r1", prompt } })
        : event(type, { prompt }, { id: "big" });
    const empty = JSON.stringify(make("")).length;
    return make("x".repeat(bytes - empty));
  };

  it("LIMITS-1: 256 KiB are accepted, one byte more is not", () => {
    expect(readEvent(ofBytes(256 * KIB)).id).toBe("big");
    expect(refusal(() => readEvent(ofBytes(256 * KIB + 1))).code).toBe("TOO_LARGE");
  });

  it("LIMITS-1: a raw payload of 8 MiB is accepted, one byte more is not", () => {
    expect(readEvent(ofBytes(8192 * KIB, "claude-code.stream")).id).toBe("big");
    expect(refusal(() => readEvent(ofBytes(8192 * KIB + 1, "claude-code.stream"))).code).toBe("TOO_LARGE");
  });

  it("LIMITS-1: 64 levels are accepted, 65 are refused with the path to them", () => {
    const call = (input: unknown) => event("tool.started", { tool: "Bash", input });
    expect(readEvent(call(nested(63))).type).toBe("tool.started");
    expect(refusal(() => readEvent(call(nested(64))))).toEqual({
      code: "TOO_DEEP",
      path: `data.input${"[0]".repeat(63)}`,
    });
    expect(refusal(() => readEvent(event("claude-code.stream", { a: nested(64) }))).code).toBe("TOO_DEEP");
  });

  it("LIMITS-1: 10,000 keys are accepted, 10,001 are not", () => {
    const call = (count: number) => {
      const input = Object.fromEntries(Array.from({ length: count - 2 }, (_, n) => [`k${n}`, n]));
      return event("tool.started", { tool: "Bash", input });
    };
    expect(readEvent(call(10_000)).type).toBe("tool.started");
    expect(refusal(() => readEvent(call(10_001)))).toEqual({ code: "TOO_MANY_KEYS", path: "data.input" });
  });
});

describe("PARSE-1: bytes", () => {
  const bytes = (text: string): Uint8Array => Buffer.from(text);

  it("PARSE-1: bytes that are not JSON, or not UTF-8, are refused", () => {
    for (const text of ["", "{", '{"a":1', "{'a':1}", "NaN", '{"a":1}}', '"\n"'])
      expect(refusal(() => parseBytes(bytes(text))).code).toBe("NOT_JSON");
    expect(refusal(() => parseBytes(Uint8Array.of(0x22, 0xc3, 0x28, 0x22))).code).toBe("NOT_JSON");
  });

  it("PARSE-1: endless nesting or division never reaches the parser", () => {
    expect(refusal(() => parseBytes(bytes("[".repeat(100_000)))).code).toBe("TOO_DEEP");
    expect(refusal(() => parseBytes(bytes(`[${"1,".repeat(400_001)}1]`))).code).toBe("TOO_MANY_KEYS");
  });

  it("PARSE-1: brackets, commas, quotes and escapes inside texts do not count", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(parseBytes(bytes(JSON.stringify(value)))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
    const hostile = { ["[".repeat(500)]: `${"{,".repeat(500)}\\"` };
    expect(parseBytes(bytes(JSON.stringify(hostile)))).toEqual(hostile);
  });
});

describe("SHRINK-1: what is cut of a raw payload, and what never is", () => {
  const long = "é".repeat(9 * KIB);
  const cutOf = (text: string) => ({
    bytes: Buffer.byteLength(text),
    sha256: createHash("sha256").update(text).digest("hex"),
    head: text.slice(0, 1024),
  });

  it("SHRINK-1: tool input stays whole in hooks, batches, stream lines and approvals", () => {
    const inputs = [
      { hook: { tool_input: { content: long } }, answer: long },
      { tool_calls: [{ tool_input: { a: [long] } }] },
      { message: { content: [{ type: "tool_use", input: { content: long } }] } },
      { request: { subtype: "can_use_tool", input: { content: long } } },
    ];
    for (const payload of inputs) expect(shrink(payload)).toEqual(payload);
  });

  it("SHRINK-2: elsewhere a text over 16 KiB becomes its size, hash and head", () => {
    const exact = "x".repeat(16 * KIB);
    expect(shrink({ prompt: long, text: exact, more: [`${exact}x`] })).toEqual({
      prompt: cutOf(long),
      text: exact,
      more: [cutOf(`${exact}x`)],
    });
  });

  it("SHRINK-2: a result of many small parts is cut from the inside out: the values beside it stay", () => {
    const lines = Array.from({ length: 2000 }, (_, n) => `line ${n} of a long list`);
    const payload = { tool_input: { a: 1 }, tool_response: { agentId: "a1", lines, short: ["x"] } };
    expect(shrink(payload)).toEqual({
      tool_input: { a: 1 },
      tool_response: { agentId: "a1", lines: cutOf(JSON.stringify(lines)), short: ["x"] },
    });
  });

  it("SHRINK-3: short values stay as they are, whatever their keys", () => {
    const hostile = parsed('{"tool_response":{"__proto__":{"x":1},"constructor":{"prototype":1},"$&":null}}');
    expect(JSON.stringify(shrink(hostile))).toBe(JSON.stringify(hostile));
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
        expect(JSON.stringify(shrink({ value }))).toBe(JSON.stringify({ value }));
      }),
    );
  });
});
