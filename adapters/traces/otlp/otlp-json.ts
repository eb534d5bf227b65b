// OTLP JSON
// Writes spans and metrics in the JSON of OpenTelemetry's protocol.
//
//   Owns:          the fields of the JSON.
//   Does not own:  the content of spans (runtime/traces), the counts (histograms), sending (post).
//
// OTLP-JSON-1. The format is as the protocol demands: ids in hex, 64-bit numbers as texts, enumerations as numbers.
// OTLP-JSON-2. Whatever characters a span's or metric's name contains, the output is valid JSON with the same name.

import type { EndedSpan } from "../../../runtime/traces/span.ts";
import { readTraceparent } from "../../../runtime/traces/traceparent.ts";
import { BUCKETS_SECONDS } from "../buckets.ts";
import type { Series } from "./histograms.ts";

const INTERNAL = 1;
const ERROR = 2;
/** The protocol's number that says: each value counts from the start of the process. */
const CUMULATIVE = 2;

type Values = Readonly<Record<string, string | number | boolean>>;

export interface Sender {
  readonly version: string;
  /** An id of the engine, which differs from that of any other engine. */
  readonly instance: string;
}

export const spansJson = (spans: readonly EndedSpan[], sender: Sender): string =>
  `{"resourceSpans":[{"resource":${JSON.stringify(resourceOf(sender))},` +
  `"scopeSpans":[{"scope":${JSON.stringify(scopeOf(sender))},"spans":[${spans.map(spanJson).join(",")}]}]}]}`;

/** A span as JSON, written as text: building the protocol's nested objects would cost more than the span itself (OTLP-JSON-2). */
function spanJson(span: EndedSpan): string {
  const { traceId, spanId, parentId, name, startMs, endMs, attributes, error, link } = span;
  const parent = parentId === undefined ? "" : `"parentSpanId":"${parentId}",`;
  const failed = error === undefined ? "" : `,${pairJson("error.type", error)}`;
  const status = error === undefined ? "" : `"code":${ERROR},"message":${JSON.stringify(error)}`;
  const links = link === undefined ? "" : `,"links":${JSON.stringify(linksOf(link))}`;
  let pairs = "";
  for (const key in attributes) pairs += `${pairs === "" ? "" : ","}${pairJson(key, attributes[key] ?? "")}`;
  return (
    `{"traceId":"${traceId}","spanId":"${spanId}",${parent}"name":${JSON.stringify(name)},"kind":${INTERNAL},` +
    `"startTimeUnixNano":"${nanos(startMs)}","endTimeUnixNano":"${nanos(endMs)}",` +
    `"attributes":[${pairs}${failed}],"status":{${status}}${links}}`
  );
}

/** @param key a key that Signalbox chose, so that no character in it needs an escape. */
function pairJson(key: string, value: string | number | boolean): string {
  if (typeof value === "string") return `{"key":"${key}","value":{"stringValue":${JSON.stringify(value)}}}`;
  return `{"key":"${key}","value":${JSON.stringify(valueOf(value))}}`;
}

function linksOf(traceparent: string) {
  const named = readTraceparent(traceparent);
  return named ? [{ traceId: named.traceId, spanId: named.spanId, flags: named.flags }] : [];
}

/** @param startMs since when all values were counted. @param dropped how many spans were not sent. */
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
  Object.entries(values).map(([key, value]) => ({ key, value: valueOf(value) }));

function valueOf(value: string | number | boolean) {
  if (typeof value === "string") return { stringValue: value };
  if (typeof value === "boolean") return { boolValue: value };
  return Number.isSafeInteger(value) ? { intValue: String(value) } : { doubleValue: value };
}

const nanos = (ms: number): string => `${Math.trunc(ms)}000000`;
