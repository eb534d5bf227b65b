// Server-sent events
// The examples of the WHATWG HTML standard, section 9.2.6, and streams split anywhere.

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
});
