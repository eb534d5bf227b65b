// Names that a client made up: what a collector reads of them, and how many series they make.

import fc from "fast-check";
import { expect, test } from "vitest";
import { BUCKETS_SECONDS } from "../../../adapters/traces/buckets.ts";
import { Histograms } from "../../../adapters/traces/otlp/histograms.ts";
import { spansJson } from "../../../adapters/traces/otlp/otlp-json.ts";
import { ToolNames } from "../../../adapters/traces/tool-names.ts";
import { holds } from "../../support/properties/property.ts";

const FILE = "test/adapters/traces/hostile.test.ts";
const SENDER = { version: "1.0.0", instance: "i" };

test("OTLP-JSON-2: whatever stands in a span, the JSON says the same", () => {
  const text = fc.string({ unit: "binary" }).filter((each) => each.isWellFormed());
  const value = fc.oneof(
    text,
    fc.boolean(),
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
  );
  holds(FILE, 300, fc.tuple(text, text, value), ([name, error, worth]) => {
    const span = {
      ...{ traceId: "a".repeat(32), spanId: "b".repeat(16), name, startMs: 1, endMs: 2, error },
      attributes: { "gen_ai.tool.name": name, "signalbox.x": worth },
    };
    const read = JSON.parse(spansJson([span, span], SENDER)) as {
      resourceSpans: { scopeSpans: { spans: Record<string, unknown>[] }[] }[];
    };
    const spans = read.resourceSpans[0]?.scopeSpans[0]?.spans ?? [];
    expect(spans).toHaveLength(2);
    const kind =
      typeof worth === "string"
        ? { stringValue: worth }
        : typeof worth === "boolean"
          ? { boolValue: worth }
          : Number.isSafeInteger(worth)
            ? { intValue: String(worth) }
            : { doubleValue: worth };
    expect(spans[0]).toEqual({
      traceId: "a".repeat(32),
      spanId: "b".repeat(16),
      name,
      kind: 1,
      startTimeUnixNano: "1000000",
      endTimeUnixNano: "2000000",
      attributes: [
        { key: "gen_ai.tool.name", value: { stringValue: name } },
        { key: "signalbox.x", value: kind },
        { key: "error.type", value: { stringValue: error } },
      ],
      status: { code: 2, message: error },
    });
  });
});

test("TOOL-NAMES-1, HISTOGRAMS-1: ten thousand made-up tools make a hundred series and one", () => {
  const histograms = new Histograms();
  const tools = new ToolNames();
  const names = new Set<string | undefined>();
  for (let n = 0; n < 10_000; n += 1) {
    const attributes = { "gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": `tool${n}` };
    names.add(tools.bounded(attributes)["gen_ai.tool.name"]);
    histograms.record({ name: "gen_ai.execute_tool.duration", seconds: n / 100, attributes });
  }
  const all = [...histograms.all];
  expect([names.size, all.length]).toEqual([101, 101]);
  expect(all.reduce((sum, { count }) => sum + count, 0)).toBe(10_000);
  // Each value is in the first bucket whose bound it does not exceed.
  const counted = BUCKETS_SECONDS.map((_, n) => all.reduce((sum, { buckets }) => sum + (buckets[n] ?? 0), 0));
  const values = Array.from({ length: 10_000 }, (_, n) => n / 100);
  expect(counted).toEqual(
    BUCKETS_SECONDS.map(
      (bound, n) => values.filter((each) => each <= bound && each > (BUCKETS_SECONDS[n - 1] ?? -1)).length,
    ),
  );
});
