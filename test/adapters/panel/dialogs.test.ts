// Panel: dialogs
// Every sheet that opens over a view, enlarged to 200 % and to 400 %, and on a phone: nothing cut, and its end can be reached.

import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { findingsOn, withAxe } from "../../support/panel/axe.ts";
import { lineForAll, windowsForAll } from "../../support/panel/for-tests.ts";
import { seen } from "../../support/panel/choose.ts";

const windows = windowsForAll();
const asked = (id: string, command: string) => {
  const about = { requestId: "r", toolUseId: `t-${id}`, tool: "Bash", input: { command } };
  return [
    ["tool.started", about] as const,
    ["approval.requested", { ...about, approvalId: id, channel: "gateway" }] as const,
  ];
};
const LONG = `npm test -- ${"a-rather-long-name-of-a-test ".repeat(12)}`;
const line = lineForAll((played) =>
  played.emit(
    "w/one",
    ["request.created", { requestId: "r", prompt: "Test all" }],
    ...Array.from({ length: 12 }, (_, n) => asked(`a${n}`, LONG)).flat(),
  ),
);

const press = (key: string) => (page: Page) => page.keyboard.press(key);
const click = (name: RegExp) => (page: Page) => page.getByRole("button", { name }).first().click();
const YES_OR_NO = [() => true, () => false] as const;
/** Nothing that is out of sight takes an answer: a first press brings it there. */
const clickTwice = (name: RegExp) => async (page: Page) => {
  await page.getByRole("button", { name }).first().click({ force: true });
  // The script of the sheet comes a moment after the press that opens it.
  const sheet = page.locator("dialog[open] li").first();
  if (await sheet.waitFor({ timeout: 15_000 }).then(...YES_OR_NO)) return;
  await seen(page);
  await click(name)(page);
};
/** What opens each, and what of it is there then. */
const DIALOGS = {
  help: ["dialog.help[open]", press("?")],
  notifications: ["dialog.notifications[open]", press("n")],
  search: ["dialog[open] input", press("Control+k")],
  "all alike": ["dialog[open] li", clickTwice(/^Approve all/)],
  "allow like this": [".allow-like-this form", click(/^Allow like this/)],
} as const;

/** Boxes of the open sheet beyond the screen, texts cut without a sign, and what scrolling does not bring into sight. */
const WRONG = `(() => {
  const dialog = document.querySelector("dialog[open]") ?? document.querySelector(".allow-like-this");
  const found = [];
  const isScrolled = (it) => {
    for (let up = it; up && up !== dialog; up = up.parentElement)
      if (/auto|scroll/.test(getComputedStyle(up).overflowX)) return true;
    return false;
  };
  const { left, right, top, bottom } = dialog.getBoundingClientRect();
  const isSheet = dialog.matches("dialog");
  if (left < 0 || right > innerWidth + 1 || (isSheet && (top < 0 || bottom > innerHeight + 1))) found.push("the sheet is beside the screen");
  for (const it of dialog.querySelectorAll("*")) {
    if (it.closest("svg, .unseen") || !it.checkVisibility() || it.clientWidth <= 1) continue;
    const box = it.getBoundingClientRect();
    const name = it.tagName.toLowerCase() + "." + it.className + " " + it.textContent.slice(0, 30);
    if (box.right > right + 1 && !isScrolled(it)) found.push("beside: " + name);
    const { overflowX, textOverflow, display } = getComputedStyle(it);
    if (/hidden|clip/.test(overflowX) && textOverflow !== "ellipsis" && display !== "inline" && it.scrollWidth > it.clientWidth + 1)
      found.push("cut: " + name);
  }
  for (const it of dialog.querySelectorAll("button, input, select, textarea, a")) {
    if (!it.checkVisibility() || it.disabled) continue;
    it.scrollIntoView({ block: "center" });
    const box = it.getBoundingClientRect();
    if (box.top < -1 || box.bottom > innerHeight + 1) found.push("out of reach: " + it.textContent.slice(0, 30));
  }
  return found;
})()`;

describe("the panel: dialogs", () => {
  it.each([
    ["1280 px at 200 %", 640, 450],
    ["1280 px at 400 %", 320, 256],
    ["a phone", 390, 844],
  ])(
    "Panel: on %s each sheet is on the screen, nothing of it is cut, and all of it can be reached",
    async (_, width, height) => {
      const page = await windows.open(line, { viewport: { width, height }, reducedMotion: "reduce" });
      await withAxe(page);
      for (const [name, [sign, open]] of Object.entries(DIALOGS)) {
        await page.goto(`/?${encodeURIComponent(name)}#/inbox/w/a0`);
        await page.locator(".card.open .consequence").first().waitFor();
        await open(page);
        await page.locator(sign).first().waitFor();
        expect.soft([name, await page.evaluate<readonly string[]>(WRONG)]).toEqual([name, []]);
        expect.soft([name, await findingsOn(page)]).toEqual([name, []]);
      }
    },
    120_000,
  );
});
