// Panel: dead letters
// One that was fed again says so, and cannot be fed a second time.

import { describe, expect, it } from "vitest";
import { servedForEach, windowsForAll } from "../../support/panel/for-tests.ts";
import { keys } from "../../../runtime/rows/keys.ts";
import { shoot } from "../../support/panel/page.ts";
import { event } from "../../support/http/served.ts";

const windows = windowsForAll();
const engine = servedForEach(async (served) => {
  for (const type of ["nobody.knows", "nobody.knew"]) await served.post("/v1/events", event(type, {}));
  expect(served.engine.meta().deads).toBe(2);
});

/** As the turn writes it that feeds a letter again. */
function retried(n: number, retriedAt: number): void {
  const letter = JSON.parse(engine.now.disk.rows.get(keys.dead(n)) ?? "") as object;
  engine.now.disk.rows.set(keys.dead(n), JSON.stringify({ ...letter, retriedAt }));
}

describe("the panel: dead letters", () => {
  it("G17: a letter fed again, before or while it is shown, names its new entry and has no key to try again", async () => {
    retried(2, 7);
    const page = await windows.openAt(engine.standing, "#/overview", ".letter");
    const [newer, older] = [page.locator(".letter").nth(0), page.locator(".letter").nth(1)];
    expect(await newer.locator("summary").textContent()).toContain("fed again as entry 7");
    expect(await older.locator("summary").textContent()).not.toContain("fed again");
    for (const letter of [newer, older]) await letter.locator("summary").click();
    const again = (letter: typeof newer) => letter.getByRole("button", { name: "Try again" });
    expect([await again(newer).count(), await again(older).count()]).toEqual([0, 1]);
    retried(1, 8);
    await again(older).click();
    await older.locator(".chip", { hasText: "fed again as entry 8" }).waitFor();
    expect(await again(older).count()).toBe(0);
    for (const [colorScheme, width] of [
      ["light", 1280],
      ["dark", 390],
    ] as const) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 844 });
      await older.scrollIntoViewIfNeeded();
      await shoot(page, `letters-${colorScheme}-${width}`);
    }
  });
});
