// Collector
// A collector of OpenTelemetry over HTTP: it keeps what was posted, and answers as the test says.
//
//   Owns:          listening, reading the JSON as the protocol describes it.
//   Does not own:  what was to be sent.

import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { z } from "zod";

const hex = (bytes: number) => z.string().regex(new RegExp(`^[0-9a-f]{${bytes * 2}}$`));
/** 64-bit numbers are texts. */
const long = z.string().regex(/^\d{1,20}$/);
const value = z.strictObject({
  stringValue: z.string().optional(),
  boolValue: z.boolean().optional(),
  intValue: long.optional(),
  doubleValue: z.number().optional(),
});
const attributes = z.array(z.strictObject({ key: z.string(), value }));
const resource = z.strictObject({ attributes });
const scope = z.strictObject({ name: z.string(), version: z.string() });
const link = z.strictObject({ traceId: hex(16), spanId: hex(8), flags: z.int() });
const span = z.strictObject({
  traceId: hex(16),
  spanId: hex(8),
  parentSpanId: hex(8).optional(),
  name: z.string(),
  kind: z.int(),
  startTimeUnixNano: long,
  endTimeUnixNano: long,
  attributes,
  status: z.strictObject({ code: z.int().optional(), message: z.string().optional() }),
  links: z.array(link).optional(),
});
const TRACES = z.strictObject({
  resourceSpans: z.array(
    z.strictObject({ resource, scopeSpans: z.array(z.strictObject({ scope, spans: z.array(span) })) }),
  ),
});
const times = { startTimeUnixNano: long, timeUnixNano: long };
const histogram = z.strictObject({
  aggregationTemporality: z.literal(2),
  dataPoints: z.array(
    z.strictObject({
      ...times,
      attributes,
      count: long,
      sum: z.number(),
      bucketCounts: z.array(long),
      explicitBounds: z.array(z.number()),
    }),
  ),
});
const sum = z.strictObject({
  aggregationTemporality: z.literal(2),
  isMonotonic: z.boolean(),
  dataPoints: z.array(z.strictObject({ ...times, asInt: long })),
});
const metric = z.strictObject({
  name: z.string(),
  unit: z.string(),
  histogram: histogram.optional(),
  sum: sum.optional(),
});
const METRICS = z.strictObject({
  resourceMetrics: z.array(
    z.strictObject({ resource, scopeMetrics: z.array(z.strictObject({ scope, metrics: z.array(metric) })) }),
  ),
});

export type SentSpan = z.output<typeof span>;
export type SentMetric = z.output<typeof metric>;

/** The attributes of a span or a point, by name. */
export const valuesOf = (some: z.output<typeof attributes>): Readonly<Record<string, unknown>> =>
  Object.fromEntries(some.map((each) => [each.key, Object.values(each.value)[0]]));

export class Collector {
  readonly spans: SentSpan[] = [];
  /** Of the newest message. */
  metrics: readonly SentMetric[] = [];
  readonly headers: IncomingHttpHeaders[] = [];
  readonly faults: string[] = [];
  /** What it answers: 200, or a failure; 0 for nothing at all. */
  status = 200;
  answer = "{}";
  /** Where it leads. */
  location: string | undefined;
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
  }

  static async start(port = 0): Promise<Collector> {
    const server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on("data", (chunk: Buffer) => chunks.push(chunk));
      request.on("end", () => {
        collector.headers.push(request.headers);
        if (collector.status === 200) collector.#take(request.url ?? "", Buffer.concat(chunks));
        if (collector.status === 0) return;
        const { location } = collector;
        const headers = { "content-type": "application/json", ...(location !== undefined && { location }) };
        response.writeHead(collector.status, headers).end(collector.answer);
      });
    });
    const collector = new Collector(server);
    server.listen(port, "127.0.0.1");
    await once(server, "listening");
    return collector;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, "close");
  }

  #take(path: string, body: Buffer): void {
    const said: unknown = JSON.parse(body.toString("utf8"));
    const read = path === "/v1/traces" ? TRACES.safeParse(said) : METRICS.safeParse(said);
    if (!read.success) this.faults.push(`${path}: ${read.error.message}`);
    else if ("resourceSpans" in read.data)
      this.spans.push(
        ...read.data.resourceSpans.flatMap((each) => each.scopeSpans).flatMap(({ spans }) => spans),
      );
    else
      this.metrics = read.data.resourceMetrics
        .flatMap((each) => each.scopeMetrics)
        .flatMap(({ metrics }) => metrics);
  }
}
