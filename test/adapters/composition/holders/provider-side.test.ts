// Provider side
// The two files of an identity provider, on a disk: whose they are, what they say, and what a change of the list does.

import { chmodSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { providerSideOf } from "../../../../adapters/composition/holders/provider-side.ts";
import { createEngine } from "../../../../adapters/index.ts";
import type { SignInSettings } from "../../../../runtime/engine-settings.ts";
import type { Identity } from "../../../../runtime/line/identity.ts";
import { ManualClock } from "../../../support/engine/manual-clock.ts";

const ISSUER = { issuer: "https://id.example", client: "signalbox" };
const ADA: Identity = { issuer: ISSUER.issuer, subject: "1", email: "ada@example.com", groups: [] };
const LIST = "people:\n  - email: ada@example.com\n    parts: [view]\n";

let dir: string;
let clock: ManualClock;
const logged: string[] = [];
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "sb-provider-"));
  clock = new ManualClock(5);
  logged.length = 0;
});
afterEach(() => rmSync(dir, { recursive: true }));

const put = (name: string, text: string): void => writeFileSync(join(dir, name), text, { mode: 0o600 });
const side = (settings: SignInSettings = ISSUER) =>
  providerSideOf(settings, {
    folder: { oidcSecret: join(dir, "oidc-secret"), people: join(dir, "people.yaml") },
    clock,
    onError: (error) =>
      void logged.push(error instanceof Error && "code" in error ? String(error.code) : "?"),
    onList: (what) => void logged.push(what),
  });
const codeOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => "none",
    (error: unknown) => (error as { code?: unknown }).code,
  );

test("PROVIDER-SIDE-1: without a secret of this user's own, an issuer by https and a client, no engine starts so", async () => {
  expect(await codeOf(side())).toBe("NO_CLIENT_SECRET");
  put("oidc-secret", "\n");
  expect(await codeOf(side())).toBe("NO_CLIENT_SECRET");
  put("oidc-secret", "s3cret\n");
  expect(await codeOf(side({ issuer: ISSUER.issuer }))).toBe("NO_CLIENT");
  expect(await codeOf(side({ peopleFile: "x" }))).toBe("NO_CLIENT");
  expect(await codeOf(side({ ...ISSUER, issuer: "http://id.example" }))).toBe("BAD_ISSUER");
  expect(await codeOf(side({ ...ISSUER, secretFile: join(dir, "none") }))).toBe("NO_CLIENT_SECRET");
  chmodSync(join(dir, "oidc-secret"), 0o666);
  expect(await codeOf(side())).toBe("OPEN_TO_OTHERS");
  chmodSync(join(dir, "oidc-secret"), 0o644);
  expect(await codeOf(side())).toBe("none");
  expect(statSync(join(dir, "oidc-secret")).mode & 0o777).toBe(0o600);
});

test("HTTP-SIDE-2: a provider needs a name with https", async () => {
  put("oidc-secret", "s3cret\n");
  const signIn = { ...ISSUER, secretFile: join(dir, "oidc-secret"), peopleFile: join(dir, "people.yaml") };
  expect(await codeOf(createEngine({ port: 0, signIn }))).toBe("PROVIDER_NEEDS_HTTPS");
  expect(await codeOf(createEngine({ port: 0, names: ["http://box.example"], signIn }))).toBe(
    "PROVIDER_NEEDS_HTTPS",
  );
});

test("PROVIDER-SIDE-2: a list counts within a second; one that is not right changes nothing, and is told once with its line; one taken away is empty", async () => {
  put("oidc-secret", "s3cret\n");
  const { signIn, troubles, watch } = await side();
  expect(signIn.personOf(ADA)).toBeUndefined();
  let changes = 0;
  const stop = watch(() => (changes += 1));
  const later = async (): Promise<void> => {
    clock.advance(1_000);
    await new Promise((resolve) => setTimeout(resolve, 20));
  };
  put("people.yaml", LIST);
  await expect
    .poll(async () => (await later(), signIn.personOf(ADA)?.access.parts))
    .toEqual(new Set(["view"]));
  put("people.yaml", `${LIST}  - email: bo@example.com\n    part: [view]\n`);
  await expect
    .poll(async () => (await later(), troubles().map(({ code }) => code)))
    .toEqual(["PEOPLE_UNREADABLE"]);
  expect([signIn.personOf(ADA) !== undefined, changes]).toEqual([true, 1]);
  await later();
  expect(logged).toEqual([expect.stringContaining("people.yaml:4")]);
  put("people.yaml", `ask: ops\n${LIST}`);
  await expect.poll(async () => (await later(), signIn.ask)).toBe("ops");
  expect([troubles(), changes]).toEqual([[], 2]);
  rmSync(join(dir, "people.yaml"));
  await expect.poll(async () => (await later(), signIn.personOf(ADA))).toBeUndefined();
  expect(changes).toBe(3);
  await stop();
});

test("PROVIDER-SIDE-2: a list that is not right at a start lets nobody in", async () => {
  put("oidc-secret", "s3cret\n");
  put("people.yaml", `${LIST}    parts: [view]\n`);
  const { signIn, troubles } = await side();
  expect([signIn.personOf(ADA), troubles().length, logged.length]).toEqual([undefined, 1, 1]);
});
