// OIDC: signing in
// People of an organisation, at a real identity provider: who gets in, under which name, and for how long.

import { afterEach, beforeEach, expect, test } from "vitest";
import { at, textAt } from "../../support/engine/json.ts";
import { event } from "../../support/http/served.ts";
import type { Outside } from "../../support/oidc/outside.ts";
import { startSigning, type Signing, T0 } from "../../support/oidc/signing.ts";

const HOUR_MS = 3_600_000;
const ACCOUNTS = {
  "sub-1": { email: "Ada@Example.com", email_verified: true, name: "Ada Lovelace" },
  "sub-2": { email: "bo@example.com", email_verified: true, session_expiry: T0 / 1_000 + 3_600 },
  "sub-3": { email: "cy@elsewhere.example", email_verified: true, groups: ["ops", "sre"] },
  "sub-4": { email: "ada@example.com", email_verified: false, name: "ada@example.com" },
  "sub-5": { email: "eve@elsewhere.example", email_verified: true },
  "sub-6": { email: "ada@example.com", email_verified: "true" },
  "sub-7": { email: "ada@example.com.evil.example", email_verified: true },
};
const PEOPLE = `
ask: the platform team
groups:
  scope: groups
people:
  - email: ada@example.com
    parts: [view, decide, emit, manage]
  - domain: example.com
    parts: [view]
    workspaces: [shop]
  - group: sre
    parts: [decide]
`;

let signing: Signing;
beforeEach(async () => {
  signing = await startSigning({ accounts: ACCOUNTS, people: PEOPLE });
});
afterEach(() => signing.stop());

const as = async (who: string): Promise<Outside> => {
  const browser = signing.browser();
  signing.issuer.who = who;
  const { status, text } = await browser.signIn();
  expect([status, text]).toEqual([200, expect.stringContaining("Open Signalbox")]);
  return browser;
};
const fails = async (browser = signing.browser()): Promise<string> => {
  const { status, headers } = await browser.signIn();
  expect([status, headers.location]).toEqual([303, "/sign-in/failed"]);
  const { text } = await browser.get("/sign-in/failed");
  expect((await browser.get("/v1/stats")).status).toBe(401);
  return /role="status">([^<]*)</.exec(text)?.[1] ?? "";
};
const ask = (approvalId: string) =>
  signing.served.post("/v1/events", event("approval.requested", { approvalId, tool: "Bash", input: {} }));
const shown = async (id: string): Promise<unknown> => (await signing.served.get(`/v1/approvals/${id}`)).body;

test("OIDC-PROVIDER-2, PROVIDER-ROUTES-1, HOLDER-LIST-3: a person signs in by the provider, and decides under their own name", async () => {
  const first = await signing.browser().get("/");
  expect([first.status, first.text]).toEqual([401, expect.stringContaining("Sign in with 127.0.0.1")]);
  const browser = await as("sub-1");
  expect((await browser.get("/")).text).toContain("/app/app-");
  await ask("q1");
  const decided = await browser.post("/v1/approvals/q1/decision", { decision: "deny" });
  expect(decided.status).toBe(200);
  expect(textAt(await shown("q1"), "by")).toMatch(/^http:ada@example\.com~[0-9a-z]{12}$/);
  expect(at(JSON.parse((await browser.get("/v1/approvals/q1")).text), "state")).toBe("denied");
  const again = await as("sub-1");
  expect([...(again.cookies.get(signing.origin) ?? [])]).not.toEqual([
    ...(browser.cookies.get(signing.origin) ?? []),
  ]);
});

test("PARTS-1: who may only view is told where that stands: in the list, not at a token", async () => {
  const bo = await as("sub-2");
  await ask("q1");
  const refused = await bo.post("/v1/approvals/q1/decision", { decision: "deny" });
  expect(JSON.parse(refused.text)).toMatchObject({
    error: {
      code: "NOT_ALLOWED",
      message: "Your sign-in may not decide.",
      next: expect.stringContaining("the list of people who may sign in") as unknown,
    },
  });
});

test("HOLDER-LIST-1, OIDC-CLAIMS-1: nobody gets in by an address that is not verified, ends alike, or that no entry names; each is told whom to ask", async () => {
  for (const who of ["sub-4", "sub-5", "sub-6", "sub-7"]) {
    signing.issuer.who = who;
    expect(await fails(), who).toContain("Ask the platform team to add you");
  }
  await as("sub-3");
  expect(signing.logged).toEqual(Array(4).fill("not on the list"));
});

test("BROWSERS-2: signing out ends one browser's cookie and streams at once, and no other's; a token's browser alike", async () => {
  const [one, other] = [await as("sub-1"), await as("sub-1")];
  const byToken = signing.browser();
  await byToken.get("/?token=another-token");
  const cookie = new Map(one.cookies.get(signing.origin));
  const stream = await one.open("GET", "/v1/stream");
  const out = await one.post("/v1/sign-out");
  expect([out.status, JSON.parse(out.text)]).toEqual([200, { signedOut: true }]);
  expect([stream.status, typeof (await stream.ended)]).toEqual([200, "string"]);
  expect(one.cookies.get(signing.origin)?.size).toBe(0);
  one.cookies.set(signing.origin, cookie);
  const stats = (browser: Outside) => browser.get("/v1/stats").then(({ status }) => status);
  expect(await Promise.all([one, other, byToken].map(stats))).toEqual([401, 200, 200]);
  const third = signing.browser();
  await third.get("/?token=another-token");
  expect((await byToken.post("/v1/sign-out")).status).toBe(200);
  expect(await Promise.all([byToken, third].map(stats))).toEqual([401, 200]);
  const bearer = { Authorization: "Bearer another-token", "Content-Type": "application/json" };
  const noBrowser = await signing.browser().send("POST", "/v1/sign-out", bearer, "{}");
  expect([noBrowser.status, noBrowser.text]).toEqual([400, expect.stringContaining("NO_BROWSER")]);
});

test("BROWSERS-1, SESSION-COOKIE-2: another site's page signs nobody out", async () => {
  const browser = await as("sub-1");
  const json = { "Content-Type": "application/json" };
  for (const headers of [json, { ...json, Origin: "https://evil.example" }])
    expect((await browser.send("POST", "/v1/sign-out", headers, "{}")).status).toBe(403);
  expect((await browser.get("/v1/stats")).status).toBe(200);
});

test("PROVIDER-ROUTES-3, BROWSERS-3: a sign-in ends after 12 hours, sooner where the provider says so, and its streams with it", async () => {
  const { clock } = signing.served;
  const [ada, bo] = [await as("sub-1"), await as("sub-2")];
  const stream = await ada.open("GET", "/v1/stream");
  const stats = (browser: Outside) => browser.get("/v1/stats").then(({ status }) => status);
  clock.advance(HOUR_MS - 1);
  expect([await stats(ada), await stats(bo)]).toEqual([200, 200]);
  clock.advance(1);
  expect([await stats(ada), await stats(bo)]).toEqual([200, 401]);
  clock.advance(11 * HOUR_MS);
  expect([stream.status, typeof (await stream.ended)]).toEqual([200, "string"]);
  expect(await stats(ada)).toBe(401);
});

test("BROWSERS-3, PROVIDER-SIDE-2: whoever is on the list no more, or with other parts, is signed out at once; nobody else is", async () => {
  const [ada, bo, cy] = [await as("sub-1"), await as("sub-2"), await as("sub-3")];
  const stream = await ada.open("GET", "/v1/stream");
  signing.list(
    PEOPLE.replace("email: ada@example.com", "email: al@example.com").replace("[decide]", "[decide, emit]"),
  );
  expect([stream.status, typeof (await stream.ended)]).toEqual([200, "string"]);
  const stats = (browser: Outside) => browser.get("/v1/stats").then(({ status }) => status);
  expect([await stats(ada), await stats(bo), await stats(cy)]).toEqual([401, 200, 401]);
});

test("VOTES-1, HOLDER-LIST-3: who signs in as a token's person is that person, and has one vote", async () => {
  signing.list(PEOPLE.replace("ada@example.com\n", "ada@example.com\n    as: other\n"));
  const rule = { workspace: "shop", effect: "ask", tool: "Bash", approvals: 2 };
  const hash = async (): Promise<unknown> => at(await shown("q1"), "inputHash");
  expect((await signing.served.post("/v1/rules", rule)).status).toBe(200);
  await ask("q1");
  const approve = async (browser: Outside) =>
    browser.post("/v1/approvals/q1/decision", { decision: "approve", inputHash: await hash() });
  const ada = await as("sub-1");
  expect(JSON.parse((await approve(ada)).text)).toMatchObject({ result: "counted" });
  const bearer = { Authorization: "Bearer another-token" };
  const body = { decision: "approve", inputHash: await hash() };
  expect((await signing.served.post("/v1/approvals/q1/decision", body, bearer)).status).toBe(409);
  const cy = await as("sub-3");
  expect(JSON.parse((await approve(cy)).text)).toMatchObject({ result: "accepted" });
});
