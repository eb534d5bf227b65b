// Panel: the bar
// On a phone every view is in sight, and the rest of the bar is in a menu where each part has its name.

import { expect, it } from "vitest";
import { findingsOn, withAxe } from "../../support/panel/axe.ts";
import { lineForAll, windowsForAll } from "../../support/panel/for-tests.ts";
import { shoot } from "../../support/panel/page.ts";
import { playSessions } from "../../support/panel/sessions.ts";

const windows = windowsForAll();
const line = lineForAll(async (line) => {
  await playSessions(line);
  const unknown = { specversion: "1.0", id: "u1", source: "test", type: "nobody.knows", subject: "w/s" };
  await line.engine.send([{ ...unknown, data: {} }]);
});
const PHONE = {
  viewport: { width: 390, height: 844 },
  isMobile: true,
  hasTouch: true,
  reducedMotion: "reduce",
} as const;

it("Panel: on a phone the bar has all views in one line, and names everything else in a menu", async () => {
  const page = await windows.open(line, PHONE);
  await withAxe(page);
  await page.goto("/?axe#/rules");
  await page.locator("#rules-title").waitFor();
  const tops = new Set<number>();
  for (const view of ["Inbox", "Overview", "Rules", "Answers"]) {
    const box = await page.locator(".bar nav").getByRole("link", { name: view }).boundingBox();
    expect((box?.x ?? -1) >= 0 && (box?.x ?? 0) + (box?.width ?? 400) <= 390).toBe(true);
    tops.add(Math.round(box?.y ?? 0));
  }
  expect(tops.size).toBe(1);
  const menu = page.locator(".rest");
  expect(await menu.isVisible()).toBe(false);
  await page.getByRole("button", { name: "More", exact: true }).tap();
  await menu.getByRole("link", { name: "1 dead letter" }).waitFor();
  for (const name of [/^Theme: /, "Notifications", "Sign out", "Keyboard shortcuts"])
    expect(await menu.getByRole("button", { name }).isVisible()).toBe(true);
  await shoot(page, "menu-light-390");
  expect(await findingsOn(page)).toEqual([]);
  await menu.getByRole("button", { name: "Notifications" }).tap();
  await page.getByRole("dialog", { name: "Notifications" }).waitFor();
  expect(await menu.isVisible()).toBe(false);
  await page.keyboard.press("Escape");
  await page.keyboard.press("?");
  const help = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  await help.waitFor();
  expect(await page.evaluate<number>('document.querySelector("dialog.help").scrollTop')).toBe(0);
});

it("KEYBOARD-1: a sheet that opens before the browser has told of the last one's end stays open", async () => {
  const page = await windows.open(line);
  await page.goto("/#/rules");
  await page.locator("#rules-title").waitFor();
  await page.getByRole("button", { name: "Notifications" }).click();
  await page.getByRole("dialog", { name: "Notifications" }).waitFor();
  await page.evaluate(`
    document.querySelector("dialog.notifications").close();
    dispatchEvent(new KeyboardEvent("keydown", { key: "?" }));
  `);
  const help = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  await help.waitFor();
  await page.evaluate("new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn, 100)))");
  expect(await help.isVisible()).toBe(true);
});
