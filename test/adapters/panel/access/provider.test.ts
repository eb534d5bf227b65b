// Panel: signing in by a provider
// A real browser, a real identity provider and an engine by https: in by keys alone, and out at once.

import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { findingsOn, withAxe } from "../../../support/panel/axe.ts";
import { windowsForAll } from "../../../support/panel/for-tests.ts";
import { shoot } from "../../../support/panel/page.ts";
import { TOKEN } from "../../../support/http/served.ts";
import { startSigning, type Signing } from "../../../support/oidc/signing.ts";

const windows = windowsForAll();
let signing: Signing;
beforeAll(async () => {
  signing = await startSigning({
    host: "localhost",
    accounts: {
      "sub-1": { email: "ada@example.com", email_verified: true },
      "sub-2": { email: "eve@example.com", email_verified: true },
    },
    people: "ask: the platform team\npeople:\n  - email: ada@example.com\n    parts: [view, decide]\n",
  });
}, 180_000);
afterAll(() => signing.stop());

const signedOut = async () => {
  const page = await windows.open(
    { url: signing.origin, token: TOKEN },
    { bypassCSP: true, ignoreHTTPSErrors: true },
  );
  windows.allow(signing.issuer.url);
  await withAxe(page);
  await page.context().clearCookies();
  await page.goto("/?signed-out");
  return page;
};

const linkFocused = (page: Page): Promise<void> =>
  expect.poll(() => page.evaluate("document.activeElement.textContent")).toMatch(/^Sign in with/);

it("SIGN-IN-PAGE-1, PROVIDER-ROUTES-1, BROWSERS-2: by keys alone somebody signs in by the provider, and out again, and back leads to nothing", async () => {
  signing.issuer.who = "sub-1";
  const page = await signedOut();
  const link = page.getByRole("link", { name: "Sign in with 127.0.0.1" });
  await linkFocused(page);
  for (const [width, colorScheme] of [
    [1440, "light"],
    [390, "dark"],
  ] as const) {
    await page.setViewportSize({ width, height: 844 });
    await page.emulateMedia({ colorScheme });
    await shoot(page, `sign-in-provider-${colorScheme}-${width}`);
    expect(await findingsOn(page)).toEqual([]);
  }
  await page.setViewportSize({ width: 1440, height: 844 });
  await page.keyboard.press("Enter");
  await page.locator(".link.live").waitFor();
  expect(page.url()).toBe(`${signing.origin}/`);
  expect((await page.context().cookies()).filter(({ name }) => name.startsWith("__Host-")).length).toBe(1);
  await page.getByRole("button", { name: "Sign out" }).click();
  await link.waitFor();
  const left = await page.context().cookies();
  expect(left.filter(({ name }) => name.startsWith("__Host-"))).toEqual([]);
  await page.goBack().catch(() => undefined);
  await page.goto("/?again");
  await link.waitFor();
});

it("PROVIDER-ROUTES-2: somebody who is not on the list is told whom to ask", async () => {
  signing.issuer.who = "sub-2";
  const page = await signedOut();
  await linkFocused(page);
  await page.keyboard.press("Enter");
  await page.getByText("Ask the platform team").waitFor();
  expect(await page.getByRole("status").textContent()).toContain("eve@example.com");
  expect(page.url()).not.toMatch(/code=|state=/);
  expect(await findingsOn(page)).toEqual([]);
});
