// The stream's messages as entries: the engine's own, those of services, and everything else.

import { fc, test as property } from "@fast-check/vitest";
import { describe, expect, test } from "vitest";
import { entryOf, writeWire } from "../../../adapters/nats/wire.ts";
import type { WireMessage } from "../../../adapters/nats/wire-message.ts";
import { readMessage } from "../../../runtime/message.ts";
import { clients } from "../../../adapters/composition/clients.ts";

const KEY = new Uint8Array(32).fill(1);
const OTHER_KEY = new Uint8Array(32).fill(2);

const event = (other: object = {}) => ({
  specversion: "1.0",
  id: "e1",
  source: "/gateway",
  type: "tool.started",
  subject: "w/s",
  data: { tool: "Bash", toolUseId: "t1", input: { command: "ls" } },
  ...other,
});
const found = (subject: string, body: unknown, headers: Record<string, string> = {}) => ({
  subject,
  headers: new Map(Object.entries(headers)),
  payload: Buffer.from(typeof body === "string" ? body : JSON.stringify(body)),
});
const IN = "signalbox.v1.in.w.s.tool.started";
const headOf = (headers: WireMessage["headers"]): Uint8Array =>
  Buffer.from(`NATS/1.0\r\n${Array.from(headers, ([name, value]) => `${name}: ${value}\r\n`).join("")}\r\n`);
/** The body of the entry: always a message. */
const readWire = ({ headers, ...message }: WireMessage, sealKey: Uint8Array): string =>
  entryOf({ ...message, head: headOf(headers) }, { sealKey, clients }, { position: 0, at: 0 }).body;
const read = (...args: Parameters<typeof found>) => readMessage(readWire(found(...args), KEY));
const refusal = (code: string) => ({
  door: "own",
  workspace: "signalbox",
  session: "engine",
  said: { type: "refused", door: "nats", code },
});

const text = fc.string({ unit: "binary", maxLength: 40 }).filter((each) => each.isWellFormed());
const id = fc.stringMatching(/^[A-Za-z0-9_-]{1,20}$/);
const source = fc.record(
  {
    door: fc.constant("in"),
    workspace: id,
    session: id,
    id: text.filter((each) => each !== ""),
    source: text.filter((each) => each !== ""),
    type: fc.constantFrom("tool.started", "claude-code.hook", "request.created"),
    time: fc.oneof(fc.nat(), fc.double({ noNaN: true, noDefaultInfinity: true })),
    sequence: fc.nat(),
    data: fc.jsonValue(),
    key: id,
    content: text,
    blob: fc.record({ sha256: id, bytes: fc.nat() }),
  },
  { requiredKeys: ["door", "workspace", "session", "id", "source", "type", "data"] },
);
const own = fc.record({
  door: fc.constant("own"),
  workspace: id,
  session: id,
  said: fc.record({ type: fc.constantFrom("decision", "timer.fired", "swept"), more: fc.jsonValue() }),
});

describe("the engine's own word", () => {
  property.prop([fc.oneof(source, own)])(
    "NATS-WIRE-1: what is appended is read as the same text",
    (message) => {
      const body = JSON.stringify(message);
      const wire = writeWire(body, KEY);
      expect(readWire(wire, KEY)).toBe(body);
      expect(
        wire.subject.startsWith(`signalbox.v1.${message.door}.${message.workspace}.${message.session}.`),
      ).toBe(true);
      for (const [name, value] of wire.headers) expect(`${name}: ${value}`).toMatch(/^[\x20-\x7e]+$/);
    },
  );

  test("NATS-WIRE-1: fields in another order than the door's are read as the same text, too", () => {
    const body =
      '{"type":"tool.started","id":"1","door":"in","data":{},"source":"x","session":"s","workspace":"w"}';
    expect(readWire(writeWire(body, KEY), KEY)).toBe(body);
  });

  test("G38: a message from HTTP stands in the stream as an envelope that anyone can read", () => {
    const message = {
      door: "in",
      workspace: "w",
      session: "s",
      id: "e1",
      source: "/x",
      type: "tool.started",
    };
    const body = JSON.stringify({ ...message, time: 1_800_000_000_000, data: { tool: "Bash" }, key: "k_1" });
    const { subject, payload, headers } = writeWire(body, KEY);
    expect(subject).toBe(IN);
    expect(JSON.parse(Buffer.from(payload).toString())).toEqual({
      specversion: "1.0",
      id: "e1",
      source: "/x",
      type: "tool.started",
      subject: "w/s",
      time: "2027-01-15T08:00:00.000Z",
      data: { tool: "Bash" },
    });
    expect(headers.get("Signalbox-Message")).toBe('{"key":"k_1"}');
  });

  property.prop([fc.oneof(source, own), fc.nat(), fc.constantFrom("payload", "aside", "seal", "subject")])(
    "SEAL-1: changed in one byte anywhere, it is nobody's word",
    (message, at, where) => {
      const wire = writeWire(JSON.stringify(message), KEY);
      const payload = Buffer.from(wire.payload);
      const headers = new Map(wire.headers);
      let { subject } = wire;
      if (where === "payload") payload[at % payload.length] = (payload[at % payload.length] ?? 0) ^ 1;
      if (where === "aside") headers.set("Signalbox-Message", `${headers.get("Signalbox-Message") ?? ""}x`);
      if (where === "seal")
        headers.set("Signalbox-Seal", `${headers.get("Signalbox-Seal")?.slice(0, -1) ?? ""}x`);
      if (where === "subject") subject = subject.replace(/^(signalbox\.v1\.\w+\.)/, "$1x");
      expect(readMessage(readWire({ subject, headers, payload }, KEY))).toMatchObject(
        refusal("NOT_AUTHORISED"),
      );
    },
  );

  test("NATS-WIRE-3: another engine's seal does not fit", () => {
    const body = JSON.stringify({ door: "own", workspace: "w", session: "s", said: { type: "decision" } });
    const entry = readMessage(readWire(writeWire(body, OTHER_KEY), KEY));
    expect(entry).toMatchObject(refusal("NOT_AUTHORISED"));
  });
});

describe("what services say", () => {
  test("FOREIGN-1: an envelope on its own subject is taken unchanged", () => {
    expect(read(IN, event())).toMatchObject({
      door: "in",
      workspace: "w",
      session: "s",
      id: "e1",
      type: "tool.started",
    });
  });

  test("FOREIGN-1: the subject supplies what the envelope leaves out", () => {
    const { subject: _, type: _type, ...rest } = event();
    expect(read(IN, rest)).toMatchObject({ workspace: "w", session: "s", type: "tool.started" });
    const created = event({ type: "request.created", subject: "w", data: { requestId: "r1" } });
    expect(read("signalbox.v1.in.w.r_r1.request.created", created)).toMatchObject({ session: "r_r1" });
  });

  test("S2.75: a client's raw payload may be published just as it may be sent over HTTP", () => {
    const hook = { hook_event_name: "Stop", session_id: "s" };
    const raw = event({ type: "claude-code.hook", data: hook });
    expect(read("signalbox.v1.in.w.s.claude-code.hook", raw)).toMatchObject({
      door: "in",
      type: "claude-code.hook",
      data: { hook },
    });
  });

  test.each([
    ["another session", IN, event({ subject: "w/other" }), "SUBJECT_DIFFERS"],
    ["another workspace", IN, event({ subject: "other/s" }), "SUBJECT_DIFFERS"],
    ["another type", IN, event({ type: "tool.batch", data: { calls: [] } }), "SUBJECT_DIFFERS"],
    [
      "a type nobody knows",
      "signalbox.v1.in.w.s.tool.exploded",
      event({ type: "tool.exploded" }),
      "UNKNOWN_TYPE",
    ],
    [
      "the engine's own type",
      "signalbox.v1.in.w.s.timer.fired",
      event({ type: "timer.fired" }),
      "NOT_AUTHORISED",
    ],
    ["one token as a type", "signalbox.v1.in.w.s.tool", event(), "BAD_SUBJECT"],
    ["three tokens as a type", "signalbox.v1.in.w.s.tool.started.x", event(), "BAD_SUBJECT"],
    ["a wildcard as a session", "signalbox.v1.in.w.*.tool.started", event(), "BAD_SUBJECT"],
    ["a line end in a session", "signalbox.v1.in.w.s\r\nPUB x.tool.started", event(), "BAD_SUBJECT"],
    ["an id of 129 characters", `signalbox.v1.in.w.${"s".repeat(129)}.tool.started`, event(), "BAD_SUBJECT"],
    ["the engine's subject", "signalbox.v1.own.w.s.decision", { door: "own" }, "NOT_AUTHORISED"],
    ["a field that is wrong", IN, event({ data: { tool: 1 } }), "WRONG_SHAPE"],
    ["no envelope", IN, [event()], "WRONG_SHAPE"],
    ["no JSON", IN, "{", "NOT_JSON"],
    ["nothing", IN, "", "NOT_JSON"],
    ["too much", IN, event({ data: { tool: "x".repeat(300_000) } }), "TOO_LARGE"],
    ["depth", IN, `${"[".repeat(20_000)}${"]".repeat(20_000)}`, "TOO_DEEP"],
    ["a key that is code", IN, JSON.stringify(event()).replace('"tool":', '"__proto__":'), "FORBIDDEN_KEY"],
  ])("FOREIGN-1, FOREIGN-2: %s is a dead letter with its reason", (_what, subject, body, code) => {
    expect(read(subject, body)).toMatchObject({ ...refusal(code), said: { code, subject } });
  });

  test("NATS-WIRE-1: a dead letter keeps the start of the body, its length and hash, and the headers its sender knows it by", () => {
    const body = "x".repeat(20_000);
    const entry = read(IN, body, { "Nats-Msg-Id": "mine", Cookie: "secret" });
    expect(entry).toMatchObject({
      said: { headers: { "Nats-Msg-Id": "mine" }, bytes: 20_000, body: body.slice(0, 16_384) },
    });
    expect(JSON.stringify(entry)).not.toContain("secret");
  });

  test("NATS-WIRE-1: a message whose headers no client can read is a dead letter, too", () => {
    expect(read(IN, event(), { "a b": "c" })).toMatchObject(refusal("BAD_HEADERS"));
  });

  property.prop([
    fc.string({ unit: "binary" }),
    fc.uint8Array({ maxLength: 200 }),
    fc.dictionary(
      fc.constantFrom("Signalbox-Seal", "Signalbox-Message", "Nats-Msg-Id"),
      fc.string({ unit: "binary" }),
    ),
  ])(
    "NATS-WIRE-1, NATS-WIRE-2: whatever is published, it is an entry, and never the engine's own word",
    (subject, payload, headers) => {
      for (const on of [subject, IN, "signalbox.v1.own.w.s.decision"]) {
        const wire = { subject: on, headers: new Map(Object.entries(headers)), payload };
        const entry = readMessage(readWire(wire, KEY));
        expect(entry).toMatchObject({ door: "own", said: { type: "refused" } });
      }
    },
  );
});
