// Door
// What an envelope or payload must be to be accepted, checked without a server.

import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { MemoryDisk, MemoryStore } from "../../../adapters/memory/index.ts";
import { clients } from "../../../adapters/composition/clients.ts";
import type { SessionId } from "../../../machines/index.ts";
import { readRaw } from "../../../runtime/door/admit.ts";
import { readEvent } from "../../support/engine/read-event.ts";
import { PUBLIC_TYPES, type PublicType } from "../../../runtime/door/schemas.ts";
import { translateEvent } from "../../../runtime/door/translate.ts";
import { workspaceName, Workspaces } from "../../../runtime/door/workspace.ts";
import { RefusedError } from "../../../runtime/errors/errors.ts";
import { keys } from "../../../runtime/rows/keys.ts";
import type { SourceMessage } from "../../../runtime/message.ts";
import { refusal } from "../../support/engine/refusal.ts";
import { event } from "../../support/http/served.ts";
import { claudeCode } from "../../../adapters/claude-code/index.ts";

const parsed = (text: string): unknown => JSON.parse(text);
const created = (attributes: object) => event("request.created", { requestId: "r1" }, attributes);

describe("G36: a malformed envelope is refused with the path of the fault", () => {
  const cases: readonly (readonly [name: string, value: unknown, code: string, path: string])[] = [
    ["null", null, "WRONG_SHAPE", ""],
    ["a list in a list", [[]], "WRONG_SHAPE", ""],
    ["a text", "hello", "WRONG_SHAPE", ""],
    ["another version", created({ specversion: "0.3" }), "WRONG_SHAPE", "specversion"],
    ["no id", created({ id: undefined }), "WRONG_SHAPE", "id"],
    ["an empty id", created({ id: "" }), "WRONG_SHAPE", "id"],
    ["a null id", created({ id: null }), "WRONG_SHAPE", "id"],
    ["a number for an id", created({ id: 7 }), "WRONG_SHAPE", "id"],
    ["CRLF in the id", created({ id: "a\r\nPUB x" }), "WRONG_SHAPE", "id"],
    ["half a surrogate pair in the id", created({ id: "\ud800" }), "WRONG_SHAPE", "id"],
    ["an empty source", created({ source: "" }), "WRONG_SHAPE", "source"],
    ["an unknown type", created({ type: "request.exploded" }), "UNKNOWN_TYPE", "type"],
    ["the name of an object's own method as type", created({ type: "toString" }), "UNKNOWN_TYPE", "type"],
    ["an event of XState", created({ type: "xstate.stop" }), "UNKNOWN_TYPE", "type"],
    ["a done event of XState", created({ type: "xstate.done.actor.x" }), "UNKNOWN_TYPE", "type"],
    ["no subject", created({ subject: undefined }), "WRONG_SHAPE", "subject"],
    ["a subject of three parts", created({ subject: "shop/s1/request" }), "BAD_SUBJECT", "subject"],
    ["an empty session", created({ subject: "shop/" }), "BAD_SUBJECT", "subject"],
    ["CRLF in the subject", created({ subject: "shop/s1\r\n" }), "BAD_SUBJECT", "subject"],
    ["a wildcard for a session", created({ subject: "shop/*" }), "BAD_SUBJECT", "subject"],
    ["a wildcard for the rest", created({ subject: "shop/>" }), "BAD_SUBJECT", "subject"],
    ["a dot in the workspace", created({ subject: "my.shop/s1" }), "BAD_SUBJECT", "subject"],
    ["a path in the session", created({ subject: "shop/.." }), "BAD_SUBJECT", "subject"],
    ["an id of 129 characters", created({ subject: `shop/${"s".repeat(129)}` }), "BAD_SUBJECT", "subject"],
    [
      "a tool without a session",
      event("tool.started", { tool: "Bash" }, { subject: "shop" }),
      "BAD_SUBJECT",
      "subject",
    ],
    ["a time that is none", created({ time: "yesterday" }), "WRONG_SHAPE", "time"],
    ["a negative sequence", created({ sequence: -1 }), "WRONG_SHAPE", "sequence"],
    ["half a sequence", created({ sequence: 0.5 }), "WRONG_SHAPE", "sequence"],
    ["a sequence as text", created({ sequence: "1" }), "WRONG_SHAPE", "sequence"],
    ["no data", created({ data: undefined }), "WRONG_SHAPE", "data"],
    ["null data", created({ data: null }), "WRONG_SHAPE", "data"],
    ["no request id", created({ data: {} }), "WRONG_SHAPE", "data.requestId"],
    ["an empty request id", created({ data: { requestId: "" } }), "WRONG_SHAPE", "data.requestId"],
    ["a null request id", created({ data: { requestId: null } }), "WRONG_SHAPE", "data.requestId"],
    ["a wildcard for a request id", created({ data: { requestId: "*" } }), "WRONG_SHAPE", "data.requestId"],
    ["CRLF in a request id", created({ data: { requestId: "r\r\n1" } }), "WRONG_SHAPE", "data.requestId"],
    ["a misspelt field", created({ data: { requestId: "r1", promt: "x" } }), "WRONG_SHAPE", "data.promt"],
    [
      "a chat that is an object",
      created({ data: { requestId: "r1", chatId: {} } }),
      "WRONG_SHAPE",
      "data.chatId",
    ],
    [
      "a wrong field in a list",
      event("tool.batch", { calls: [{ tool: "Bash" }, { tool: 4 }] }),
      "WRONG_SHAPE",
      "data.calls[1].tool",
    ],
    ["a question about nothing", event("approval.requested", { tool: "Bash" }), "WRONG_SHAPE", "data.input"],
    [
      "a request id too long to name a session",
      event("request.created", { requestId: "r".repeat(127) }, { subject: "shop" }),
      "BAD_ID",
      "data.requestId",
    ],
    ["__proto__ in the envelope", parsed('{"__proto__":{"type":"x"}}'), "FORBIDDEN_KEY", "__proto__"],
    [
      "__proto__ in the data",
      created({ data: parsed('{"requestId":"r1","__proto__":{"a":1}}') }),
      "FORBIDDEN_KEY",
      "data.__proto__",
    ],
    [
      "constructor below the data",
      created({ data: { requestId: "r1", chatId: [{ constructor: 1 }] } }),
      "FORBIDDEN_KEY",
      "data.chatId[0].constructor",
    ],
    [
      "prototype in the data",
      created({ data: { requestId: "r1", prototype: 1 } }),
      "FORBIDDEN_KEY",
      "data.prototype",
    ],
    [
      "__proto__ in a raw payload",
      event("claude-code.stream", parsed('{"type":"x","__proto__":{"a":1}}')),
      "FORBIDDEN_KEY",
      "data.__proto__",
    ],
    ["a raw payload that is a list", event("claude-code.hook", []), "WRONG_SHAPE", "data"],
  ];
  test.each(cases)("G36, SCHEMAS-1: %s", (_name, value, code, path) => {
    expect(refusal(() => readEvent(value))).toEqual({ code, path });
    expect(Object.hasOwn(Object.prototype, "a")).toBe(false);
  });

  const own = [
    "decision",
    "timer.fired",
    "process.gone",
    "waiter.gone",
    "configured",
    "swept",
    "refused",
    "own.timer",
    "fence",
  ];
  test.each(own)("DOOR-ENVELOPE-2, SCHEMAS-1: the door refuses types of own messages: %s", (type) => {
    expect(refusal(() => readEvent(created({ type })))).toEqual({ code: "NOT_AUTHORISED", path: "type" });
  });
});

describe("S2.75: hooks come bare or wrapped", () => {
  const payload = { session_id: "s1", hook_event_name: "Stop" };

  it("S2.75: both are journalled as the same message", () => {
    expect(readEvent(event("claude-code.hook", payload)).data).toEqual({ hook: payload });
    expect(readEvent(event("claude-code.hook", { hook: payload, answer: "{}" })).data).toEqual({
      hook: payload,
      answer: "{}",
    });
    const home = { workspace: "w", session: "s" } as Parameters<typeof readRaw>[3];
    const raw = readRaw(payload, 60, claudeCode, { ...home, id: "i" });
    expect(raw.data).toEqual({ hook: payload });
  });

  it("WORKSPACE-1: a hook says which session it is about", () => {
    expect(claudeCode.hook.read({ ...payload, cwd: "/home/dev/shop" })).toMatchObject({
      sessionId: "s1",
      cwd: "/home/dev/shop",
    });
  });
});

describe("ADMIT-1: whatever comes is accepted whole or refused", () => {
  const call = { toolUseId: "t1", tool: "Bash", input: { a: 1 }, agentId: "a1" };
  const valid: Readonly<Record<PublicType, object>> = {
    "session.started": { cwd: "/a" },
    "session.ended": {},
    "request.created": { requestId: "r1", chatId: 7, prompt: "do" },
    "request.queued": { requestId: "r1" },
    "request.processing": { requestId: "r1", model: "m" },
    "request.completed": { requestId: "r1", tokens: 9, output: "x" },
    "request.failed": { requestId: "r1", error: "x", exitCode: 1 },
    "request.cancelled": { requestId: "r1" },
    "request.callback": { requestId: "r1", state: "delivered" },
    "tool.announced": { ...call, blockIndex: 1 },
    "tool.started": call,
    "tool.finished": { ...call, output: {}, durationMs: 1 },
    "tool.failed": { ...call, error: "x" },
    "tool.batch": { calls: [{ tool: "Bash", input: 1 }] },
    "approval.requested": { ...call, deadlineAt: 5 },
    "approval.answered": { approvalId: "q", decision: "deny", by: "x" },
    "approval.withdrawn": { approvalId: "q" },
    "approval.lapsed": { approvalId: "q", said: "deny" },
    "approval.taken": { approvalId: "q", by: "service" },
  };
  test.each(["local:ann", "http:ann", "nats:ann", "rule:r1", "policy:p1", "ann~0123456789ab"])(
    "SCHEMAS-2: who reports an answer given elsewhere cannot say that %s gave it",
    (by) => {
      const answered = (name: string) =>
        event("approval.answered", { ...valid["approval.answered"], by: name });
      expect(refusal(() => readEvent(answered(by)))).toMatchObject({ code: "WRONG_SHAPE", path: "data.by" });
      expect(readEvent(answered("chat:Ann ~ Shop")).data).toMatchObject({ by: "chat:Ann ~ Shop" });
    },
  );

  const FIELDS = Object.values(valid).flatMap((data) => Object.keys(data));
  const odd = fc.oneof(
    fc.jsonValue(),
    fc.constantFrom("", "*", "a\r\nb", "é", "x".repeat(129), -1, 0.5),
    fc.double(),
  );
  /** A good envelope with at most two changes. */
  const envelopes = fc
    .record({
      type: fc.constantFrom(...PUBLIC_TYPES),
      inData: fc.dictionary(fc.constantFrom(...FIELDS), odd, { maxKeys: 1 }),
      around: fc.dictionary(fc.constantFrom("id", "source", "type", "subject", "time", "sequence"), odd, {
        maxKeys: 1,
      }),
    })
    .map(({ type, inData, around }) => ({
      ...event(type, { ...valid[type], ...inData }),
      ...around,
    }));

  it("ADMIT-1: a refusal has one of our codes; what is accepted has sound ids and can be translated", () => {
    let admitted = 0;
    fc.assert(
      fc.property(fc.oneof(envelopes, fc.jsonValue()), (value) => {
        let message: SourceMessage;
        try {
          message = readEvent(JSON.parse(JSON.stringify(value)));
        } catch (error) {
          expect(error).toBeInstanceOf(RefusedError);
          return;
        }
        admitted += 1;
        for (const id of [message.workspace, message.session]) expect(id).toMatch(/^[A-Za-z0-9_-]{1,128}$/);
        expect(JSON.parse(JSON.stringify(message))).toEqual(message);
        expect(translateEvent(message, clients)).toHaveLength(1);
      }),
      { numRuns: 3_000 },
    );
    expect(admitted).toBeGreaterThan(200);
  });
});

it("R3: a request without a session gets one of its own", () => {
  const alone = readEvent(event("request.created", { requestId: "r1" }, { subject: "shop" }));
  expect([alone.workspace, alone.session]).toEqual(["shop", "r_r1"]);
});

it("ADMIT-2, DOOR-ENVELOPE-1: the source's time and sequence are kept; unknown attributes are dropped", () => {
  const message = readEvent(
    created({
      id: "i",
      time: "2027-01-15T08:00:00.5Z",
      sequence: 3,
      traceparent: "00-1",
      data: { requestId: "r1" },
    }),
  );
  expect(message).toEqual({
    door: "in",
    workspace: "shop",
    session: "s1",
    id: "i",
    source: "/test",
    type: "request.created",
    time: Date.UTC(2027, 0, 15, 8, 0, 0, 500),
    sequence: 3,
    data: { requestId: "r1" },
  });
});

describe("WORKSPACE-1: the workspace of a client's session", () => {
  /** RFC 4648 base32 by long division. */
  function base32(hex: string): string {
    let text = "";
    for (let left = BigInt(`0x${hex}`) << 4n; text.length < 52; left >>= 5n)
      text = "abcdefghijklmnopqrstuvwxyz234567".charAt(Number(left & 31n)) + text;
    return text;
  }
  const hashOf = (path: string) => base32(createHash("sha256").update(path).digest("hex")).slice(0, 6);

  test.each([
    ["/home/dev/shop", "shop", "/home/dev/shop"],
    ["/home/dev/My Shop!/", "my-shop", "/home/dev/My Shop!"],
    ["C:\\Users\\dev\\Shop", "shop", "C:\\Users\\dev\\Shop"],
    ["/", "workspace", ""],
    ["/srv/日本", "workspace", "/srv/日本"],
  ])("WORKSPACE-1, SCHEMAS-1: %s is named %s and a hash of the whole path", (folder, slug, hashed) => {
    expect(workspaceName(folder)).toBe(`${slug}-${hashOf(hashed)}`);
  });

  it("WORKSPACE-1, WORKSPACE-2: unless its user names one, the first input fixes it, both on its way and once stored", async () => {
    const disk = new MemoryDisk("j");
    const store = new MemoryStore(disk);
    await store.open();
    const session = "s1" as SessionId;
    const first = new Workspaces(store);
    expect(first.of(session, { folder: "/a/shop" })).toBe(workspaceName("/a/shop"));
    expect(first.of(session, { folder: "/a/elsewhere" })).toBe(workspaceName("/a/shop"));
    await store.commit([{ put: keys.sessionOwner(session, workspaceName("/a/shop")), value: '""' }]);
    const next = new Workspaces(store);
    expect(next.of(session, { folder: "/a/shop" })).toBe(workspaceName("/a/shop"));
    expect(next.of(session, { folder: "/a/elsewhere", workspace: "mine" })).toBe("mine");
    expect(next.of(session, { folder: "/a/elsewhere" })).toBe(workspaceName("/a/shop"));
    // Nothing tells that its sender may send everywhere.
    expect(new Workspaces(store).of(session, { folder: "/a/elsewhere" })).toBe(workspaceName("/a/elsewhere"));
    expect(next.of("s2" as SessionId, { folder: "/a/elsewhere", workspace: "mine" })).toBe("mine");
    expect(refusal(() => next.of("s3" as SessionId, { workspace: "a b" })).path).toBe("workspace");
  });
});
