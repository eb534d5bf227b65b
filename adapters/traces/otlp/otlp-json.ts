// OTLP JSON
// Spans and metrics as the JSON of OpenTelemetry's protocol.
//
//   Owns:          its fields.
//   Does not own:  what they say (runtime/traces), the counts (histograms), sending (post).
//
// OTLP-JSON-1. As the protocol wants it: ids in hex, 64-bit numbers as texts, enumerations as numbers.

import type { EndedSpan } from "../../../runtime/traces/span.ts";
import { readTraceparent } from "../../../runtime/traces/traceparent.ts";
import { BUCKETS_SECONDS } from "../buckets.ts";
import type { Series } from "./histograms.ts";

const INTERNAL = 1;
const ERROR = 2;
/** Each value counts from the start of the process. */
const CUMULATIVE = 2;

type Values = Readonly<Record<string, string | number | boolean>>;

/** What sends: the same in every message. */
export interface Sender {
  readonly version: string;
  /** Tells one engine from another. */
  readonly instance: string;
}

export const spansJson = (spans: readonly EndedSpan[], sender: Sender): string =>
  JSON.stringify({
    resourceSpans: [
      {
        resource: resourceOf(sender),
        scopeSpans: [{ scope: scopeOf(sender), spans: spans.map(spanJson) }],
      },
    ],
  });

function spanJson({ traceId, spanId, parentId, name, startMs, endMs, attributes, error, link }: EndedSpan) {
  return {
    traceId,
    spanId,
    ...(parentId !== undefined && { parentSpanId: parentId }),
    name,
    kind: INTERNAL,
    startTimeUnixNano: nanos(startMs),
    endTimeUnixNano: nanos(endMs),
    attributes: valuesJson({ ...attributes, ...(error !== undefined && { "error.type": error }) }),
    status: error === undefined ? {} : { code: ERROR, message: error },
    ...(link !== undefined && { links: linksJson(link) }),
  };
}

function linksJson(traceparent: string) {
  const named = readTraceparent(traceparent);
  return named ? [{ traceId: named.traceId, spanId: named.spanId, flags: named.flags }] : [];
}

/** @param startMs since when all was counted. @param dropped spans that were not sent. */
export function metricsJson(
  series: Iterable<Series>,
  dropped: number,
  { startMs, nowMs }: { readonly startMs: number; readonly nowMs: number },
  sender: Sender,
): string {
  const times = { startTimeUnixNano: nanos(startMs), timeUnixNano: nanos(nowMs) };
  const all = [...series];
  const histograms = [...new Set(all.map(({ name }) => name))].map((name) => ({
    name,
    unit: "s",
    histogram: {
      aggregationTemporality: CUMULATIVE,
      dataPoints: all.filter((each) => each.name === name).map((each) => pointJson(each, times)),
    },
  }));
  const lost = {
    name: "signalbox.spans.dropped",
    unit: "{span}",
    sum: {
      aggregationTemporality: CUMULATIVE,
      isMonotonic: true,
      dataPoints: [{ asInt: String(dropped), ...times }],
    },
  };
  return JSON.stringify({
    resourceMetrics: [
      {
        resource: resourceOf(sender),
        scopeMetrics: [{ scope: scopeOf(sender), metrics: [...histograms, lost] }],
      },
    ],
  });
}

const pointJson = ({ attributes, count, sum, buckets }: Series, times: object) => ({
  attributes: valuesJson(attributes),
  ...times,
  count: String(count),
  sum,
  bucketCounts: buckets.map(String),
  explicitBounds: BUCKETS_SECONDS,
});

const resourceOf = ({ version, instance }: Sender) => ({
  attributes: valuesJson({
    "service.name": "signalbox",
    "service.version": version,
    "service.instance.id": instance,
  }),
});

const scopeOf = ({ version }: Sender) => ({ name: "signalbox", version });

const valuesJson = (values: Values) =>
  Object.entries(values).map(([key, value]) => ({ key, value: valueJson(value) }));

function valueJson(value: string | number | boolean) {
  if (typeof value === "string") return { stringValue: value };
  if (typeof value === "boolean") return { boolValue: value };
  return Number.isSafeInteger(value) ? { intValue: String(value) } : { doubleValue: value };
}

const nanos = (ms: number): string => String(BigInt(Math.trunc(ms)) * 1_000_000n);
