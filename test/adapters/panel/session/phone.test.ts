// Panel: a session on a phone
// A tap on a call shows the call, and closing it leads back to its row.

import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { lineForAll, windowsForAll } from "../../../support/panel/for-tests.ts";

const windows = windowsForAll();
const call = (n: number) => ({
  ...{ requestId: "r1", toolUseId: `t${n}`, tool: "Bash", input: { command: `make step-${n}` } },
});
const line = lineForAll((line) =>
  line.emit(
    "w/s",
    ["request.created", { requestId: "r1" }],
    ...Array.from({ length: 20 }, (_, n) => ["tool.announced", call(n + 1)] as const),
    ["approval.requested", { ...call(20), approvalId: "a20" }],
  ),
);
const PHONE = { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true };

/** Where it begins, from the window's upper edge, px. */
const topOf = async (page: Page, selector: string): Promise<number> =>
  (await page.locator(selector).boundingBox())?.y ?? NaN;

it("Panel: on a phone a tap on a call far down shows the call from its beginning, and Close leads back to its row", async () => {
  const page = await windows.openAt(line, "#/session/w/s", ".call >> nth=19", PHONE);
  await page.locator(".call", { hasText: "step-18" }).tap();
  await page.locator(".details", { hasText: "step-18" }).waitFor();
  const bar = (await page.locator(".bar").boundingBox())?.height ?? NaN;
  await expect.poll(() => topOf(page, ".details")).toBeLessThan(bar + 40);
  expect(await topOf(page, ".details")).toBeGreaterThanOrEqual(bar);
  await page.getByRole("button", { name: "Close" }).tap();
  await page.locator(".details").waitFor({ state: "detached" });
  const row = () => topOf(page, ".call:has(:focus)");
  await expect.poll(row).toBeLessThan(740);
  expect(await row()).toBeGreaterThanOrEqual(bar);
});

it("Panel: beside a call in full the rows show what each call is about, in a window of 1,024 px", async () => {
  const page = await windows.openAt(line, "#/session/w/s/t2", ".details", {
    viewport: { width: 1024, height: 768 },
  });
  const cut = `[...document.querySelectorAll(".call .gist > span")].filter((it) => it.scrollWidth > it.clientWidth)`;
  expect(await page.evaluate(`${cut}.length`)).toBe(0);
});
