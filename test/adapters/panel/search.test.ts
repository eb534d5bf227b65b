// Panel: search everywhere
// From any view, by keys alone: what is found, where it leads, and how much was searched.

import { describe, expect, it } from "vitest";
import type { Page } from "playwright-core";
import { lineForAll, windowsForAll } from "../../support/panel/for-tests.ts";
import { shoot } from "../../support/panel/page.ts";
import { ASKING, DENIED, playSessions } from "../../support/panel/sessions.ts";
import { findingsOn, withAxe } from "../../support/panel/axe.ts";

const windows = windowsForAll();
const line = lineForAll(playSessions);

const options = (page: Page) => page.locator(".palette [role=option]");

async function search(page: Page, text: string): Promise<void> {
  // Before it is asked for, what was found for no text at all may stand there still.
  const answered = page.waitForResponse((answer) => new URL(answer.url()).searchParams.get("text") === text);
  await page.keyboard.press("Control+k");
  await page.locator(".palette input").fill(text);
  await answered;
  await page.locator(".palette .told", { hasText: "Searched" }).waitFor();
}

describe("the panel: search everywhere", () => {
  it("Panel: Ctrl-K finds a session, a prompt, a call by its input and an approval by its id, and leads there", async () => {
    const page = await windows.open(line);
    for (const [text, name, address] of [
      ["total cent", "Sessions", `#/session/${DENIED}`],
      ["dead link.", "Prompts", `#/session/${ASKING}`],
      ["rm -rf", "Calls", `#/session/${DENIED}/r1-call-2`],
      ["q3", "Approvals", `#/inbox/${ASKING.split("/")[0]}/q3`],
    ] as const) {
      await search(page, text);
      const group = page.getByRole("group", { name });
      await group.locator("[role=option]").first().waitFor();
      await page.keyboard.press("Enter");
      await page.locator(".palette").waitFor({ state: "detached" });
      expect([text, new URL(page.url()).hash]).toEqual([text, address]);
    }
  });

  it("Panel: the arrows choose, a command is run, Esc leaves and the focus is where it was", async () => {
    const page = await windows.openAt(line, "#/rules", ".rules, .empty, main h1");
    const find = page.getByRole("button", { name: /^Search/ });
    await find.focus();
    await search(page, "go to");
    const names = await options(page).allTextContents();
    expect(names.length).toBeGreaterThan(2);
    await page.keyboard.press("ArrowDown");
    expect(await options(page).nth(1).getAttribute("aria-selected")).toBe("true");
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("ArrowUp");
    expect(await options(page).last().getAttribute("aria-selected")).toBe("true");
    await page.keyboard.press("Escape");
    await page.locator(".palette").waitFor({ state: "detached" });
    expect(await page.evaluate("document.activeElement.className")).toContain("find");
    await search(page, "overview");
    await page.keyboard.press("Enter");
    await page.locator(".overview").waitFor();
    await search(page, "keys");
    await page.keyboard.press("Enter");
    await page.locator("dialog.help[open]").waitFor();
  });

  it("Panel: without a keyboard, a button closes the search, and so does a tap beside it", async () => {
    const page = await windows.open(line);
    await search(page, "overview");
    await page.getByRole("button", { name: "Close" }).click();
    await page.locator(".palette").waitFor({ state: "detached" });
    await search(page, "overview");
    await page.locator(".palette [role=option]").first().hover();
    await page.mouse.click(4, 4);
    await page.locator(".palette").waitFor({ state: "detached" });
    expect(new URL(page.url()).hash).not.toContain("overview");
  });

  it("Panel: it says that nothing fits, and what was searched; keys of the page do not act behind it", async () => {
    const page = await windows.open(line);
    await search(page, "nobody ever said this");
    expect(await page.locator(".palette .told p").textContent()).toMatch(
      /^Nothing fits\. Searched \d+ sessions, prompts and calls\.$/,
    );
    expect(await options(page).count()).toBe(0);
    await page.keyboard.type("a2");
    expect(new URL(page.url()).hash).not.toContain("overview");
    await page.locator(".palette input").fill("links");
    await options(page).first().waitFor();
    await options(page).first().click();
    await expect.poll(() => new URL(page.url()).hash).toBe(`#/session/${ASKING}`);
  });

  it.each([1440, 390])("Panel: at %i px, in light and dark, axe finds nothing in it", async (width) => {
    const page = await windows.open(line, { viewport: { width, height: 844 }, reducedMotion: "reduce" });
    await withAxe(page);
    await page.goto("/?search");
    await page.locator(".link.live").waitFor();
    await search(page, "e");
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      await shoot(page, `search-${colorScheme}-${width}`);
      expect(await findingsOn(page)).toEqual([]);
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(width);
    }
  });
});
