// Server-sent events
// The examples of the WHATWG HTML standard, section 9.2.6, streams split anywhere, and streams without an end.

import { fc, test } from "@fast-check/vitest";
import { describe, expect, it } from "vitest";
import { type ServerEvent, serverEvents } from "../../../runtime/line/server-events.ts";

async function* chunks(...parts: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  for (const part of parts) yield await Promise.resolve(part);
}

async function events(parts: readonly Uint8Array[]): Promise<readonly ServerEvent[]> {
  const found: ServerEvent[] = [];
  for await (const event of serverEvents(chunks(...parts))) found.push(event);
  return found;
}

const read = (...texts: readonly string[]) => events(texts.map((text) => new TextEncoder().encode(text)));

describe("server-sent events", () => {
  it("SERVER-EVENTS-1: data lines are joined, and an event without data is none", async () => {
    expect(await read("data: YHOO\ndata: +2\ndata: 10\n\nevent: none\n\n")).toEqual([
      { event: "message", data: "YHOO\n+2\n10", id: undefined },
    ]);
  });

  it("SERVER-EVENTS-1: comments are skipped, ids are kept until the next one", async () => {
    expect(
      await read(": beat\n\nid: a-1\ndata: one\n\ndata: two\n\nid: a-2\nevent: change\ndata:three\n\n"),
    ).toEqual([
      { event: "message", data: "one", id: "a-1" },
      { event: "message", data: "two", id: "a-1" },
      { event: "change", data: "three", id: "a-2" },
    ]);
  });

  it("SERVER-EVENTS-1: an event cut off by the end of the stream is none", async () => {
    expect(await read("data: whole\n\ndata: cut")).toEqual([
      { event: "message", data: "whole", id: undefined },
    ]);
  });

  test.prop([fc.constantFrom("\n", "\r\n", "\r"), fc.array(fc.nat(200), { maxLength: 6 })])(
    "SERVER-EVENTS-1: where the bytes are split and how lines end makes no difference",
    async (newline, cuts) => {
      const text = ["id: x-7", "event: change", 'data: {"é":"漢😀"}', "", ": beat", "data: two", "", ""].join(
        newline,
      );
      const bytes = new TextEncoder().encode(text);
      const edges = [
        0,
        ...cuts.map((cut) => Math.min(cut, bytes.length)).toSorted((a, b) => a - b),
        bytes.length,
      ];
      const parts = edges.slice(1).map((edge, index) => bytes.subarray(edges[index], edge));
      // A lone carriage return at the very end may be half a line break, so the last event may stay open.
      const found = await events(parts);
      expect(found[0]).toEqual({ event: "change", data: '{"é":"漢😀"}', id: "x-7" });
      if (newline !== "\r") expect(found[1]).toEqual({ event: "message", data: "two", id: "x-7" });
    },
  );

  const lines = fc.array(
    fc.tuple(
      fc.oneof(
        fc.constantFrom(
          "",
          "data",
          "event: change",
          "id: a-1",
          "id",
          "id: a\0b",
          ": beat",
          "retry: 10",
          "data:: ",
        ),
        fc.string({ unit: fc.constantFrom("data", "event", "id", ":", " ", "é", "漢", "😀", "x") }),
      ),
      fc.constantFrom("\n", "\r\n", "\r"),
    ),
    { maxLength: 20 },
  );

  test.prop([lines, fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 1, maxLength: 30 })])(
    "SERVER-EVENTS-1: any stream, split anywhere, has the events of the standard",
    async (lines, lengths) => {
      const text = lines.flat().join("");
      const bytes = new TextEncoder().encode(text);
      const parts: Uint8Array[] = [];
      for (let [at, n] = [0, 0]; at < bytes.length; n += 1) {
        // At least one of the lengths moves on.
        const end = at + (lengths[n % lengths.length] ?? 0) + (n % 2);
        parts.push(bytes.subarray(at, end));
        at = end;
      }
      expect(await events(parts)).toEqual(reference(text));
    },
  );

  it("SERVER-EVENTS-2: a long event in tiny pieces is read in time", async () => {
    const piece = new TextEncoder().encode("x".repeat(500));
    const pieces = Array.from({ length: 16_000 }, () => piece);
    const found = await events([new TextEncoder().encode("data: "), ...pieces, ...ends]);
    expect(found.map(({ data }) => data.length)).toEqual([8_000_000]);
  }, 5_000);

  it("SERVER-EVENTS-2: each event may be long, however many there are, and so may comments", async () => {
    const half = "x".repeat(5_000_000);
    const found = await read(`data: ${half}\n\n`, `: ${half}\n: ${half}\n`, `data: ${half}\n\n`);
    expect(found).toHaveLength(2);
  });

  it.each([
    ["a line without an end", "x".repeat(65_536), "A line of the stream has more than 8388608 characters"],
    ["a line without an end, in one piece", "x".repeat(9_000_000), "A line of the stream has more than"],
    [
      "an event without an end",
      `data: ${"x".repeat(65_000)}\n`,
      'The event after the id "a-7" of the stream',
    ],
    [
      "an event of empty lines without an end",
      "data\n".repeat(10_000),
      'The event after the id "a-7" of the stream',
    ],
  ])("SERVER-EVENTS-2: a stream with %s is given up soon", async (_, text, message) => {
    const bytes = new TextEncoder().encode(text);
    let sent = 0;
    async function* endless(): AsyncGenerator<Uint8Array> {
      yield new TextEncoder().encode("id: a-7\n");
      for (; sent < 20_000_000; sent += bytes.length) yield await Promise.resolve(bytes);
    }
    const reading = (async () => {
      for await (const event of serverEvents(endless())) expect(event).toBeUndefined();
    })();
    await expect(reading).rejects.toThrow(message);
    expect(sent).toBeLessThan(11_000_000);
  });
});

const ends = [new TextEncoder().encode("\n"), new TextEncoder().encode("\n")];

/** The standard's steps for the whole text at once. A carriage return at the very end may be half a line break. */
function reference(text: string): readonly ServerEvent[] {
  const found: ServerEvent[] = [];
  let id: string | undefined;
  let [event, data] = ["", ""];
  for (const line of text
    .replace(/\r$/, "")
    .split(/\r\n|\r|\n/)
    .slice(0, -1)) {
    const colon = line.indexOf(":");
    const field = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (line === "") {
      if (data !== "") found.push({ event: event === "" ? "message" : event, data: data.slice(0, -1), id });
      [event, data] = ["", ""];
    } else if (field === "event") event = value;
    else if (field === "data") data += `${value}\n`;
    else if (field === "id" && !value.includes("\0")) id = value;
  }
  return found;
}
