// An engine of the library with a collector on a real socket.

import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { createEngine, type CreateEngineOptions, type SignalboxEngine } from "../../../adapters/index.ts";
import { postWith } from "../../../adapters/traces/index.ts";
import { Collector, valuesOf } from "../../support/traces/collector.ts";

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

async function collector(): Promise<Collector> {
  const one = await Collector.start();
  ends.push(() => one.stop());
  return one;
}

async function scratch(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), "traces-"));
  ends.push(() => rm(dir, { recursive: true, force: true }));
  return dir;
}

let count = 0;
async function say(engine: SignalboxEngine, session: string, type: string, data: object): Promise<void> {
  count += 1;
  const envelope = {
    specversion: "1.0",
    id: `e${count}`,
    source: "test",
    type,
    subject: `w/${session}`,
    data,
  };
  const { taken } = await engine.send(envelope);
  expect(taken.map((each) => ("reply" in each ? each.reply.outcome : each.refused))).toEqual(["applied"]);
}

/** A request with one call, which is over. */
async function work(engine: SignalboxEngine, session: string, tool = "Bash"): Promise<void> {
  const requestId = `r-${session}`;
  const call = { toolUseId: `t-${session}`, tool, input: { command: "secret input" } };
  await say(engine, session, "request.created", { requestId });
  await say(engine, session, "request.processing", { requestId });
  await say(engine, session, "tool.started", call);
  await say(engine, session, "tool.finished", { ...call, output: "secret output" });
  await say(engine, session, "request.completed", { requestId });
}

const engineWith = (options: CreateEngineOptions): Promise<SignalboxEngine> =>
  createEngine({ transcripts: [], ...options });

test("OTLP-JSON-1: a collector reads every span and metric by the protocol's own schema", async () => {
  const there = await collector();
  const engine = await engineWith({ otlp: there.url });
  await work(engine, "s1");
  const { items } = engine.queries.listRequests({}, {});
  const calls = engine.queries.toolCallsOf("s1", {})?.items ?? [];
  await engine.stop();
  expect(there.faults).toEqual([]);
  const [call, request] = there.spans;
  expect(there.spans.map(({ name, kind, status }) => [name, kind, status])).toEqual([
    ["execute_tool Bash", 1, {}],
    ["invoke_agent", 1, {}],
  ]);
  expect(call?.parentSpanId).toBe(request?.spanId);
  expect(call?.traceId).toBe(request?.traceId);
  expect([call?.startTimeUnixNano, call?.endTimeUnixNano]).toEqual(
    [calls[0]?.createdAt, calls[0]?.closedAt].map((ms) => `${ms}000000`),
  );
  expect(request?.startTimeUnixNano).toBe(`${items[0]?.createdAt}000000`);
  expect(valuesOf(call?.attributes ?? [])).toMatchObject({
    "gen_ai.operation.name": "execute_tool",
    "gen_ai.tool.name": "Bash",
    "gen_ai.tool.call.id": "t-s1",
    "gen_ai.conversation.id": "s1",
    "signalbox.call.outcome": "completed",
    "signalbox.approval.decision": "never-asked",
  });
  expect(there.metrics.map(({ name }) => name).sort()).toEqual([
    "gen_ai.execute_tool.duration",
    "gen_ai.invoke_agent.duration",
    "signalbox.spans.dropped",
  ]);
  const points = there.metrics.flatMap(({ histogram }) => histogram?.dataPoints ?? []);
  for (const { count: n, bucketCounts, explicitBounds } of points) {
    expect(bucketCounts.reduce((all, each) => all + Number(each), 0)).toBe(Number(n));
    expect(bucketCounts).toHaveLength(explicitBounds.length + 1);
  }
  expect(JSON.stringify([there.spans, there.metrics])).not.toContain("secret");
});

test("TRACE-NOTES-1: the traceparent of a request over HTTP is a link of its span, and a malformed one is passed over", async () => {
  const there = await collector();
  const engine = await engineWith({ otlp: there.url, port: 0, token: "t".repeat(43) });
  const traceId = "4bf92f3577b34da6a3ce929d0e0e4736";
  const post = async (session: string, type: string, traceparent: string): Promise<number> => {
    const data = { requestId: `r-${session}` };
    const envelope = {
      specversion: "1.0",
      id: `${session}-${type}`,
      source: "test",
      type,
      subject: `w/${session}`,
      data,
    };
    const headers = {
      authorization: `Bearer ${engine.token}`,
      "content-type": "application/json",
      traceparent,
    };
    const answer = await fetch(`${engine.url}/v1/events`, {
      method: "POST",
      headers,
      body: JSON.stringify(envelope),
    });
    return answer.status;
  };
  for (const [session, header] of [
    ["s1", `00-${traceId}-00f067aa0ba902b7-01`],
    ["s2", `00-${traceId}-0000000000000000-01`],
  ] as const)
    for (const type of ["request.created", "request.processing", "request.completed"])
      expect(await post(session, type, header)).toBe(200);
  await engine.stop();
  expect(there.faults).toEqual([]);
  expect(there.spans.map(({ links }) => links)).toEqual([
    [{ traceId, spanId: "00f067aa0ba902b7", flags: 1 }],
    undefined,
  ]);
});

test("OTLP-ADDRESS-2: the headers of a file come with each message, and no other", async () => {
  const there = await collector();
  const file = join(await scratch(), "headers");
  await writeFile(file, "# what it wants\nAuthorization: Bearer t0p\n\nx-scope-orgid: 7\n", { mode: 0o600 });
  const engine = await engineWith({ otlp: `${there.url}/`, otlpHeaders: file });
  await work(engine, "s1");
  await engine.stop();
  expect(there.spans).toHaveLength(2);
  for (const headers of there.headers)
    expect(headers).toMatchObject({
      authorization: "Bearer t0p",
      "x-scope-orgid": "7",
      "content-type": "application/json",
    });
});

test("EXPORTER-2: what a stopped engine had not sent is sent by the next one, under the ids that a twin gives", async () => {
  const [there, twin] = [await collector(), await collector()];
  const dataDir = await scratch();
  // The first one finds nobody: port 9 discards, if anything listens there at all.
  const one = await engineWith({ dataDir, otlp: "http://127.0.0.1:9" });
  await work(one, "s0");
  await one.stop();
  // Without a place on disk it would begin here.
  const two = await engineWith({ dataDir, otlp: there.url });
  await work(two, "s1");
  await two.stop();
  const again = await engineWith({ dataDir, otlp: there.url });
  await work(again, "s2");
  await again.stop();
  const names = (of: Collector): readonly string[] =>
    of.spans.map(({ traceId, spanId, name }) => `${traceId} ${spanId} ${name}`);
  const memory = await engineWith({ otlp: twin.url });
  for (const session of ["s0", "s1", "s2"]) await work(memory, session);
  await memory.stop();
  expect(names(there)).toEqual(names(twin));
});

test("EXPORTER-1, EXPORTER-3: a collector that takes nothing is a trouble and no hindrance; one that comes back gets all", async () => {
  const there = await collector();
  there.status = 503;
  const engine = await engineWith({ otlp: there.url });
  await work(engine, "s1");
  await expect.poll(() => there.headers.length).toBeGreaterThan(1);
  await work(engine, "s2");
  expect(there.spans).toEqual([]);
  there.status = 200;
  await expect.poll(() => there.spans.length).toBe(4);
  await engine.stop();
  expect(new Set(there.spans.map(({ spanId }) => spanId)).size).toBe(4);
});

test("TRACE-SIDE-2: a place that cannot be read is none, and the engine goes on from now", async () => {
  const there = await collector();
  const dataDir = await scratch();
  const first = await engineWith({ dataDir, otlp: "http://127.0.0.1:9" });
  await work(first, "s0");
  await first.stop();
  await writeFile(join(dataDir, "traces.json"), '{"after":7', { mode: 0o600 });
  const next = await engineWith({ dataDir, otlp: there.url });
  await work(next, "s1");
  await next.stop();
  const sessions = there.spans.map(({ attributes }) => valuesOf(attributes)["gen_ai.conversation.id"]);
  expect(sessions).toEqual(["s1", "s1"]);
});

test.each([{}, { tracer: "mine" }, "yes", 7])(
  "GIVEN-OPTIONS-1: createEngine({ traces: %j }) is refused",
  async (traces) => {
    await expect(engineWith({ traces } as unknown as CreateEngineOptions)).rejects.toMatchObject({
      code: "BAD_OPTION",
    });
  },
);

test("EXPORTER-4: an engine ends while its collector holds on to a message", async () => {
  const there = await collector();
  there.status = 0;
  const engine = await engineWith({ otlp: there.url });
  await work(engine, "s1");
  await expect.poll(() => there.headers.length).toBe(1);
  await engine.stop();
  expect(there.spans).toEqual([]);
});

test("POST-1: nobody is led elsewhere, and what the collector refuses is counted", async () => {
  const [there, elsewhere] = [await collector(), await collector()];
  there.status = 307;
  there.location = `${elsewhere.url}/v1/traces`;
  const posted = await postWith({ authorization: "t0p" })(
    `${there.url}/v1/traces`,
    "{}",
    new AbortController().signal,
  );
  expect(posted.what).toBe("again");
  expect([there.headers.length, elsewhere.headers.length]).toEqual([1, 0]);
});

test.each([
  ['{"partialSuccess":{"rejectedSpans":"3","errorMessage":"x"}}', 3],
  ['{"partialSuccess":{"rejectedSpans":-1}}', 0],
  ["no JSON", 0],
  ["x".repeat(200_000), 0],
])("POST-2: of an answer that begins as %.20s only a count is taken", async (answer, rejected) => {
  const there = await collector();
  there.answer = answer;
  const posted = await postWith({})(
    `${there.url}/v1/traces`,
    '{"resourceSpans":[]}',
    new AbortController().signal,
  );
  expect(posted).toEqual({ what: "taken", rejected });
});

test.each([
  ["collector.example", "cannot be read"],
  ["collector.example:4318", "not an HTTP address"],
  ["grpc://collector.example", "not an HTTP address"],
  ["http://collector.example:4318", "on another machine"],
  ["http://127.0.0.1.example.com:4318", "on another machine"],
  ["https://ann:pass@collector.example", "a name or a password"],
  ["https://collector.example/?key=k", "a query or a fragment"],
])("OTLP-ADDRESS-1, OTLP-ADDRESS-2: %s is refused", async (otlp, why) => {
  await expect(engineWith({ otlp })).rejects.toMatchObject({
    code: "BAD_OTLP_URL",
    message: expect.stringContaining(why) as string,
  });
});

test.each(["no header", "host: elsewhere", "a\u0000b: c", ": x"])(
  "OTLP-ADDRESS-2: a file with the line %j is refused, and nothing of it is told",
  async (line) => {
    const file = join(await scratch(), "headers");
    await writeFile(file, `authorization: Bearer t0p\n${line}\n`, { mode: 0o600 });
    const refused = await engineWith({ otlp: "https://collector.example", otlpHeaders: file }).catch(
      (error: unknown) => error,
    );
    expect(refused).toMatchObject({ code: "BAD_OTLP_HEADERS" });
    expect(String(refused)).not.toContain("t0p");
  },
);
