// HTTP: page
// Signing in by the printed link, and what the page's cookie allows a browser.

import { hash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { textAt } from "../../../support/engine/json.ts";
import { event, rawRequest, serve, type Served, TOKEN } from "../../../support/http/served.ts";
import { linkAt, openedAt, signedIn, type SignedIn } from "../../../support/http/signed-in.ts";

type Header = readonly [name: string, value: string];

const json: Header = ["Content-Type", "application/json"];

describe("HTTP: the page and its cookie", () => {
  let served: Served;
  let browser: SignedIn;
  /** As the page calls the engine. */
  const own = (): Header => browser.host;
  /** A place that is reached by https, where a token may stand in the address. */
  const box: Header = ["Host", "box.example"];
  beforeAll(async () => {
    served = await serve({ place: { names: ["https://box.example"] } });
    browser = await signedIn(served.url, TOKEN);
  });
  afterAll(() => served.stop());

  it("PAGE-2: the token may stand only in the address of the first page, which removes it", async () => {
    const first = await rawRequest(served.url, "GET", `/?token=${TOKEN}`, [box]);
    expect([first.status, first.headers["location"]]).toEqual([303, "/"]);
    expect((await rawRequest(served.url, "GET", "/?token=wrong", [box])).status).toBe(401);
    expect((await rawRequest(served.url, "GET", `/v1/stats?token=${TOKEN}`, [box])).status).toBe(401);
  });

  it("PAGE-2: somebody without a link, or with a wrong one, is told in plain words how to get it", async () => {
    const wrong = await rawRequest(served.url, "GET", "/?token=wrong", [box]);
    const none = await rawRequest(served.url, "GET", "/", [box]);
    expect(wrong.text).toContain("The engine does not accept this link or token");
    expect(none.text).toContain("You are not signed in.");
    for (const { status, headers, text } of [wrong, none]) {
      expect([status, headers["content-type"]]).toEqual([401, "text/plain; charset=UTF-8"]);
      expect(text).toContain("npx signalbox token add NAME --qr");
      expect(text).toContain("https://box.example/?token=");
      expect(text).not.toContain(TOKEN);
    }
    expect(wrong.headers["set-cookie"]).toBeUndefined();
  });

  it("SESSION-COOKIE-1, PANEL-NAME-2: the cookie counts at the panel's own host, and at no other of the engine's", async () => {
    const { port } = served.http;
    const statusAt = async (host: string): Promise<number> =>
      (await rawRequest(served.url, "GET", "/v1/stats", [["Host", host], browser.cookie])).status;
    expect(await statusAt(browser.host[1])).toBe(200);
    for (const host of ["127.0.0.1", "localhost", "[::1]"])
      expect(await statusAt(`${host}:${port}`)).toBe(401);
  });

  it("SESSION-COOKIE-3, HOLDERS-4: a cookie of one start opens nothing at the next, though the token is the same", async () => {
    const statusAt = async (url: string, { host }: SignedIn, [, pair]: Header): Promise<number> => {
      const value = pair.split("=")[1] ?? "";
      const cookie: Header = ["Cookie", `signalbox-${new URL(url).port}=${value}`];
      return (await rawRequest(url, "GET", "/v1/stats", [host, cookie])).status;
    };
    const next = await serve({ place: { names: ["https://box.example"] } });
    const there = await signedIn(next.url, TOKEN);
    const [one, other] = [browser.cookie, there.cookie];
    expect(await statusAt(served.url, browser, one)).toBe(200);
    expect(await statusAt(next.url, there, one)).toBe(401);
    expect(await statusAt(next.url, there, other)).toBe(200);
    // Behind a proxy both have one name.
    const atBox = async (url: string, [, pair]: Header): Promise<number> => {
      const name = `__Host-signalbox-${new URL(url).port}`;
      return (await rawRequest(url, "GET", "/v1/stats", [box, ["Cookie", `${name}=${pair.split("=")[1]}`]]))
        .status;
    };
    expect([await atBox(served.url, one), await atBox(next.url, one)]).toEqual([200, 401]);
    expect(one[1]).toMatch(/=[\w-]{43}$/);
    await next.stop();
  });

  it("SIGN-IN-PAGE-1: a browser gets a page with a field for the token, which loads and runs nothing", async () => {
    const asks: readonly Header[] = [box, ["Accept", "text/html,*/*;q=0.8"]];
    const { status, headers, text } = await rawRequest(served.url, "GET", "/", asks);
    expect([status, headers["content-type"]]).toEqual([401, "text/html; charset=UTF-8"]);
    expect(text).toContain("You are not signed in.");
    expect(text).toContain("until the engine ends, or the token is removed");
    expect(text).not.toMatch(/<script|<link|<img|https?:\/\/(?!127\.0\.0\.1|box\.example)/);
    const [, style = ""] = /<style>([^<]*)<\/style>/.exec(text) ?? [];
    const policy = String(headers["content-security-policy"]);
    expect(policy).toContain(`style-src 'sha256-${hash("sha256", style, "base64")}'`);
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("form-action 'self'");
  });

  it("SESSION-COOKIE-3: what a browser keeps counts no more once its token is removed", async () => {
    const other = await serve();
    const { host: at, cookie: kept } = await signedIn(other.url, TOKEN);
    expect((await rawRequest(other.url, "GET", "/v1/stats", [at, kept])).status).toBe(200);
    other.http.admit([{ name: "http:other", token: "another-token" }]);
    expect((await rawRequest(other.url, "GET", "/v1/stats", [at, kept])).status).toBe(401);
    await other.stop();
  });

  it("SIGN-IN-LINKS-1, PAGE-2: a code signs one browser in, once, and not after five minutes; a look at the head uses none up", async () => {
    const made = async (): Promise<string> =>
      textAt((await served.post("/v1/sign-in-links", {})).body, "code") ?? "";
    const opened = (code: string, method = "GET") => openedAt(`${browser.origin}/?code=${code}`, method);
    const code = await made();
    expect((await opened(code, "HEAD")).status).toBe(401);
    const { status, headers } = await opened(code);
    expect([status, headers["location"]]).toEqual([303, "/"]);
    const [cookie = ""] = String(headers["set-cookie"]).split(";");
    expect((await rawRequest(served.url, "GET", "/v1/stats", [own(), ["Cookie", cookie]])).status).toBe(200);
    const late = await made();
    served.clock.advance(300_001);
    const refused = await Promise.all([code, late, "", "none"].map((each) => opened(each)));
    expect(refused.map((each) => each.status)).toEqual([401, 401, 401, 401]);
    expect(refused[0]?.headers["set-cookie"]).toBeUndefined();
    expect(code).not.toContain(TOKEN);
  });

  it("SIGN-IN-LINKS-2: a browser's cookie makes no further codes", async () => {
    const asPage: readonly Header[] = [own(), browser.cookie, ["Origin", browser.origin], json];
    expect((await rawRequest(served.url, "POST", "/v1/sign-in-links", asPage, "{}")).status).toBe(401);
  });

  it("SESSION-COOKIE-1: a script cannot read the cookie, another site cannot send it, and it is not the token", async () => {
    const [, cookie] = browser.cookie;
    expect(cookie).not.toContain(TOKEN);
    const { headers } = await openedAt(await linkAt(served.url, TOKEN));
    expect(String(headers["set-cookie"])).toMatch(/; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Strict$/);
    expect((await rawRequest(served.url, "GET", "/v1/stats", [own(), ["Cookie", cookie]])).status).toBe(200);
    const asToken: Header = ["Authorization", `Bearer ${cookie.split("=")[1]}`];
    expect((await rawRequest(served.url, "GET", "/v1/stats", [own(), asToken])).status).toBe(401);
  });

  it("PAGE-5: a link to which another page led signs in nobody who is signed in, and stays valid", async () => {
    const from = (site: string): Header => ["Sec-Fetch-Site", site];
    const link = await linkAt(served.url, TOKEN);
    const address = link.slice(link.indexOf("/?"));
    const at = (...headers: Header[]) => rawRequest(served.url, "GET", address, [own(), ...headers]);
    for (const site of ["cross-site", "same-site"]) {
      const led = await at(browser.cookie, from(site));
      expect([led.status, led.headers["set-cookie"]]).toEqual([200, undefined]);
      expect(led.text).toContain(`content="0; url=${address}"`);
    }
    const kept = await at(browser.cookie, from("same-origin"));
    expect([kept.status, kept.headers["location"], kept.headers["set-cookie"]]).toEqual([
      303,
      "/",
      undefined,
    ]);
    // The link was not used up; from the address bar, or in a browser that is not signed in, it counts.
    const opened = await at(from("same-origin"));
    expect([opened.status, String(opened.headers["set-cookie"])]).toEqual([
      303,
      expect.stringContaining("HttpOnly"),
    ]);
    const hostile = await rawRequest(served.url, "GET", "/?code=%22%3E%3Cscript%3E", [
      own(),
      from("cross-site"),
    ]);
    expect(hostile.text).not.toContain("<script");
  });

  it("SESSION-COOKIE-2, G45: with only the cookie, only the engine's own page may change anything", async () => {
    const cookie: Header = browser.cookie;
    const body = JSON.stringify(event("session.started", {}));
    const page = (...headers: Header[]) =>
      rawRequest(served.url, "POST", "/v1/events", [own(), cookie, json, ...headers], body);
    const origin: Header = ["Origin", browser.origin];
    expect((await page(origin)).status).toBe(200);
    expect((await page(origin, ["Sec-Fetch-Site", "same-origin"])).status).toBe(200);
    const refused = [
      page(),
      page(["Origin", "http://127.0.0.1:3000"]),
      page(["Origin", "null"]),
      page(origin, ["Sec-Fetch-Site", "same-site"]),
      page(origin, ["Sec-Fetch-Site", "cross-site"]),
    ];
    for (const answered of await Promise.all(refused)) expect(answered.status).toBe(403);
  });

  it("SESSION-COOKIE-2: another port's cookie, or another value, signs nobody in", async () => {
    const [name = "", value = ""] = browser.cookie[1].split("=");
    for (const cookie of [`signalbox-1=${value}`, `${name}=wrong`, `${name}=`, `x${name}=${value}`])
      expect((await rawRequest(served.url, "GET", "/v1/stats", [own(), ["Cookie", cookie]])).status).toBe(
        401,
      );
  });

  const HOSTILE: readonly {
    readonly what: string;
    readonly status: number;
    readonly headers: readonly Header[];
  }[] = [
    { what: "another name's Origin", status: 403, headers: [["Origin", "http://evil.example"]] },
    {
      what: "our Origin and another",
      status: 400,
      headers: [
        ["Origin", "own"],
        ["Origin", "http://evil.example"],
      ],
    },
    {
      what: "our Origin, from a frame of another site",
      status: 403,
      headers: [
        ["Origin", "own"],
        ["Sec-Fetch-Site", "cross-site"],
      ],
    },
    {
      what: "a form's content type",
      status: 415,
      headers: [
        ["Origin", "own"],
        ["Content-Type", "application/x-www-form-urlencoded"],
      ],
    },
    {
      what: "a plain content type",
      status: 415,
      headers: [
        ["Origin", "own"],
        ["Content-Type", "text/plain"],
      ],
    },
    {
      what: "a wrong token beside the cookie",
      status: 401,
      headers: [
        ["Origin", "own"],
        ["Authorization", "Bearer wrong"],
      ],
    },
    { what: "an Origin in capitals with a user", status: 403, headers: [["Origin", "http://x@127.0.0.1"]] },
  ];

  it.each(HOSTILE)(
    "SESSION-COOKIE-2, GUARD-1: with the cookie, $what is refused",
    async ({ status, headers }) => {
      const cookie: Header = browser.cookie;
      const sent = headers.map(([name, value]): Header => [name, value === "own" ? browser.origin : value]);
      const type = sent.some(([name]) => name === "Content-Type") ? [] : [json];
      const body = JSON.stringify(event("session.started", {}));
      const answered = await rawRequest(
        served.url,
        "POST",
        "/v1/events",
        [own(), cookie, ...type, ...sent],
        body,
      );
      expect(answered.status).toBe(status);
    },
  );

  it("SESSION-COOKIE-2: a cookie opens nothing for a Host that is not the engine's", async () => {
    const cookie: Header = browser.cookie;
    const host: Header = ["Host", `evil.example:${served.http.port}`];
    for (const path of ["/", "/app/worker.js", "/v1/stats", "/v1/stream"])
      expect((await rawRequest(served.url, "GET", path, [host, cookie])).status).toBe(403);
  });

  it("PAGE-1: the page runs only its own script, and nothing is shown to somebody who is not signed in", async () => {
    const cookie: Header = browser.cookie;
    const page = await rawRequest(served.url, "GET", "/", [own(), cookie]);
    expect(page.headers["content-security-policy"]).toContain("script-src 'self'");
    expect(page.headers["content-security-policy"]).toMatch(/worker-src 'self'.*trusted-types signalbox$/);
    expect(page.headers["content-security-policy"]).not.toContain("unsafe");
    const linked = [...page.text.matchAll(/"(\/app\/[\w.-]+)"/g)].map(([, path = ""]) => path);
    expect(linked.length).toBeGreaterThan(5);
    for (const path of ["/", ...linked, "/app/worker.js"])
      expect((await rawRequest(served.url, "GET", path, [own()])).status).toBe(401);
    expect((await rawRequest(served.url, "GET", "/app/nope.js", [own(), cookie])).status).toBe(404);
    expect((await rawRequest(served.url, "GET", "/app/..%2f..%2fpackage.json", [own(), cookie])).status).toBe(
      404,
    );
  });
});
