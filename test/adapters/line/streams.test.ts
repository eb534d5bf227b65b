// Streams
// The stream of an engine with a line key, read through somebody who carries the bytes and may change them.

import { randomBytes } from "node:crypto";
import { createServer, type Server } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { once } from "node:events";
import { Duplex, Transform } from "node:stream";
import { afterEach, beforeEach, expect, it } from "vitest";
import { overDialled, overTcp } from "../../../adapters/line/index.ts";
import { event, serve, type Served } from "../../support/http/served.ts";

const lineKey = randomBytes(32).toString("base64url");
const JSON_BODY = { "Content-Type": "application/json" };
const EVENT = Buffer.from(JSON.stringify(event("request.created", { requestId: "r1", prompt: "made" })));
let served: Served;
beforeEach(async () => {
  served = await serve({ place: { local: { name: "local:tester", lineKey } } });
});
afterEach(() => served.stop());

/** Follows the stream while its carrier may change what the engine says. @returns the text up to the first change. */
async function followed(carry: (said: string) => readonly string[]): Promise<string> {
  const { host, port } = new URL(served.url);
  const dial = () => {
    const engine = connect(Number(port), "127.0.0.1");
    const up = new Transform({ transform: (bytes, _, done) => done(null, bytes) });
    const down = new Transform({
      transform(bytes: Buffer, _, done) {
        for (const part of carry(bytes.toString("latin1"))) this.push(Buffer.from(part, "latin1"));
        done();
      },
    });
    up.pipe(engine).pipe(down);
    return { socket: Duplex.from({ writable: up, readable: down }), host, differs: () => undefined };
  };
  const exchange = overDialled(dial, { lineKey }, served.url);
  const { body } = await exchange({ method: "GET", path: "/v1/stream", isStream: true });
  await overTcp(served.url, { lineKey })({
    method: "POST",
    path: "/v1/events",
    headers: JSON_BODY,
    body: EVENT,
  });
  let text = "";
  for await (const chunk of body) {
    text += Buffer.from(chunk).toString();
    if (text.includes("event: change")) break;
  }
  return text;
}

it.each([
  ["as it came", (said: string) => [said]],
  ["byte by byte", (said: string) => Array.from(said)],
])(
  "OVER-TCP-3, HANDSHAKES-4: a stream that is passed on %s is read, without its proofs",
  async (_, carry) => {
    const text = await followed(carry);
    expect(text).toMatch(/^retry: 1000\nid: [^]*"r1"[^]*\n\n$/);
    expect(text).not.toContain("proof");
  },
);

it.each([
  ["with one byte of a change changed", (said: string) => said.replaceAll('"r1"', '"r2"')],
  ["with one byte of its first event changed", (said: string) => said.replace("retry: 1000", "retry: 9000")],
  ["without proofs", (said: string) => said.replace(/:proof .*/g, (proof) => ":".padEnd(proof.length, "x"))],
  ["with another length", (said: string) => said.replace(/:proof 0000/g, ":proof 9999")],
])("OVER-TCP-3: a stream that is passed on %s ends with NOT_PROVEN", async (_, change) => {
  await expect(followed((said) => [change(said)])).rejects.toMatchObject({ code: "NOT_PROVEN" });
});

it("OVER-TCP-1: a program that greets with something other than JSON proves nothing", async () => {
  const server: Server = createServer((_, response) => response.end("<html>hello</html>"));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const asked = overTcp(url, { lineKey })({ method: "GET", path: "/v1/stats" });
  await expect(asked).rejects.toMatchObject({ code: "NOT_PROVEN" });
  server.close();
});
