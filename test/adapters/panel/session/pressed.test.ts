// Panel: a call's row under a finger
// A tap anywhere in the row opens the call; with a mouse only the link does.

import { describe, expect, it } from "vitest";
import { findingsOn, withAxe } from "../../../support/panel/axe.ts";
import { lineForAll, windowsForAll } from "../../../support/panel/for-tests.ts";
import { DENIED, playSessions } from "../../../support/panel/sessions.ts";

const windows = windowsForAll();
const line = lineForAll(playSessions);
const ADDRESS = `#/session/${DENIED}`;
const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };

describe("the panel: a call's row", () => {
  it("Panel: on a phone, a tap beside the tool's name opens the call", async () => {
    const page = await windows.openAt(line, ADDRESS, ".call", PHONE);
    const row = page.locator(".call").first();
    for (const place of [".index", ".gist", ".state-cell", ".took"]) {
      await page.goto(`/?${place}${ADDRESS}`);
      await row.locator(place).tap({ position: { x: 4, y: 4 } });
      await page.locator(".details").waitFor();
      expect([place, new URL(page.url()).hash]).toEqual([
        place,
        await row.locator("th a").getAttribute("href"),
      ]);
    }
  });

  it("Panel: with a mouse, a click into a row's text opens nothing, and the tool's name opens the call", async () => {
    const page = await windows.openAt(line, ADDRESS, ".call");
    const row = page.locator(".call").first();
    await row.locator(".input bdi").dblclick();
    expect(await page.evaluate("String(getSelection()).length")).toBeGreaterThan(0);
    expect(new URL(page.url()).hash).toBe(ADDRESS);
    await row.getByRole("link").click();
    await page.locator(".details").waitFor();
  });

  it("Panel: on a phone, a row is one link, with nothing to press inside of it, and axe finds nothing", async () => {
    const page = await windows.open(line, PHONE);
    await withAxe(page);
    await page.goto(`/?axe${ADDRESS}`);
    await page.locator(".call").first().waitFor();
    const links = `[...document.querySelectorAll(".call")].map((row) => row.querySelectorAll("a, button, [tabindex]").length)`;
    expect(new Set(await page.evaluate<number[]>(links))).toEqual(new Set([1]));
    expect(await findingsOn(page)).toEqual([]);
  });
});
