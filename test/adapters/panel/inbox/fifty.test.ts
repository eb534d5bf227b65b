// Panel: fifty in a row
// One who answers fifty approvals with the keyboard, eleven traps among them: is each trap seen before the key?

import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { FIFTY, playFifty, type Question } from "../../../support/panel/fifty.ts";
import { lineForAll, windowsForAll } from "../../../support/panel/for-tests.ts";
import { shoot } from "../../../support/panel/page.ts";

const windows = windowsForAll();
const TRAPS = FIFTY.filter(({ trap }) => trap);

describe("the panel: fifty approvals in a row", () => {
  const line = lineForAll(playFifty);
  const chosen = (page: Page) => page.locator(".card[aria-current=true]");
  const lookAt = async (page: Page, { id }: Question): Promise<void> => {
    await page.evaluate(`location.hash = "#/inbox/day/${id}"`);
    await page.locator(`.card[aria-current=true]:not(.settling) .whole[data-approval="${id}"]`).waitFor();
  };
  const begin = (viewport = { width: 1280, height: 900 }): Promise<Page> =>
    windows.openAt(line, "#/inbox/day/q01", ".card[aria-current=true] .whole", { viewport });

  it("RISKS-1: the scenario has fifty approvals and eleven traps", () => {
    expect([FIFTY.length, TRAPS.length]).toEqual([50, 11]);
  });

  it("RISKS-1, RISKS-3, RISKS-4: each trap is in sight, with its mark, above its input, when the card is looked at", async () => {
    const page = await begin();
    for (const question of FIFTY) {
      await lookAt(page, question);
      const { trap, id } = question;
      if (!trap) continue;
      await shoot(page, `fifty-${id}`);
      const card = chosen(page);
      const marks = card.locator(".risks .risk");
      for (const mark of trap.marks ?? []) expect(await marks.allInnerTexts(), id).toContain(mark);
      if (trap.found !== undefined)
        expect((await card.locator(".risks code").allTextContents()).join("\n"), id).toContain(
          shownAs(trap.found),
        );
      for (const word of trap.added ?? []) {
        const differs = card.locator(".differs");
        expect(await differs.locator("code").allInnerTexts(), id).toContain(word);
        expect(await isInSight(page, ".differs"), id).toBe(true);
      }
      if (trap.folder !== undefined) expect(await card.locator(".unlike").innerText(), id).toBe(trap.folder);
      if (trap.marks) expect(await isInSight(page, ".risks"), id).toBe(true);
      if (trap.folder !== undefined) expect(await isInSight(page, ".unlike"), id).toBe(true);
    }
  });

  it("Panel: on a phone each trap's mark is in sight before the buttons are reached", async () => {
    const page = await begin({ width: 390, height: 844 });
    for (const question of TRAPS.filter(({ trap }) => trap?.marks)) {
      await lookAt(page, question);
      await shoot(page, `fifty-phone-${question.id}`);
      const [risks, answers] = await Promise.all(
        [".risks", ".answers"].map((name) => chosen(page).locator(name).boundingBox()),
      );
      expect(await isInSight(page, ".risks"), question.id).toBe(true);
      expect(risks!.y, question.id).toBeLessThan(answers!.y);
    }
  });

  it("Panel: one answer to all alike never takes a trap along", async () => {
    const page = await begin();
    for (const question of FIFTY) {
      if (question.trap) continue;
      await lookAt(page, question);
      await page.keyboard.press("A");
      const dialog = page.getByRole("dialog");
      await dialog.waitFor();
      const like = FIFTY.filter(
        (each) =>
          each.session === question.session && JSON.stringify(each.input) === JSON.stringify(question.input),
      );
      expect(await dialog.locator("li").count(), question.id).toBe(like.length);
      expect(
        like.filter(({ trap }) => trap),
        question.id,
      ).toEqual([]);
      await page.keyboard.press("Escape");
      await dialog.waitFor({ state: "detached" });
    }
  });

  it("Panel: answered one after another with the keyboard, each key answers the card that was in sight", async () => {
    const page = await begin();
    const denied: string[] = [];
    for (let left = FIFTY.length; left > 0; left -= 1) {
      const card = page.locator(".card.open[aria-current=true]:not(.settling)");
      await card.waitFor();
      const id = (await card.locator(".whole").getAttribute("data-approval")) ?? "";
      const isTrap = TRAPS.some((each) => each.id === id);
      if (isTrap) {
        await page.keyboard.press("d");
        await page.keyboard.press("Enter");
        denied.push(id);
      } else await page.keyboard.press("a");
      await page.locator(`.card.open .whole[data-approval="${id}"]`).waitFor({ state: "detached" });
    }
    await page.getByRole("heading", { name: "Nothing waits for you" }).waitFor();
    const stored = async () => {
      const path = "/v1/approvals?state=denied&limit=100";
      const { items } = await line.read<{ items: { id: string }[] }>(path);
      return items.map(({ id }) => id).toSorted();
    };
    // The last answers may still be on their way.
    await expect.poll(stored).toEqual(TRAPS.map(({ id }) => id));
    expect(denied.toSorted()).toEqual(TRAPS.map(({ id }) => id));
  });
});

/** A character that does not show stands as its number. */
const shownAs = (text: string): string => text.replace("\u202e", "<U+202E>");

const isInSight = async (page: Page, part: string): Promise<boolean> => {
  const box = await page.locator(`.card[aria-current=true] ${part}`).boundingBox();
  const { height } = page.viewportSize()!;
  return box !== null && box.y >= 0 && box.y + Math.min(box.height, 80) <= height;
};
