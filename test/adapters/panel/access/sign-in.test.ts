// Panel: signing in
// Without a link: a field for the token, on a page with the product's look; and a browser that stays signed in.

import { describe, expect, it } from "vitest";
import { findingsOn, withAxe } from "../../../support/panel/axe.ts";
import { lineForAll, windowsForAll } from "../../../support/panel/for-tests.ts";
import { shoot } from "../../../support/panel/page.ts";
import { playSessions } from "../../../support/panel/sessions.ts";

const windows = windowsForAll();
const line = lineForAll(playSessions);

describe("the panel: signing in", () => {
  it("SIGN-IN-PAGE-1, SESSION-COOKIE-3: somebody signed out types the token, by keys alone, and stays signed in for days", async () => {
    const page = await windows.open(line, { bypassCSP: true });
    await withAxe(page);
    await page.context().clearCookies();
    await page.goto(`${line.url}/?signed-out`);
    await page.getByRole("heading", { name: "Sign in to Signalbox" }).waitFor();
    for (const [width, colorScheme] of [
      [1440, "light"],
      [390, "dark"],
    ] as const) {
      await page.setViewportSize({ width, height: 844 });
      await page.emulateMedia({ colorScheme });
      await shoot(page, `sign-in-${colorScheme}-${width}`);
      expect(await findingsOn(page)).toEqual([]);
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(width);
    }
    await page.keyboard.type("not the token");
    await page.keyboard.press("Enter");
    await page.getByText("This link or token is not, or no longer, right").waitFor();
    await page.keyboard.type(line.token);
    await page.keyboard.press("Enter");
    await page.locator(".link.live").waitFor();
    expect(page.url()).not.toContain(line.token);
    const [cookie] = await page.context().cookies();
    const days = ((cookie?.expires ?? 0) - Date.now() / 1_000) / 86_400;
    expect([days > 29, days < 31]).toEqual([true, true]);
  });
});
