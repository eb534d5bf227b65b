// Panel: dead letters
// In groups by what is wrong with them, each tried again or dismissed; how many need somebody is in the header.

import { describe, expect, it } from "vitest";
import { servedForEach, windowsForAll } from "../../../support/panel/for-tests.ts";
import { keys } from "../../../../runtime/rows/keys.ts";
import { shoot } from "../../../support/panel/page.ts";
import { event } from "../../../support/http/served.ts";

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
    const page = await windows.openAt(engine.standing, "#/letters", ".letter");
    const done = page.locator(".done");
    await done.locator("summary").first().click();
    const [newer, older] = [done.locator(".letter"), page.locator(".letter-group .letter")];
    expect(await newer.locator("summary").textContent()).toContain("fed again as entry 7");
    expect(await older.locator("summary").textContent()).not.toContain("fed again");
    for (const letter of [newer, older]) await letter.locator("summary").click();
    const again = (letter: typeof newer) => letter.getByRole("button", { name: "Try again" });
    expect([await again(newer).count(), await again(older).count()]).toEqual([0, 1]);
    retried(1, 8);
    await again(older).click();
    await done.locator(".chip", { hasText: "fed again as entry 8" }).waitFor();
    expect(await again(page.locator(".letter", { hasText: "entry 8" })).count()).toBe(0);
    for (const [colorScheme, width] of [
      ["light", 1280],
      ["dark", 390],
    ] as const) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 844 });
      await shoot(page, `letters-${colorScheme}-${width}`);
    }
  });

  it("LETTERS-MODEL-1: the header counts those that need somebody; a group is dismissed for everybody, and taken back", async () => {
    const page = await windows.openAt(engine.standing, "#/", ".letters-link");
    const link = page.locator(".letters-link");
    expect(await link.textContent()).toBe("2 dead letters");
    await link.click();
    await page.getByRole("button", { name: "Dismiss all 2" }).click();
    await page.getByText("None needs you.").waitFor();
    expect(await link.count()).toBe(0);
    await page.reload();
    await page.locator(".done").waitFor();
    expect([await link.count(), await page.locator(".letter-group").count()]).toEqual([0, 0]);
    const elsewhere = await windows.openAt(engine.standing, "#/letters", ".done");
    expect(await elsewhere.locator(".letters-link, .letter-group").count()).toBe(0);
    await elsewhere.locator(".done summary").first().click();
    await elsewhere.locator(".done .letter summary").first().getByText("dismissed by").waitFor();
    await elsewhere.context().close();
    await page.locator(".done summary").first().click();
    await page.locator(".done .letter summary").first().click();
    await page.getByRole("button", { name: "Not dismissed after all" }).click();
    await link.waitFor();
    expect(await link.textContent()).toBe("1 dead letter");
  });

  it("LETTERS-MODEL-1: a group is tried again in the order it came, and says what was taken and what was not", async () => {
    const page = await windows.openAt(engine.standing, "#/letters", ".letter");
    const tried: string[] = [];
    await page.route("**/v1/dead-letters/*/retry", async (route) => {
      const [, n = ""] = /dead-letters\/(\d+)/.exec(route.request().url()) ?? [];
      tried.push(n);
      if (n === "1") return route.fulfill({ status: 200, body: "{}" });
      const error = { code: "NOT_RETRIED", message: "It is still wrong.", next: "Mend it." };
      return route.fulfill({ status: 409, body: JSON.stringify({ error }) });
    });
    await page.getByRole("button", { name: "Try all 2 again" }).click();
    await page.getByText("1 taken, 1 not: It is still wrong. Mend it.").waitFor();
    expect(tried).toEqual(["1", "2"]);
    await expect.poll(() => page.locator(".letter-group .letter").count()).toBe(1);
  });

  it("Panel: the header says in words how the engine stands, and what it counts goes on", async () => {
    const page = await windows.open(engine.standing, { viewport: { width: 1440, height: 900 } });
    const link = page.locator(".bar .link");
    await page.locator(".link .figures", { hasText: "message" }).waitFor();
    expect(await link.textContent()).toMatch(/^Healthy · [\d,]+ messages? · last \d+ \w+ ago$/);
    const { position } = engine.now.engine.meta();
    await engine.now.post("/v1/events", event("session.started", { title: "News" }));
    await page.locator(".link .figures", { hasText: `${position + 1} messages` }).waitFor();
  });
});
