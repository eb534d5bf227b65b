// HTTP: the panel's name
// Where browsers of this machine are signed in, who learns of it, and that nobody else is on the way there.

import { once } from "node:events";
import { createServer, type Server } from "node:net";
import { afterAll, afterEach, beforeAll, describe, expect, it, test } from "vitest";
import { createEngine } from "../../../../adapters/index.ts";
import { textAt, at } from "../../../support/engine/json.ts";
import { freePort } from "../../../support/http/free-port.ts";
import { rawRequest, serve, type Served, TOKEN } from "../../../support/http/served.ts";
import { linkAt, openedAt, signedIn } from "../../../support/http/signed-in.ts";

type Header = readonly [name: string, value: string];
const MADE = /^[0-9a-f]{32}\.localhost$/;
const bearer: Header = ["Authorization", `Bearer ${TOKEN}`];
const html: Header = ["Accept", "text/html"];
const EARLIER = `${"0123456789abcdef".repeat(2)}.localhost`;
/** What a program of another account can have had before, at a port. */
const PLAIN = ["127.0.0.1", "localhost", "[::1]", EARLIER];

let served: Served;
let name: string;
beforeAll(async () => {
  served = await serve({ place: { names: ["http://127.0.0.1:81", "box.localhost", "https://box.example"] } });
  name = new URL(await linkAt(served.url, TOKEN)).hostname;
});
afterAll(() => served.stop());
const called = (host: string): Header => ["Host", `${host}:${served.http.port}`];
const ask = (path: string, ...headers: readonly Header[]) => rawRequest(served.url, "GET", path, headers);

describe("HTTP: the panel's name", () => {
  it("PANEL-NAME-1: each start makes another one, and tells it to whoever may make links", async () => {
    const names = [name];
    for (let n = 0; n < 3; n += 1) {
      const next = await serve();
      names.push(new URL(await linkAt(next.url, TOKEN)).hostname);
      await next.stop();
    }
    expect(new Set(names).size).toBe(4);
    for (const each of names) expect(each).toMatch(MADE);
    const { body } = await served.post("/v1/sign-in-links", {});
    const here = `http://${name}:${served.http.port}`;
    expect([textAt(body, "here"), at(body, "origins")]).toEqual([here, ["https://box.example", here]]);
  });

  it("PANEL-NAME-1: nobody else is told: no answer without a link holds it, whatever the Host, and no metric", async () => {
    const hosts = [...PLAIN.map(called), ["Host", "evil.example"], ["Host", "127.0.0.1"]] as const;
    const paths = [
      "/",
      "/?code=x",
      `/?token=${TOKEN}`,
      "/livez",
      "/readyz",
      "/v1/stats",
      "/nope",
      "/app/worker.js",
    ];
    for (const host of hosts)
      for (const path of [...paths, "/v1/handshake?nonce=x", "/v1/inspect"])
        for (const more of [[], [html], [bearer]]) {
          const { headers, text } = await ask(path, host, ...more);
          expect([path, JSON.stringify(headers) + text]).toEqual([path, expect.not.stringContaining(name)]);
        }
    for (const path of ["/metrics", "/v1/inspect"])
      expect((await ask(path, called("127.0.0.1"), bearer)).text).not.toContain(name);
    // A program is led to an address that it finds.
    const { host, cookie } = await signedIn(served.url, TOKEN);
    expect((await ask("/v1/inspect", host, cookie)).text).toContain(`ws://127.0.0.1:${served.http.port}/`);
  });

  test.each([...PLAIN, "box.localhost"])(
    "PANEL-NAME-2, PAGE-4: at %s nothing signs a browser in",
    async (plain) => {
      const link = new URL(await linkAt(served.url, TOKEN));
      const { cookie } = await signedIn(served.url, TOKEN);
      for (const path of ["/", `/${link.search}`, `/?token=${TOKEN}`]) {
        const { status, headers, text } = await ask(path, called(plain), html, cookie);
        expect([status, headers["set-cookie"], headers["location"]]).toEqual([401, undefined, undefined]);
        expect(text).toContain("npx signalbox open");
        expect(text).not.toMatch(/<form|<input|<a /);
      }
      expect((await ask("/", called(plain))).text.trim().split("\n")).toHaveLength(3);
      for (const path of ["/v1/stats", "/app/worker.js", "/v1/stream"])
        expect((await ask(path, called(plain), cookie)).status).toBe(401);
      expect((await openedAt(link.href)).status).toBe(303);
    },
  );

  it("PANEL-NAME-2: a proxy at a plain name of loopback signs nobody in either", async () => {
    const { status, headers } = await ask(`/?token=${TOKEN}`, ["Host", "127.0.0.1:81"]);
    expect([status, headers["set-cookie"]]).toEqual([401, undefined]);
  });

  it("PANEL-NAME-2: at the panel's name a code signs in, and no token in the address; programs go on as they were", async () => {
    expect((await ask(`/?token=${TOKEN}`, called(name))).status).toBe(401);
    const { host, cookie } = await signedIn(served.url, TOKEN);
    expect((await ask("/v1/stats", host, cookie)).status).toBe(200);
    for (const plain of ["127.0.0.1", "localhost", "[::1]", name])
      expect((await ask("/v1/stats", called(plain), bearer)).status).toBe(200);
    const foreign: Header = ["Origin", `http://127.0.0.1:${served.http.port}`];
    expect((await ask("/v1/stats", host, cookie, foreign)).status).toBe(403);
    for (const other of [`x.${name}`, `${name}.`, name.toUpperCase(), `${name}.example`])
      expect((await ask("/v1/stats", called(other), bearer)).status).toBe(403);
  });

  it("PANEL-NAME-3: each person has a panel of their own, where no link and no cookie of another counts", async () => {
    const ada = "the-token-of-ada-is-long-enough";
    const tokens = [
      { name: "local:tester", token: TOKEN, isNearOnly: true },
      { name: "http:ada", token: ada },
    ];
    const shared = await serve({ place: { tokens } });
    const stats = async (...headers: readonly Header[]) =>
      (await rawRequest(shared.url, "GET", "/v1/stats", headers)).status;
    const [own, adas] = [await signedIn(shared.url, TOKEN), await signedIn(shared.url, ada)];
    expect(own.origin).not.toBe(adas.origin);
    expect([await stats(own.host, own.cookie), await stats(adas.host, adas.cookie)]).toEqual([200, 200]);
    expect([await stats(adas.host, own.cookie), await stats(own.host, adas.cookie)]).toEqual([401, 401]);
    const link = await linkAt(shared.url, TOKEN);
    expect((await openedAt(link.replace(own.origin, adas.origin))).status).toBe(401);
    shared.http.admit(tokens.slice(0, 1));
    expect(await stats(adas.host, adas.cookie)).toBe(401);
    await shared.stop();
  });

  it("PANEL-NAME-2: an engine on one other address has no such name, and is opened there as before", async () => {
    const own = { name: "local:tester", token: TOKEN, isNearOnly: true };
    const other = await serve({ place: { host: "127.0.0.2", names: ["127.0.0.2"], tokens: [own] } });
    const link = await linkAt(other.url, TOKEN);
    expect(link.startsWith(`http://127.0.0.2:${other.http.port}/`)).toBe(true);
    const { pathname, search, host } = new URL(link);
    expect((await rawRequest(other.url, "GET", pathname + search, [["Host", host]])).status).toBe(303);
    await other.stop();
  });
});

describe("HTTP: the addresses of loopback", () => {
  const squatters: Server[] = [];
  afterEach(() => {
    for (const each of squatters.splice(0)) each.close();
  });
  const squat = async (host: string, port: number): Promise<void> => {
    const server = createServer().listen({ host, port, ipv6Only: host.includes(":") });
    squatters.push(server);
    await once(server, "listening");
  };
  const isFree = (host: string, port: number) =>
    new Promise<boolean>((resolve) => {
      const server = createServer().once("error", () => resolve(false));
      server.listen({ host, port, ipv6Only: host.includes(":") }, () => server.close(() => resolve(true)));
    });

  test.each(["127.0.0.1", "::1", "localhost", "0.0.0.0", "::"])(
    "LISTENING-1: an engine on %s has its port on both, and gives both back",
    async (host) => {
      const here = await serve({ place: { host } });
      const { port } = here.http;
      for (const address of ["127.0.0.1", "[::1]"]) {
        const answer = await rawRequest(`http://${address}:${port}`, "GET", "/livez", [
          ["Host", `${address}:${port}`],
        ]);
        expect(answer.status).toBe(200);
      }
      expect([await isFree("127.0.0.1", port), await isFree("::1", port)]).toEqual([false, false]);
      await here.stop();
      expect([await isFree("127.0.0.1", port), await isFree("::1", port)]).toEqual([true, true]);
    },
  );

  test.each([
    ["127.0.0.1", "::1"],
    ["0.0.0.0", "::1"],
    ["::1", "127.0.0.1"],
    ["127.0.0.1", "127.0.0.1"],
  ])(
    "LISTENING-1: an engine on %s does not start where another program has its port on %s, and says so",
    async (host, taken) => {
      const port = await freePort();
      await squat(taken, port);
      const people = { ada: "the-token-of-ada-is-long-enough" };
      await expect(createEngine({ port, host, people })).rejects.toThrow(
        `Port ${port} on ${taken} is taken.`,
      );
      if (host !== taken) expect(await isFree(host, port)).toBe(true);
    },
  );

  it("LISTENING-1: where any port will do, one is taken that is free on both", async () => {
    const taken = await freePort();
    await squat("::1", taken);
    const here = await Promise.all([1, 2, 3].map(() => serve()));
    for (const { http } of here) expect(http.port).not.toBe(taken);
    for (const each of here) await each.stop();
  });
});
