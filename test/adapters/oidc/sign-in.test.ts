// OIDC: signing in
// People of an organisation, at a real identity provider: who gets in, under which name, and for how long.

import { afterEach, beforeEach, expect, test } from "vitest";
import { at, textAt } from "../../support/engine/json.ts";
import { event } from "../../support/http/served.ts";
import { startSigning, type Signing } from "../../support/oidc/signing.ts";

const ACCOUNTS = {
  "sub-1": { email: "ada@example.com", email_verified: true, name: "Ada Lovelace" },
};
const PEOPLE = `
ask: the platform team
people:
  - email: ada@example.com
    parts: [view, decide, emit, manage]
`;

let signing: Signing;
beforeEach(async () => {
  signing = await startSigning({ accounts: ACCOUNTS, people: PEOPLE });
});
afterEach(() => signing.stop());

const ask = (approvalId: string) =>
  signing.served.post("/v1/events", event("approval.requested", { approvalId, tool: "Bash", input: {} }));
const shown = async (id: string): Promise<unknown> => (await signing.served.get(`/v1/approvals/${id}`)).body;

test("OIDC-PROVIDER-2, PROVIDER-ROUTES-1: a person signs in by the provider, and decides under their own name", async () => {
  const browser = signing.browser();
  signing.issuer.who = "sub-1";
  const back = await signing.browser().get("/");
  expect([back.status, back.text]).toEqual([401, expect.stringContaining("Sign in with 127.0.0.1")]);
  const seen = await browser.signIn();
  expect([seen.status, seen.headers["set-cookie"]?.length]).toEqual([200, 2]);
  expect((await browser.get("/")).text).toContain("/app/app.js");
  await ask("q1");
  const decided = await browser.post("/v1/approvals/q1/decision", { decision: "deny" });
  expect(decided.status).toBe(200);
  expect(textAt(await shown("q1"), "by")).toMatch(/^http:ada@example\.com~[0-9a-z]{12}$/);
  expect(at(JSON.parse((await browser.get("/v1/approvals/q1")).text), "state")).toBe("denied");
});
