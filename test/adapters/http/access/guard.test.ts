// HTTP: guard
// Hostile headers: nobody but the engine's own page and holders of a token gets or changes anything.

import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import { at } from "../../../support/engine/json.ts";
import { event, rawRequest, serve, type Served, TOKEN } from "../../../support/http/served.ts";

let served: Served;
let host: string;
beforeAll(async () => {
  served = await serve();
  host = new URL(served.url).host;
});
afterAll(() => served.stop());

type Header = readonly [name: string, value: string];

const auth: Header = ["Authorization", `Bearer ${TOKEN}`];
const json: Header = ["Content-Type", "application/json"];
const own = (): Header => ["Host", host];

interface Case {
  readonly name: string;
  readonly headers: () => readonly Header[];
  readonly status: number;
  readonly code?: string;
}

const cases: readonly Case[] = [
  { name: "no Host", headers: () => [auth, json], status: 400 },
  {
    name: "a rebound Host",
    headers: () => [["Host", `evil.example:${served.http.port}`], auth, json],
    status: 403,
    code: "FORBIDDEN_HOST",
  },
  {
    name: "the right Host without its port",
    headers: () => [["Host", "127.0.0.1"], auth, json],
    status: 403,
    code: "FORBIDDEN_HOST",
  },
  {
    name: "the right Host with another port",
    headers: () => [["Host", "127.0.0.1:1"], auth, json],
    status: 403,
    code: "FORBIDDEN_HOST",
  },
  {
    name: "a Host that ends as ours does",
    headers: () => [["Host", `x.${host}`], auth, json],
    status: 403,
    code: "FORBIDDEN_HOST",
  },
  {
    name: "a Host that begins as ours does",
    headers: () => [["Host", `localhost.evil.example:${served.http.port}`], auth, json],
    status: 403,
    code: "FORBIDDEN_HOST",
  },
  {
    name: "0.0.0.0",
    headers: () => [["Host", `0.0.0.0:${served.http.port}`], auth, json],
    status: 403,
    code: "FORBIDDEN_HOST",
  },
  {
    name: "two Hosts",
    headers: () => [own(), ["Host", "evil.example"], auth, json],
    status: 400,
    code: "DUPLICATE_HEADER",
  },
  {
    name: "a foreign Origin",
    headers: () => [own(), ["Origin", "http://evil.example"], auth, json],
    status: 403,
    code: "FORBIDDEN_ORIGIN",
  },
  {
    name: "a null Origin",
    headers: () => [own(), ["Origin", "null"], auth, json],
    status: 403,
    code: "FORBIDDEN_ORIGIN",
  },
  {
    name: "our Origin over https",
    headers: () => [own(), ["Origin", `https://${host}`], auth, json],
    status: 403,
    code: "FORBIDDEN_ORIGIN",
  },
  {
    name: "our Origin on another port",
    headers: () => [own(), ["Origin", "http://127.0.0.1:80"], auth, json],
    status: 403,
    code: "FORBIDDEN_ORIGIN",
  },
  {
    name: "our Origin with a slash",
    headers: () => [own(), ["Origin", `http://${host}/`], auth, json],
    status: 403,
    code: "FORBIDDEN_ORIGIN",
  },
  {
    name: "an empty Origin",
    headers: () => [own(), ["Origin", ""], auth, json],
    status: 403,
    code: "FORBIDDEN_ORIGIN",
  },
  {
    name: "two Origins",
    headers: () => [own(), ["Origin", `http://${host}`], ["Origin", "http://evil.example"], auth, json],
    status: 400,
    code: "DUPLICATE_HEADER",
  },
  { name: "no token", headers: () => [own(), json], status: 401, code: "UNAUTHENTICATED" },
  {
    name: "an empty token",
    headers: () => [own(), ["Authorization", "Bearer "], json],
    status: 401,
    code: "UNAUTHENTICATED",
  },
  {
    name: "half a token",
    headers: () => [own(), ["Authorization", `Bearer ${TOKEN.slice(0, -1)}`], json],
    status: 401,
    code: "UNAUTHENTICATED",
  },
  {
    name: "a token and more",
    headers: () => [own(), ["Authorization", `Bearer ${TOKEN}x`], json],
    status: 401,
    code: "UNAUTHENTICATED",
  },
  {
    name: "a token in another scheme",
    headers: () => [own(), ["Authorization", `Basic ${TOKEN}`], json],
    status: 401,
    code: "UNAUTHENTICATED",
  },
  {
    name: "two tokens, the right one first",
    headers: () => [own(), auth, ["Authorization", "Bearer x"], json],
    status: 400,
    code: "DUPLICATE_HEADER",
  },
  {
    name: "a token in a cookie",
    headers: () => [own(), ["Cookie", `token=${TOKEN}`], json],
    status: 401,
    code: "UNAUTHENTICATED",
  },
  {
    name: "a form's content type",
    headers: () => [own(), auth, ["Content-Type", "text/plain"]],
    status: 415,
    code: "NOT_JSON_TYPE",
  },
  {
    name: "JSON hidden in a form's content type",
    headers: () => [own(), auth, ["Content-Type", "text/plain; application/json"]],
    status: 415,
    code: "NOT_JSON_TYPE",
  },
  { name: "no content type", headers: () => [own(), auth], status: 415, code: "NOT_JSON_TYPE" },
  {
    name: "a compressed body",
    headers: () => [own(), auth, json, ["Content-Encoding", "gzip"]],
    status: 415,
    code: "NOT_JSON_TYPE",
  },
  {
    name: "two content types",
    headers: () => [own(), auth, json, ["Content-Type", "text/plain"]],
    status: 400,
    code: "DUPLICATE_HEADER",
  },
  {
    name: "two idempotency keys",
    headers: () => [own(), auth, json, ["Idempotency-Key", "a"], ["Idempotency-Key", "b"]],
    status: 400,
    code: "DUPLICATE_HEADER",
  },
  {
    name: "an idempotency key of 257 characters",
    headers: () => [own(), auth, json, ["Idempotency-Key", "k".repeat(257)]],
    status: 400,
    code: "BAD_KEY",
  },
];

const ROUTES = ["/v1/events", "/v1/hooks/claude-code", "/v1/approvals/a1/decision"];

describe("GUARD-1, GUARD-2: hostile headers reach no route", () => {
  test.each(cases)("GUARD-1, GUARD-2: $name", async ({ headers, status, code }) => {
    for (const route of code === "BAD_KEY" ? ROUTES.slice(0, 1) : ROUTES) {
      const before = JSON.stringify([...served.engine.store.range({ gte: "!", lt: "~" })]);
      const body = JSON.stringify(event("request.created", { requestId: "r1" }));
      const answered = await rawRequest(served.url, "POST", route, headers(), body);
      expect(answered.status).toBe(status);
      if (code !== undefined) expect(at(JSON.parse(answered.text), "error", "code")).toBe(code);
      expect(Object.keys(answered.headers).filter((name) => name.startsWith("access-control"))).toEqual([]);
      expect(JSON.stringify([...served.engine.store.range({ gte: "!", lt: "~" })])).toBe(before);
    }
  });

  it("GUARD-1: this machine's three names, and pages of them, are let in", async () => {
    const { port } = served.http;
    for (const name of [`127.0.0.1:${port}`, `localhost:${port}`, `[::1]:${port}`]) {
      const headers: Header[] = [["Host", name], ["Origin", `http://${name}`], auth];
      expect((await rawRequest(served.url, "GET", "/v1/stats", headers)).status).toBe(200);
    }
  });

  it("SERVER-1, G45: every route needs the token except the probes, which reveal nothing", async () => {
    for (const path of [
      "/",
      "/metrics",
      "/v1/requests",
      "/v1/stream",
      "/v1/machines",
      "/v1/nope",
      "/livez/",
      "//livez",
      "/livez/../v1/stats",
      "/livez%2f..%2fv1/stats",
    ])
      expect([path, (await rawRequest(served.url, "GET", path, [own()])).status]).toEqual([path, 401]);
    expect((await rawRequest(served.url, "GET", "/livez", [own()])).text).toBe('{"live":true}');
    expect((await rawRequest(served.url, "GET", "/readyz", [own()])).text).toBe('{"ready":true}');
    expect((await rawRequest(served.url, "GET", "/livez", [["Host", "evil.example"]])).status).toBe(403);
  });

  it("GUARD-1: the answer to a preflight lets no page in", async () => {
    const asks: Header[] = [
      own(),
      ["Origin", "http://evil.example"],
      ["Access-Control-Request-Method", "POST"],
    ];
    const answered = await rawRequest(served.url, "OPTIONS", "/v1/events", asks);
    expect(answered.status).toBe(403);
    expect(answered.headers["access-control-allow-origin"]).toBeUndefined();
  });

  it("GUARD-1: an absolute address in the request line does not replace the Host", async () => {
    const answered = await rawRequest(served.url, "GET", "http://evil.example/v1/stats", [own(), auth]);
    expect(answered.status).toBe(400);
  });

  it("GUARD-1: every answer forbids a browser to run, store or frame it", async () => {
    for (const path of ["/livez", "/v1/stats", "/v1/nope"]) {
      const { headers } = await rawRequest(served.url, "GET", path, [own(), auth]);
      expect(headers).toMatchObject({
        "cache-control": "no-store",
        "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
        "x-content-type-options": "nosniff",
        "referrer-policy": "no-referrer",
      });
    }
  });
});
