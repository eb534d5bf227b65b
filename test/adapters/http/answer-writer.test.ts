// Answer writer
// Every kind of answer has the headers for a browser, once each; the process keeps its own globals.

import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { event, rawRequest, serve, type Served, TOKEN } from "../../support/http/served.ts";

const [nodesRequest, nodesResponse] = [globalThis.Request, globalThis.Response];

let served: Served;
beforeAll(async () => {
  served = await serve();
});
afterAll(() => served.stop());

const send = (method: string, path: string, body = "", ...more: (readonly [string, string])[]) => {
  const { host } = new URL(served.url);
  const auth = ["Authorization", `Bearer ${TOKEN}`] as const;
  const type = body === "" ? [] : [["Content-Type", "application/json"] as const];
  return rawRequest(served.url, method, path, [["Host", host], auth, ...type, ...more], body);
};

const said = (): string => JSON.stringify(event("session.started", { title: "The title" }));

describe("answer writer", () => {
  it.each([
    ["JSON", "GET", "/v1/stats", 200, "application/json"],
    ["plain text", "GET", "/metrics", 200, "text/plain; charset=UTF-8"],
    ["the page", "GET", "/", 200, "text/html; charset=utf-8"],
    ["a probe", "GET", "/livez", 200, "application/json"],
    ["an unknown route", "GET", "/v1/nope", 404, "application/json"],
    ["a body that is not JSON", "POST", "/v1/events", 415, "application/json"],
    ["a look at the head", "HEAD", "/v1/stats", 200, "application/json"],
  ])(
    "ANSWER-WRITER-1: %s is answered with each header once, and its length",
    async (_, method, path, status, type) => {
      const answered = await send(method, path);
      expect(answered.status).toBe(status);
      const { headers, text } = answered;
      expect(headers).toMatchObject({ "content-type": type, "x-content-type-options": "nosniff" });
      expect(headers["cache-control"]).toBe("no-store");
      expect(String(headers["content-security-policy"]).split("default-src")).toHaveLength(2);
      if (method !== "HEAD") expect(headers["content-length"]).toBe(String(Buffer.byteLength(text)));
      else expect([text, Number(headers["content-length"]) > 0]).toEqual(["", true]);
    },
  );

  it("ANSWER-WRITER-1: what the guard refuses has them, too", async () => {
    const other = await serve();
    const { host } = new URL(other.url);
    const ask = (name: string) => rawRequest(other.url, "GET", "/v1/stats", [["Host", name]]);
    for (const [name, status] of [
      ["evil.example", 403],
      [host, 401],
    ] as const) {
      const answered = await ask(name);
      expect(answered.status).toBe(status);
      expect(answered.headers).toMatchObject({
        "cache-control": "no-store",
        "referrer-policy": "no-referrer",
      });
    }
    await other.stop();
  });

  it("ANSWER-WRITER-2: a whole answer makes no web Response", async () => {
    const made = vi.fn();
    class Watched extends nodesResponse {
      constructor(...given: ConstructorParameters<typeof nodesResponse>) {
        super(...given);
        made();
      }
    }
    vi.stubGlobal("Response", Watched);
    try {
      expect((await send("POST", "/v1/events", said())).status).toBe(200);
      expect((await send("GET", "/v1/nope")).status).toBe(404);
      expect((await send("GET", "/v1/stats", "", ["Host", "evil.example"])).status).toBe(400);
    } finally {
      vi.unstubAllGlobals();
    }
    expect(made).not.toHaveBeenCalled();
  });

  it("ANSWER-WRITER-3: the process keeps its own Request and Response", () => {
    expect(globalThis.Request).toBe(nodesRequest);
    expect(globalThis.Response).toBe(nodesResponse);
  });
});
