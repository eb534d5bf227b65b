// The panel over several engines
// What a person does in the panel of the engine that shows two others: answer by keys, make a rule, look at a session.

import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { asks, type Team, team } from "../../support/peers/team.ts";
import { windowsForAll } from "../../support/panel/for-tests.ts";

const windows = windowsForAll();
const CHOSEN = ".card.open[aria-current=true]:not(.settling)";

let all: Team;
beforeEach(async () => {
  all = await team();
});
afterEach(() => all.stop());

describe("the panel over several engines", () => {
  it("Panel, HEARD-3, PEERS-LISTS-1: what waits at another engine is named so, answered by keys, and missed by name when that is away", async () => {
    await asks(all.web, "web", "w1");
    await asks(all.hub, "hub", "h1");
    await asks(all.shop, "shop", "s1");
    const page = await windows.open({ url: all.hub.url ?? "", token: all.token("hub", "ann") });
    const cards = page.locator(".card.open");
    // On a busy machine an engine may be late, and is asked again.
    await expect.poll(() => cards.count(), { timeout: 60_000 }).toBe(3);
    expect(await page.locator(".cards .where").allInnerTexts()).toEqual([
      expect.stringContaining("at web"),
      expect.not.stringContaining(" at "),
      expect.stringContaining("at shop"),
    ]);

    // The oldest, which is at another engine, is the first.
    await page.keyboard.press("j");
    await page.locator(CHOSEN).waitFor();
    await page.keyboard.press("a");
    await expect.poll(() => all.web.queries.getApproval("q-w1")).toMatchObject({ state: "approved" });
    await page.locator(".card.committed").waitFor();

    await page.locator(".group", { hasText: "at shop" }).waitFor();
    await page.locator(".card.open").last().click();
    await page.locator(".group:has-text('at shop') + li").locator(CHOSEN).waitFor();
    await page.getByRole("button", { name: "Allow like this" }).click();
    await page.getByRole("button", { name: "Make the rule and approve" }).click();
    await expect.poll(() => all.shop.queries.rules.list({}).items.length).toBe(1);
    expect(all.hub.queries.rules.list({}).items).toEqual([]);
    await expect.poll(() => all.shop.queries.getApproval("q-s1")).toMatchObject({ state: "approved" });
    await page.keyboard.press("3");
    await page.locator("main td", { hasText: "at shop" }).waitFor();

    await page.goto("/#/session/web/w1");
    await page.locator(".session-head", { hasText: "at web" }).waitFor();
    await page.locator(".session-parts", { hasText: "make deploy" }).waitFor();

    await asks(all.shop, "shop", "s2");
    await page.keyboard.press("1");
    await page.locator(".group", { hasText: "s2" }).waitFor();
    await all.shop.stop();
    await page.getByText("Not all is shown: shop does not answer.").first().waitFor();
    // What waits there still waits, as far as anybody knows.
    expect(await page.locator(".card.open").count()).toBe(2);
    await page.keyboard.press("2");
    await page.getByText("Not all is shown: shop does not answer.").first().waitFor();
  });
});
