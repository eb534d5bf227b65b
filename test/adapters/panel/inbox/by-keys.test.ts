// Panel: by keys alone
// In a window of 1,024 × 768 px: the focus is always to be seen, Escape closes one thing, and the choice is not lost.

import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { CHOSEN, chooseNext, seen } from "../../../support/panel/choose.ts";
import { lineForEach, threeAsked, windowsForAll } from "../../../support/panel/for-tests.ts";

const windows = windowsForAll();
const WINDOW = { viewport: { width: 1024, height: 768 } };
const line = lineForEach(
  threeAsked((n) => `make step-${n} && ${"make --define A_FLAG_OF_THE_BUILD=true && ".repeat(n * 9)} true`),
);

/** True if nothing covers the middle of what has the focus. */
const isSeen = (page: Page) =>
  page.evaluate<boolean>(`(() => {
    const { x, y, width, height } = document.activeElement.getBoundingClientRect();
    return document.activeElement.contains(document.elementFromPoint(x + width / 2, y + height / 2));
  })()`);
const focused = (page: Page) => page.evaluate<string>("document.activeElement.textContent");

async function open(): Promise<Page> {
  const page = await windows.openAt(line, "#/", ".card.open", WINDOW);
  await chooseNext(page);
  await page.keyboard.press("j");
  await seen(page, "step-2");
  await page.locator(".snooze").waitFor();
  return page;
}

it("Panel: the keys s and t lead into parts that are in sight and cover nothing, and Escape leads out of each", async () => {
  const page = await open();
  for (const [key, part] of [
    ["s", "Snooze"],
    ["t", "Assign to somebody"],
  ] as const) {
    await page.keyboard.press(key);
    await expect.poll(() => isSeen(page)).toBe(true);
    const [team, behind] = await Promise.all(
      [".team", ".background"].map((each) => page.locator(`${CHOSEN} ${each}`).boundingBox()),
    );
    const end = await page.locator(`${CHOSEN} .team details[open]`).last().boundingBox();
    expect(team && behind && end && end.y + end.height <= behind.y).toBe(true);
    await page.keyboard.press("Escape");
    expect(await focused(page)).toContain(part);
    expect(await page.locator(".team details[open]").count()).toBe(0);
  }
  await seen(page, "step-2");
});

it("Panel: after somebody was named by keys, the focus stays beside the field", async () => {
  const page = await open();
  await page.keyboard.press("t");
  await page.keyboard.type("zoe");
  await page.keyboard.press("Enter");
  await page.getByText(/^Assigned to zoe by you/).waitFor();
  await expect.poll(() => focused(page)).toContain("Assign to somebody");
});

it("Panel: the key r leads into the form of a rule, and Escape back to the approval", async () => {
  const page = await open();
  await page.keyboard.press("r");
  await page.locator(".allow-like-this select:focus").first().waitFor();
  expect(await isSeen(page)).toBe(true);
  await page.keyboard.press("Escape");
  await page.locator(".allow-like-this").waitFor({ state: "detached" });
  await page.locator(`${CHOSEN}:focus`).waitFor();
});

it("Panel: whoever opens a session by the key o and leaves it by Escape is back at the same approval", async () => {
  const page = await open();
  await page.keyboard.press("o");
  await page.locator(".details").waitFor();
  await page.keyboard.press("Escape");
  await page.locator(".details").waitFor({ state: "detached" });
  await page.keyboard.press("Escape");
  await seen(page, "step-2");
});

it("ELSEWHERE-1: of an approval that ended with another call the page says so in one plain sentence", async () => {
  const page = await open();
  await line.send("/v1/approvals/a1/decision", { decision: "deny" });
  const said = page.locator(".elsewhere:focus");
  await said.waitFor();
  expect(await said.textContent()).toBe(
    "The approval of Bash needs no answer any more. Denied elsewhere, or along with another call.",
  );
});

it("Panel: in the list of keys no key stands in the words beside it", async () => {
  const page = await open();
  await page.keyboard.press("?");
  await page.locator("dialog.help[open] kbd").first().waitFor();
  const over = await page.evaluate(`[...document.querySelectorAll(".help dl > div")].filter((row) =>
    row.querySelector("kbd").getBoundingClientRect().right > row.querySelector("dd").getBoundingClientRect().left).length`);
  expect(over).toBe(0);
});
