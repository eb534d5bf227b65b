// Panel: lists and numbers under a finger
// On a phone what leads elsewhere is as large as a finger needs.

import { expect, it } from "vitest";
import { lineForAll, windowsForAll } from "../../../support/panel/for-tests.ts";
import { DENIED, playSessions } from "../../../support/panel/sessions.ts";

const windows = windowsForAll();
const line = lineForAll(playSessions);
const PHONE = { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true };
const FINGER = 44;

it("Panel: on a phone a tap anywhere on a session's row of the overview opens the session", async () => {
  const page = await windows.openAt(line, "#/overview", ".overview .calls tbody tr", PHONE);
  const row = page.locator(".overview .calls tbody tr", { hasText: "The cart's total" }).first();
  const { height = 0, width = 0 } = (await row.boundingBox()) ?? {};
  await row.tap({ position: { x: width - 20, y: height - 10 } });
  await page.waitForURL(`**/#/session/${DENIED}`);
});

it("Panel: on a phone each number of the answers that leads to a list is as large as a finger needs", async () => {
  const page = await windows.openAt(line, "#/answers", ".answers a[aria-label]", PHONE);
  for (const number of await page.locator(".answers a[aria-label]").all()) {
    const { height = 0, width = 0 } = (await number.boundingBox()) ?? {};
    expect(Math.min(height, width)).toBeGreaterThanOrEqual(FINGER);
  }
  await page.locator(".answers a[aria-label]").first().tap();
  await page.locator(".listed").waitFor();
});
