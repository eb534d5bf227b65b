// OIDC: provider
// When a provider is asked about itself, and which one is not asked at all.

import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { openProvider } from "../../../adapters/oidc/index.ts";
import { ManualClock } from "../../support/engine/manual-clock.ts";
import {
  answer,
  CLIENT,
  type Issuer,
  type Lie,
  lieAt,
  SECRET,
  startIssuer,
} from "../../support/oidc/issuer.ts";

const BACK = "https://box.example/sign-in/back";
const ABOUT = "/.well-known/openid-configuration";

let issuer: Issuer;
beforeAll(async () => {
  issuer = await startIssuer([BACK], {});
});
afterAll(() => issuer.stop());
afterEach(() => {
  issuer.lie = undefined;
});

const at = (path: string, lie: Lie): void => lieAt(issuer, path, lie);
const providerAt = (issuer: string, clock = new ManualClock(0)) =>
  openProvider({
    ...{ issuer, client: CLIENT, secret: SECRET, clock },
    groups: () => ({ claim: "groups", scope: undefined }),
  });
const codeOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => "none",
    (error: unknown) => (error as { code?: unknown }).code,
  );

test("OIDC-PROVIDER-1, OIDC-PROVIDER-3: nobody is asked before a sign-in; many at once are one question; after a failure there is none for five seconds", async () => {
  const clock = new ManualClock(0);
  const asked = (): number => issuer.asked.filter((path) => path === ABOUT).length;
  const before = asked();
  const provider = providerAt(issuer.url, clock);
  at(ABOUT, (_, response) => void response.writeHead(500).end());
  const begin = () => codeOf(provider.begin(BACK));
  expect(asked()).toBe(before);
  expect(await Promise.all([1, 2, 3].map(begin))).toEqual(Array(3).fill("PROVIDER_AWAY"));
  expect(await begin()).toBe("PROVIDER_AWAY");
  expect(asked()).toBe(before + 1);
  issuer.lie = undefined;
  clock.advance(5_000);
  expect(await Promise.all([1, 2, 3].map(begin))).toEqual(["none", "none", "none"]);
  expect(await begin()).toBe("none");
  expect(asked()).toBe(before + 2);
});

test("OIDC-PROVIDER-2: an issuer that calls itself by another name is not believed", async () => {
  at(ABOUT, (_, response) =>
    answer(response, { issuer: "https://id.example", authorization_endpoint: "https://id.example/auth" }),
  );
  const provider = providerAt(issuer.url);
  expect(await codeOf(provider.begin(BACK))).not.toBe("none");
});

test("OIDC-PROVIDER-5: nobody is asked, and no browser sent, over plain HTTP to another machine", async () => {
  for (const issuer of ["http://id.example", "ftp://127.0.0.1", "x", "http://127.0.0.1.evil.example"])
    expect(() => providerAt(issuer)).toThrow("no address of an identity provider");
  at(ABOUT, (_, response) =>
    answer(response, { issuer: issuer.url, authorization_endpoint: "http://id.evil.example/auth" }),
  );
  expect(await codeOf(providerAt(issuer.url).begin(BACK))).toBe("PROVIDER_AWAY");
});
