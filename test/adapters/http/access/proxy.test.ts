// HTTP: behind a proxy
// An engine reached by https through a proxy that ends TLS.

import { type IncomingMessage } from "node:http";
import { request } from "node:https";
import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import { WebSocket } from "ws";
import { at } from "../../../support/engine/json.ts";
import { event, serve, type Served } from "../../../support/http/served.ts";
import { linkAt, openedAt } from "../../../support/http/signed-in.ts";
import { tlsProxy, type TlsProxy } from "../../../support/http/tls-proxy.ts";

const ADA = "the-token-of-ada-is-long-enough";
const OWN = "the-machines-own-token-is-long-enough";
const TOKENS = [
  { name: "http:ada", token: ADA },
  { name: "local:root", token: OWN, isNearOnly: true },
];

type Header = readonly [name: string, value: string];
const json: Header = ["Content-Type", "application/json"];
const bearer = (token: string): Header => ["Authorization", `Bearer ${token}`];

let proxy: TlsProxy;
let served: Served;
/** As a browser's address bar shows it. */
let origin: string;
beforeAll(async () => {
  proxy = await tlsProxy("box.example");
  origin = `https://box.example:${proxy.port}`;
  served = await serve({ place: { names: ["https://box.example", origin], tokens: TOKENS } });
  proxy.to(served.http.port);
});
afterAll(async () => {
  await served.stop();
  await proxy.stop();
});

/** A request to the proxy. */
function outside(method: string, path: string, headers: readonly Header[], body = "") {
  const host: Header = ["Host", new URL(origin).host];
  const all = headers.some(([name]) => name === "Host") ? headers : [host, ...headers];
  return new Promise<{ status: number; headers: IncomingMessage["headers"]; text: string }>(
    (resolve, reject) => {
      const sent = request(
        {
          host: "127.0.0.1",
          port: proxy.port,
          servername: "box.example",
          ca: proxy.cert,
          method,
          path,
          headers: all.flat(),
          setHost: false,
          agent: false,
        },
        (answer) => {
          let text = "";
          answer.setEncoding("utf8").on("data", (piece: string) => (text += piece));
          answer.on("end", () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text }));
        },
      );
      sent.on("error", reject);
      sent.end(body);
    },
  );
}

const signIn = async () => {
  const { headers } = await outside("GET", `/?token=${ADA}`, []);
  return String(headers["set-cookie"]);
};
const said = () => JSON.stringify(event("session.started", {}));

describe("HTTP: behind a proxy that ends TLS", () => {
  it("SESSION-COOKIE-1, PLACES-1: the cookie never leaves https, and no neighbouring name can set it", async () => {
    expect(await signIn()).toMatch(
      new RegExp(
        `^__Host-signalbox-${served.http.port}=[\\w-]{43}; Path=/; Max-Age=2592000; HttpOnly; SameSite=Strict; Secure$`,
      ),
    );
    const near = await openedAt(await linkAt(served.url, OWN));
    expect(String(near.headers["set-cookie"])).toMatch(
      /^signalbox-\d+=[\w-]{43}; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Strict$/,
    );
  });

  it("SESSION-COOKIE-2, PLACES-1: a page of the proxy's origin may act with its cookie; over http, or under another of our names, it may not", async () => {
    const cookie: Header = ["Cookie", (await signIn()).split(";")[0] ?? ""];
    const page = (from: string) =>
      outside("POST", "/v1/events", [cookie, json, ["Origin", from]], said()).then(({ status }) => status);
    expect(await page(origin)).toBe(200);
    for (const other of [
      `http://box.example:${proxy.port}`,
      "https://box.example",
      "https://box.example:443",
      `https://box.example:${served.http.port}`,
      served.url,
      served.url.replace("http", "https"),
      `${origin}/`,
      `https://BOX.example:${proxy.port}`,
      `https://x.box.example:${proxy.port}`,
      "null",
    ])
      expect([other, await page(other)]).toEqual([other, 403]);
    const plain: Header = ["Cookie", cookie[1].replace("__Host-", "")];
    expect((await outside("POST", "/v1/events", [plain, json, ["Origin", origin]], said())).status).toBe(401);
  });

  test.each([
    ["box.example", 200],
    ["box.example:443", 200],
    ["box.example:80", 403],
    ["box.example.", 403],
    ["box.example:", 400],
    ["x.box.example", 403],
    ["box.example.evil.example", 403],
    ["box.example, evil.example", 400],
    ["box.example@evil.example", 400],
    ["https://box.example", 400],
  ])("PLACES-1: a proxy on the port of https is called %s: %i", async (host, status) => {
    const answered = await outside("GET", "/v1/stats", [["Host", host], bearer(ADA)]);
    expect(answered.status).toBe(status);
  });

  interface Claim {
    readonly what: string;
    readonly headers: readonly Header[];
  }
  const https: Header = ["X-Forwarded-Proto", "https"];
  const PLACES: readonly Claim[] = [
    {
      what: "another host that is said to be ours",
      headers: [
        ["Host", "evil.example"],
        ["X-Forwarded-Host", "box.example"],
      ],
    },
    {
      what: "another host, forwarded",
      headers: [
        ["Host", "evil.example"],
        ["Forwarded", "host=box.example;proto=https"],
      ],
    },
    {
      what: "an Origin that is said to be ours",
      headers: [
        ["Origin", "https://evil.example"],
        ["X-Forwarded-Host", "evil.example"],
      ],
    },
    {
      what: "an Origin over http that is said to be https",
      headers: [["Origin", "http://box.example"], https],
    },
  ];
  test.each(PLACES)("PLACES-1: $what is refused", async ({ headers }) => {
    expect((await outside("GET", "/v1/stats", [bearer(ADA), ...headers])).status).toBe(403);
  });

  const PEOPLE: readonly Claim[] = [
    {
      what: "a user",
      headers: [
        ["X-Forwarded-User", "ada"],
        ["Remote-User", "ada"],
        ["X-Remote-User", "http:ada"],
      ],
    },
    {
      what: "an address of this machine",
      headers: [
        ["X-Forwarded-For", "127.0.0.1"],
        ["X-Real-IP", "127.0.0.1"],
      ],
    },
    {
      what: "a client certificate",
      headers: [
        ["X-Forwarded-Client-Cert", "Subject=ada"],
        ["X-SSL-Client-Verify", "SUCCESS"],
      ],
    },
    {
      what: "a path that needs no token",
      headers: [
        ["X-Original-URL", "/livez"],
        ["X-Rewrite-URL", "/livez"],
      ],
    },
    { what: "another method", headers: [["X-HTTP-Method-Override", "GET"]] },
  ];
  test.each(PEOPLE)("PLACES-1: $what, named in a header, opens nothing", async ({ headers }) => {
    expect((await outside("GET", "/v1/stats", headers)).status).toBe(401);
    expect((await outside("POST", "/v1/events", [json, ...headers], said())).status).toBe(401);
  });

  it("GUARD-3: the machine's own token opens nothing through the proxy, even if the proxy calls the engine by a local name", async () => {
    expect((await outside("GET", "/v1/stats", [bearer(OWN)])).status).toBe(403);
    const link = await outside("GET", `/?token=${OWN}`, []);
    expect([link.status, link.headers["set-cookie"]]).toEqual([401, undefined]);
    expect(link.text).toContain("This token is valid on the engine's own machine only.");
    expect(link.text).toContain("npx signalbox token add NAME");
    expect(link.text).toContain(`${origin}/?token=`);
    const careless = await tlsProxy("box.example", (port) => `127.0.0.1:${port}`);
    careless.to(served.http.port);
    try {
      const ask = (token: string) =>
        new Promise<number | undefined>((resolve, reject) => {
          const options = { host: "127.0.0.1", port: careless.port, servername: "box.example" };
          const headers = { Host: "box.example", Authorization: `Bearer ${token}` };
          request({ ...options, ca: careless.cert, path: "/v1/stats", headers }, (answer) => {
            resolve(answer.resume().statusCode);
          })
            .on("error", reject)
            .end();
        });
      expect([await ask(OWN), await ask(ADA)]).toEqual([403, 200]);
    } finally {
      await careless.stop();
    }
    expect((await served.get("/v1/stats", { Authorization: `Bearer ${OWN}` })).status).toBe(200);
  });

  it("INSPECT-1, PLACES-1: the WebSocket address is the proxy's, by wss, and a page of another origin cannot connect", async () => {
    const cookie = (await signIn()).split(";")[0] ?? "";
    const { text } = await outside("GET", "/v1/inspect", [["Cookie", cookie]]);
    const url = String(at(JSON.parse(text), "url"));
    expect(url).toMatch(new RegExp(`^wss://box.example:${proxy.port}/v1/inspect\\?ticket=[\\w-]{43}$`));
    const look = (path: string, headers: Record<string, string>) =>
      new Promise<string>((resolve) => {
        const socket = new WebSocket(`${origin.replace("http", "ws")}${path}`, {
          ca: proxy.cert,
          lookup: (_name, _options, done) => done(null, [{ address: "127.0.0.1", family: 4 }]),
          headers,
        });
        socket.once("open", () => {
          socket.terminate();
          resolve("open");
        });
        socket.once("error", ({ message }) => resolve(message));
      });
    const ticket = new URL(url).pathname + new URL(url).search;
    expect(await look(ticket, {})).toBe("open");
    expect(await look(ticket, { Origin: origin })).toBe("open");
    expect(await look("/v1/inspect", { Cookie: cookie, Origin: origin })).toBe("open");
    for (const foreign of [
      "https://evil.example",
      "https://stately.ai",
      "null",
      `http://box.example:${proxy.port}`,
    ]) {
      expect(await look(ticket, { Origin: foreign })).toBe("Unexpected server response: 403");
      expect(await look("/v1/inspect", { Cookie: cookie, Origin: foreign })).toBe(
        "Unexpected server response: 403",
      );
    }
  });

  it("FOLLOWERS-1: a stream of changes comes through, and asks the proxy not to buffer it", async () => {
    const { headers, first } = await new Promise<{ headers: IncomingMessage["headers"]; first: string }>(
      (resolve, reject) => {
        const options = { host: "127.0.0.1", port: proxy.port, servername: "box.example", ca: proxy.cert };
        const sent = request(
          {
            ...options,
            path: "/v1/stream",
            headers: { Host: new URL(origin).host, Authorization: `Bearer ${ADA}` },
          },
          (answer) =>
            answer.once("data", (piece: Buffer) => {
              resolve({ headers: answer.headers, first: piece.toString("utf8") });
              sent.destroy();
            }),
        );
        sent.on("error", reject).end();
      },
    );
    expect(first).toContain("event: ready");
    expect(headers["x-accel-buffering"]).toBe("no");
  });
});
