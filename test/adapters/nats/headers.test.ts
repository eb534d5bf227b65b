// Headers
// What is read of them agrees with the NATS client's own reader, which no stranger's message ever reaches.

import { fileURLToPath } from "node:url";
import { fc } from "@fast-check/vitest";
import { connect, MsgHdrsImpl } from "nats";
import { expect, test, vi } from "vitest";
import { clients } from "../../../adapters/composition/clients.ts";
import { headersIn, headerLines } from "../../../adapters/nats/headers.ts";
import { connectNats } from "../../../adapters/nats/index.ts";
import { strangeSeals } from "../../../adapters/nats/strange-seals.ts";
import { systemClock } from "../../../adapters/system/index.ts";
import { headOf, manyNames, rawClient } from "../../support/nats/raw.ts";
import { natsServer } from "../../support/nats/server.ts";
import { holds } from "../../support/properties/property.ts";

const FILE = fileURLToPath(import.meta.url);
const KEY = new Uint8Array(32);
const NAMES = new Set(["a", "Content-Type", ""]);
const LINES = [
  "a: 1",
  "a:  2 ",
  "A: 3",
  "b",
  "",
  ": 4",
  "a b: 5",
  "é: 6",
  "a: é",
  "a:\t7\n8",
  "Content-Type: x: y",
];

function readByClient(head: Uint8Array): ReadonlyMap<string, string> | undefined {
  try {
    const read = Array.from(MsgHdrsImpl.decode(head), ([name, values]) => [name, values.join(", ")] as const);
    return new Map(read.filter(([name]) => NAMES.has(name)));
  } catch {
    return undefined;
  }
}

test("NATS-HEADERS-2: the same headers are read, and the same ones refused, as by the NATS client's own reader", () => {
  const lines = fc.array(fc.constantFrom(...LINES), { maxLength: 6 });
  holds(FILE, 300, lines, (some) => {
    const head = headOf(...some);
    expect(headersIn(head, NAMES)).toEqual(readByClient(head));
  });
  expect(() => Array.from(headerLines(headOf("a b: c")))).toThrow(
    expect.objectContaining({ code: "BAD_HEADERS" }) as Error,
  );
});

test("NATS-HEADERS-1: of a message with 11,000 names the journal reads those it knows, and never has the NATS client read them", async () => {
  const server = await natsServer();
  const traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
  const link = await connectNats({
    url: server.url,
    clients,
    sealKey: KEY,
    clock: systemClock(),
    onFatal: vi.fn(),
  });
  await link.journal.open(undefined);
  const raw = await rawClient(server.port);
  const connection = await connect({ servers: server.url });
  const decode = vi.spyOn(MsgHdrsImpl, "decode");
  try {
    const head = manyNames(11_000, `traceparent: ${traceparent}`, "Nats-Msg-Id: m1");
    const envelope = { specversion: "1.0", id: "e1", source: "/x", data: { tool: "Bash", toolUseId: "t1" } };
    const subject = "signalbox.v1.in.w.s.tool.started";
    await raw.send(subject, head, JSON.stringify(envelope));
    await raw.until(/"seq":1/);
    const [read] = await link.journal.read(0, 1, new AbortController().signal);
    expect(JSON.parse(read?.body ?? "")).toMatchObject({ door: "in", id: "e1", traceparent });
    expect(read?.bytes).toBe(subject.length + head.length + JSON.stringify(envelope).length);
    const stored = await link.journal.entry(1);
    expect([stored?.body, stored?.bytes]).toEqual([read?.body, read?.bytes]);
    const manager = await connection.jetstreamManager();
    const stream = { connection, manager, clock: systemClock() };
    expect(await strangeSeals(stream, KEY, { after: 0, upTo: 1 })).toEqual([]);
    expect(decode.mock.calls.filter(([bytes]) => bytes.length >= head.length)).toEqual([]);
  } finally {
    decode.mockRestore();
    raw.close();
    await connection.close();
    await link.close();
    await server.dispose();
  }
});
