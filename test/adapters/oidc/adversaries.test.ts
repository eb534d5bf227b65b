// OIDC: adversaries
// What somebody may try at the way to a provider and back, and what a provider that lies gets.

import { generateKeyPairSync } from "node:crypto";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { answer, CLIENT, idToken, type Lie, lieAt, unsigned } from "../../support/oidc/issuer.ts";
import type { Outside } from "../../support/oidc/outside.ts";
import { startSigning, type Signing } from "../../support/oidc/signing.ts";

const ACCOUNTS = {
  "sub-1": { email: "ada@example.com", email_verified: true },
  "sub-2": { email: "eve@example.com", email_verified: true },
};
const PEOPLE = "people:\n  - domain: example.com\n    parts: [view, decide, emit, manage]\n";
const PATIENCE_MS = 1_500;

let signing: Signing;
beforeAll(async () => {
  signing = await startSigning({ accounts: ACCOUNTS, people: PEOPLE, patienceMs: PATIENCE_MS });
});
afterAll(() => signing.stop());
beforeEach(() => {
  signing.issuer.who = "sub-1";
  signing.logged.length = 0;
});
afterEach(() => {
  signing.issuer.lie = undefined;
});

const BEGUN_ELSEWHERE = "This sign-in was not begun in this browser";
const isIn = async (browser: Outside): Promise<boolean> => (await browser.get("/v1/stats")).status === 200;
/** What a browser is told that comes back by an address. */
const told = async (browser: Outside, back: string): Promise<string> => {
  const seen = await browser.get(back);
  expect([seen.status, seen.headers.location]).toEqual([303, "/sign-in/failed"]);
  expect(seen.headers["referrer-policy"]).toBe("no-referrer");
  expect(await isIn(browser)).toBe(false);
  const { text, headers } = await browser.get("/sign-in/failed");
  expect(headers["content-security-policy"]).toContain("default-src 'none'");
  for (const secret of new URL(back, signing.origin).searchParams.values())
    if (secret.length > 20) expect(text + signing.logged.join()).not.toContain(secret);
  return /role="status">([^<]*)</.exec(text)?.[1] ?? "";
};
const attempt = (browser: Outside): [string, string] =>
  [...(browser.cookies.get(signing.origin) ?? [])].find(([name]) => name.endsWith("-attempt")) ?? ["", ""];

describe("whoever brings back what is not theirs", () => {
  test("SIGN-IN-ATTEMPTS-1: another's way back signs nobody in as them (login CSRF), and is still theirs to take", async () => {
    const [eve, victim] = [signing.browser(), signing.browser()];
    signing.issuer.who = "sub-2";
    const back = await eve.toTheWayBack();
    expect(await told(victim, back)).toContain(BEGUN_ELSEWHERE);
    await victim.get("/sign-in");
    expect(await told(victim, back)).toContain(BEGUN_ELSEWHERE);
    expect((await eve.get(back)).status).toBe(200);
    expect(await isIn(eve)).toBe(true);
  });

  test("OIDC-PROVIDER-2: another's code under one's own state opens nothing (code injection)", async () => {
    const [victim, thief] = [signing.browser(), signing.browser()];
    const stolen = new URL(await victim.toTheWayBack()).searchParams.get("code") ?? "";
    const own = new URL(await thief.toTheWayBack());
    own.searchParams.set("code", stolen);
    expect(await told(thief, own.href)).toContain("Sign in again");
    expect(signing.logged).toEqual(["invalid_grant"]);
  });

  test("SIGN-IN-ATTEMPTS-1: a way back counts once, also with the cookie that was there before", async () => {
    const browser = signing.browser();
    const back = await browser.toTheWayBack();
    const [name, value] = attempt(browser);
    expect((await browser.get(back)).status).toBe(200);
    const thief = signing.browser();
    thief.cookies.set(signing.origin, new Map([[name, value]]));
    expect(await told(thief, back)).toContain(BEGUN_ELSEWHERE);
    expect(await isIn(browser)).toBe(true);
  });

  test("SIGN-IN-ATTEMPTS-1, SESSION-COOKIE-4: a cookie of an attempt tells nothing, opens nothing, cannot be changed, and ends after ten minutes", async () => {
    const browser = signing.browser();
    const back = await browser.toTheWayBack();
    const [name, value] = attempt(browser);
    const state = new URL(back).searchParams.get("state") ?? "none";
    expect(Buffer.from(value, "base64url").toString("latin1")).not.toContain(state);
    expect(await isIn(browser)).toBe(false);
    const changed = (value.startsWith("A") ? "B" : "A") + value.slice(1);
    for (const kept of [changed, value.slice(0, -4), "", "x", `${value}AAAA`]) {
      const other = signing.browser();
      other.cookies.set(signing.origin, new Map([[name, kept]]));
      expect(await told(other, back)).toContain(BEGUN_ELSEWHERE);
    }
    signing.served.clock.advance(600_000);
    expect(await told(browser, back)).toContain(BEGUN_ELSEWHERE);
  });

  test("BROWSERS-1: a cookie that somebody put there before stands for nobody afterwards (session fixation)", async () => {
    const browser = signing.browser();
    const name = `__Host-signalbox-${signing.served.http.port}`;
    const back = await browser.toTheWayBack();
    browser.cookies.get(signing.origin)?.set(name, "put-there-by-somebody");
    expect((await browser.get(back)).status).toBe(200);
    expect(browser.cookies.get(signing.origin)?.get(name)).toMatch(/^[\w-]{43}$/);
    const other = signing.browser();
    other.cookies.set(signing.origin, new Map([[name, "put-there-by-somebody"]]));
    expect(await isIn(other)).toBe(false);
  });

  test("OIDC-PROVIDER-2: an answer that names another issuer is not believed (mix-up)", async () => {
    const browser = signing.browser();
    const back = new URL(await browser.toTheWayBack());
    back.searchParams.set("iss", "https://id.evil.example");
    expect(await told(browser, back.href)).toContain("does not accept what");
    const without = new URL(await browser.toTheWayBack());
    without.searchParams.delete("iss");
    expect(await told(browser, without.href)).toContain("does not accept what");
  });

  test("PROVIDER-ROUTES-1: no parameter, header or other name of the engine leads anybody elsewhere (open redirect)", async () => {
    const browser = signing.browser();
    for (const path of ["/sign-in?redirect_uri=https://evil.example", "/sign-in?next=//evil.example"]) {
      const { headers } = await browser.get(path, {
        "X-Forwarded-Host": "evil.example",
        Forwarded: "host=evil.example",
      });
      const to = new URL(headers.location ?? "");
      expect([to.origin, to.searchParams.get("redirect_uri")]).toEqual([
        signing.issuer.url,
        `${signing.origin}/sign-in/back`,
      ]);
    }
    expect((await browser.get("/sign-in", { Host: "evil.example" })).status).toBe(403);
    const back = new URL(await browser.toTheWayBack());
    back.searchParams.set("next", "https://evil.example");
    const seen = await browser.get(back.href);
    expect([seen.status, seen.text]).toEqual([200, expect.stringContaining('url=/"')]);
  });

  test("PROVIDER-ROUTES-1: by plain HTTP, at the machine's own names, by HEAD and without a provider there is no such way", async () => {
    const { url, http } = signing.served;
    for (const host of [new URL(url).host, `localhost:${http.port}`])
      for (const path of ["/sign-in", "/sign-in/back?code=x&state=y", "/sign-in/failed"]) {
        const answered = await fetch(`http://${host}${path}`, { redirect: "manual" });
        expect([path, answered.status]).toEqual([path, 404]);
      }
    expect((await signing.browser().send("HEAD", "/sign-in")).status).toBe(404);
    const without = await startSigning({ accounts: {}, people: PEOPLE, isWithout: true });
    expect((await without.browser().get("/sign-in")).status).toBe(404);
    expect((await without.browser().get("/")).text).not.toContain("Sign in with");
    await without.stop();
  });

  test("PROVIDER-ROUTES-2: whoever says no at the provider, or comes back with its error, is told so; a text of the address is not shown", async () => {
    signing.issuer.who = undefined;
    const browser = signing.browser();
    expect(await told(browser, await browser.toTheWayBack())).toContain("refused the sign-in");
    signing.issuer.who = "sub-1";
    const back = new URL(await browser.toTheWayBack());
    back.searchParams.delete("code");
    back.searchParams.set("error", "server_error<script>");
    back.searchParams.set("error_description", "call 0800-EVIL");
    const said = await told(browser, back.href);
    expect(said).toContain("did not sign you in");
    expect(said + signing.logged.join()).not.toMatch(/EVIL|script/);
    expect(signing.logged).toEqual(["access_denied", "OAUTH_AUTHORIZATION_RESPONSE_ERROR"]);
  });
});

const at = (path: string, lie: Lie): void => lieAt(signing.issuer, path, lie);
const claims = (more: object) => {
  const now = Math.floor(Date.now() / 1_000);
  const said = { iss: signing.issuer.url, aud: CLIENT, sub: "sub-1", iat: now, exp: now + 600 };
  return { ...said, email: "ada@example.com", email_verified: true, groups: [], ...more };
};

describe("a provider that lies", () => {
  /** What somebody is told whom the provider gives such an id token. */
  const toldBy = async (token: (nonce: string) => string): Promise<string> => {
    const browser = signing.browser();
    const { headers } = await browser.get("/sign-in");
    const nonce = new URL(headers.location ?? "").searchParams.get("nonce") ?? "";
    const back = await browser.follow(headers.location ?? "", `${signing.origin}/sign-in/back`);
    at("/token", (_, response) =>
      answer(response, { access_token: "x", token_type: "Bearer", id_token: token(nonce) }),
    );
    try {
      return await told(browser, back);
    } finally {
      signing.issuer.lie = undefined;
    }
  };
  const { privateKey: other } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const now = (): number => Math.floor(Date.now() / 1_000);

  test("OIDC-PROVIDER-2: an id token that its key did not sign, or nobody, or that is for another sign-in, client or issuer, is not believed", async () => {
    const browser = signing.browser();
    await expect(toldBy((nonce) => idToken(claims({ nonce })))).rejects.toThrow();
    const wrong: readonly ((nonce: string) => string)[] = [
      (nonce) => idToken(claims({ nonce }), other),
      (nonce) => unsigned(claims({ nonce })),
      () => idToken(claims({ nonce: "another" })),
      () => idToken(claims({})),
      (nonce) => idToken(claims({ nonce, aud: "another" })),
      (nonce) => idToken(claims({ nonce, iss: "https://id.example" })),
    ];
    for (const token of wrong) expect(await toldBy(token)).toContain("does not accept what");
    expect(await isIn(browser)).toBe(false);
  });

  test("OIDC-FAULTS-1: an id token that is over by this clock is told as a matter of clocks", async () => {
    const said = await toldBy((nonce) => idToken(claims({ nonce, iat: now() - 900, exp: now() - 300 })));
    expect(said).toContain("the clock of the engine's machine is wrong");
    expect(await toldBy((nonce) => idToken(claims({ nonce, nbf: now() + 900 })))).toContain("clock");
    expect(signing.logged).toEqual(Array(2).fill("OAUTH_JWT_TIMESTAMP_CHECK_FAILED"));
  });

  test("OIDC-PROVIDER-4: a provider that answers hugely, in drops or not at all ends a sign-in in time, and the next one is as ever", async () => {
    const lies: readonly Lie[] = [
      (_, response) =>
        void response
          .writeHead(200, { "Content-Type": "application/json" })
          .end(`"${"x".repeat(300 * 1024)}"`),
      () => undefined,
      (_, response) => {
        response.writeHead(200, { "Content-Type": "application/json" });
        const drops = setInterval(() => response.write(" "), 20);
        response.on("close", () => clearInterval(drops));
      },
      (_, response) => void response.writeHead(302, { Location: "/elsewhere" }).end(),
      (_, response) => void response.writeHead(200, { "Content-Type": "text/html" }).end("<p>maintenance"),
    ];
    for (const lie of lies) {
      const browser = signing.browser();
      const back = await browser.toTheWayBack();
      at("/token", lie);
      expect(await told(browser, back)).toMatch(/does not answer as it should|does not accept what/);
      signing.issuer.lie = undefined;
    }
    expect(signing.issuer.asked).not.toContain("/elsewhere");
    expect((await signing.browser().signIn()).status).toBe(200);
  });
});
