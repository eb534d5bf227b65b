// Proofs
// What a proof of the line covers: with anything else changed it is another one.

import { expect, test } from "vitest";
import {
  answerProof,
  type Asked,
  type Greeting,
  greetingProof,
  handshakeKeys,
  PART_HEAD_BYTES,
  partHead,
  partLengthIn,
  requestProof,
} from "../../../runtime/line/handshake.ts";

const KEYS = handshakeKeys("the line key");
const ASKED: Asked = {
  callerNonce: "c".repeat(32),
  engineNonce: "e".repeat(32),
  method: "POST",
  path: "/v1/gate?approval=g1",
  headers: { "content-type": "application/json", "signalbox-workspace": "shop" },
  bodyHash: "h",
};
const GREETING: Greeting = { version: 1, start: "s", endpoint: "127.0.0.1:1", name: "", nonce: "n" };
const HEADERS = [
  "content-type",
  "idempotency-key",
  "last-event-id",
  "signalbox-workspace",
  "signalbox-for",
  "traceparent",
];

/** Each differs from what is asked in one thing. */
const others: readonly Asked[] = [
  ...(["callerNonce", "engineNonce", "method", "path", "bodyHash"] as const).map((name) => ({
    ...ASKED,
    [name]: `${ASKED[name]}x`,
  })),
  ...HEADERS.map((name) => ({ ...ASKED, headers: { ...ASKED.headers, [name]: "another" } })),
  { ...ASKED, headers: {} },
];

test("HANDSHAKE-4: a request's proof covers method, path, body, nonces and each header that means something", () => {
  const proofs = [ASKED, ...others].map((asked) => requestProof(KEYS, asked));
  expect(new Set(proofs).size).toBe(proofs.length);
  const more = { ...ASKED, headers: { ...ASKED.headers, "user-agent": "x" } };
  expect(requestProof(KEYS, more)).toBe(proofs[0]);
});

test("HANDSHAKE-4: an answer's proof covers the request, the status and the whole answer", () => {
  const proofs = [
    ...[ASKED, ...others].map((asked) => answerProof(KEYS, asked, 200, "a")),
    answerProof(KEYS, ASKED, 404, "a"),
    answerProof(KEYS, ASKED, 200, "b"),
  ];
  expect(new Set(proofs).size).toBe(proofs.length);
});

test("HANDSHAKE-6: the proof of a part covers the request, the part's number, its bytes, and their count", () => {
  const [part, other] = [Buffer.from("event: ready\n\n"), Buffer.from("event: reads\n\n")];
  const heads = [
    ...[ASKED, ...others].map((asked) => partHead(KEYS, asked, 1, part)),
    partHead(KEYS, ASKED, 2, part),
    partHead(KEYS, ASKED, 1, other),
  ];
  expect(new Set(heads).size).toBe(heads.length);
  for (const head of heads) expect([head.length, partLengthIn(head)]).toEqual([PART_HEAD_BYTES, part.length]);
  expect(partLengthIn(`${heads[0] ?? ""} `)).toBeUndefined();
});

test("HANDSHAKE-3, HANDSHAKE-2: a greeting's proof covers all that it says, and the caller's nonce", () => {
  const greetings = (["start", "endpoint", "name", "nonce"] as const).map((name) => ({
    ...GREETING,
    [name]: `${GREETING[name]}x`,
  }));
  const proofs = [
    ...[GREETING, { ...GREETING, version: 2 }, ...greetings].map((each) => greetingProof(KEYS, "c", each)),
    greetingProof(KEYS, "d", GREETING),
  ];
  expect(new Set(proofs).size).toBe(proofs.length);
});

test("HANDSHAKE-1: no proof of one direction is one of the other, nor one by another secret", () => {
  const other = handshakeKeys("another key");
  const proofs = [KEYS, { engine: KEYS.caller, caller: KEYS.engine }, other].map((keys) =>
    requestProof(keys, ASKED),
  );
  expect(new Set(proofs).size).toBe(proofs.length);
});
