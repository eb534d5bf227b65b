// Panel: signing in
// Without a link: by https a field for the token, else none, on a page with the product's look; and a browser that stays
// signed in.

import { mkdtempSync, rmSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openLink } from "../../../../adapters/cli/sign-in.ts";
import { linkAt } from "../../../support/http/signed-in.ts";
import { serve, type Served, TOKEN } from "../../../support/http/served.ts";
import { tlsProxy, type TlsProxy } from "../../../support/http/tls-proxy.ts";
import { findingsOn, withAxe } from "../../../support/panel/axe.ts";
import { windowsForAll } from "../../../support/panel/for-tests.ts";
import { shoot } from "../../../support/panel/page.ts";

const windows = windowsForAll();
let proxy: TlsProxy;
let served: Served;
let origin: string;
beforeAll(async () => {
  proxy = await tlsProxy("localhost");
  origin = `https://localhost:${proxy.port}`;
  served = await serve({ place: { names: [origin] } });
  proxy.to(served.http.port);
}, 180_000);
afterAll(async () => {
  await served.stop();
  await proxy.stop();
});

const LOOKS = [
  [1440, "light"],
  [390, "dark"],
] as const;

describe("the panel: signing in", () => {
  it("SIGN-IN-PAGE-1, SESSION-COOKIE-3: by https somebody signed out types the token, by keys alone, and stays signed in for days", async () => {
    const page = await windows.open(
      { url: origin, token: TOKEN },
      { bypassCSP: true, ignoreHTTPSErrors: true },
    );
    await withAxe(page);
    await page.context().clearCookies();
    await page.goto("/?signed-out");
    await page.getByRole("heading", { name: "Sign in to Signalbox" }).waitFor();
    for (const [width, colorScheme] of LOOKS) {
      await page.setViewportSize({ width, height: 844 });
      await page.emulateMedia({ colorScheme });
      await shoot(page, `sign-in-${colorScheme}-${width}`);
      expect(await findingsOn(page)).toEqual([]);
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(width);
    }
    await page.keyboard.type("not the token");
    await page.keyboard.press("Enter");
    await page.getByText("The engine does not accept this link or token").waitFor();
    await page.keyboard.type(TOKEN);
    await page.keyboard.press("Enter");
    await page.locator(".link.live").waitFor();
    expect(page.url()).not.toContain(TOKEN);
    const [cookie] = await page.context().cookies();
    const days = ((cookie?.expires ?? 0) - Date.now() / 1_000) / 86_400;
    expect([days > 29, days < 31]).toEqual([true, true]);
  });

  it("SIGN-IN-PAGE-2: on this machine the page says what to type in a terminal, and has no field", async () => {
    const page = await windows.open({ url: served.url, token: TOKEN }, { bypassCSP: true });
    await withAxe(page);
    await page.context().clearCookies();
    await page.goto("/?signed-out");
    await page.getByText("npx signalbox open").waitFor();
    for (const [width, colorScheme] of LOOKS) {
      await page.setViewportSize({ width, height: 844 });
      await page.emulateMedia({ colorScheme });
      await shoot(page, `sign-in-near-${colorScheme}-${width}`);
      expect(await findingsOn(page)).toEqual([]);
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(width);
    }
    expect(await page.locator("input, form, button").count()).toBe(0);
  });

  it("PAGE-2, CLI-SIGN-IN-2: the page that open hands to a browser signs it in, though another place led there", async () => {
    const known = await windows.open({ url: served.url, token: TOKEN });
    const context = await known.context().browser()?.newContext();
    const dir = mkdtempSync(join(tmpdir(), "signalbox-open-"));
    const path = join(dir, "open.html");
    try {
      const write = async (text: string): Promise<void> => writeFile(path, text);
      const link = await linkAt(served.url, TOKEN);
      expect(await openLink(link, { BROWSER: "true" }, { path, write })).toBe(true);
      const page = await context?.newPage();
      await page?.goto(pathToFileURL(path).href);
      await page?.locator(".link.live").waitFor();
      expect(page?.url()).toMatch(/^http:\/\/[0-9a-f]{32}\.localhost:\d+\/(#.*)?$/);
    } finally {
      await context?.close();
      rmSync(dir, { recursive: true });
    }
  });
});
