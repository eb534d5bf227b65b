// Panel: walking through a session
// From call to call, into machines and back, to moments of the past, and to things that are not there.

import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { lineForAll, windowsForAll } from "../../support/panel/for-tests.ts";
import { DENIED, ODD, playOdd, playSessions } from "../../support/panel/sessions.ts";

const windows = windowsForAll();
const line = lineForAll(playSessions, playOdd);

const openAt = (address: string, sign: string, options = {}): Promise<Page> =>
  windows.openAt(line, address, sign, options);

const focused = (page: Page) => page.evaluate<string>("document.activeElement.textContent");

describe("the panel: walking through a session", () => {
  it("Panel: j and k move through the calls, m opens a call's machine, Escape leaves it, and the focus stays", async () => {
    const page = await openAt(`#/session/${DENIED}`, ".call");
    const chosen = (id: string) => page.waitForURL(`**/#/session/${DENIED}/${id}`);
    await page.keyboard.press("j");
    await chosen("r1-call-1");
    await page.keyboard.press("j");
    await chosen("r1-call-2");
    await page.keyboard.press("k");
    await chosen("r1-call-1");
    await page.keyboard.press("j");
    await page.locator(".details", { hasText: "rm -rf" }).waitFor();
    await page.keyboard.press("m");
    await page.locator("#machine-title", { hasText: "r1-call-2" }).waitFor();
    await page.goBack();
    await page.locator(".details", { hasText: "rm -rf" }).waitFor();
    await page.getByRole("button", { name: "Close" }).click();
    await page.locator(".details").waitFor({ state: "detached" });
    expect(await focused(page)).toBe("Bash");
    await page.keyboard.press("Enter");
    await page.locator(".details").waitFor();
    await page.keyboard.press("/");
    await page.keyboard.type("npm run");
    await expect.poll(() => page.locator(".call").count()).toBe(1);
    await page.keyboard.press("Escape");
    await page.keyboard.press("Escape");
    await page.locator(".details").waitFor({ state: "detached" });
    expect(page.url()).toContain(DENIED);
    await page.keyboard.press("Escape");
    await page.locator("#inbox-title").waitFor();
  });

  it("Panel, HISTORY-HISTORY-1: the address holds the chosen moment, for a reload and for whoever gets the link", async () => {
    const page = await openAt(`#/session/${DENIED}`, ".call");
    await page.keyboard.press("{");
    for (let n = 0; n < 9; n += 1) await page.keyboard.press("]");
    await page.waitForURL("**/#/session/*/*@10");
    const words = await page.locator(".moment").textContent();
    await page.reload();
    await page.locator(".moment .then").waitFor();
    expect(await page.locator(".moment").textContent()).toBe(words);
    const lit = (of: Page) => of.locator(".state.lit:not(.outer) text").first().textContent();
    const first = await openAt(`#/machine/${DENIED}/call/r1-call-2`, ".state.lit");
    while ((await lit(first)) !== "Running") {
      const before = first.url();
      await first.keyboard.press("[");
      await first.waitForURL((url) => url.href !== before);
      await first.locator(".moment .then").waitFor();
    }
    const other = await openAt(new URL(first.url()).hash, ".moment .then");
    expect(await lit(other)).toBe("Running");
    await other.keyboard.press("}");
    await other.locator(".moment .now").waitFor();
    await other.waitForURL(/call-2$/);
  });

  it("Panel: a machine shows which events could move it and where to, now and at a past moment", async () => {
    const page = await openAt(`#/machine/${DENIED}/approval/q2`, ".state.lit");
    await page.getByText("None: it is at its end.").waitFor();
    await page.keyboard.press("[");
    const moves = page.locator(".moves li");
    await moves.first().waitFor();
    const told = await page.evaluate<readonly string[]>(
      `[...document.querySelectorAll(".moves li")].map((each) => [...each.children].map((part) => part.textContent).join(" "))`,
    );
    expect(told).toEqual([
      "answered Approved Denied",
      "decided Approved Denied",
      "lapsed Not answered in time",
      "withdrawn Withdrawn",
    ]);
    await page.getByRole("link", { name: "request’s state diagram" }).click();
    await page.locator("#machine-title", { hasText: "request r1" }).waitFor();
  });

  it("Panel: the last transition is animated, except for people who asked for less motion", async () => {
    const look = (page: Page) =>
      page.evaluate<string>(`getComputedStyle(document.querySelector(".arrow.step path")).animationName`);
    const address = `#/machine/${DENIED}/call/r1-call-2`;
    expect(await look(await openAt(address, ".arrow.step"))).toBe("run");
    expect(await look(await openAt(address, ".arrow.step", { reducedMotion: "reduce" }))).toBe("none");
  });

  it("Panel: if the engine does not have what an address names, the page names it and offers a way on", async () => {
    for (const [address, what] of [
      ["#/session/w/nobody", "The session w/nobody is not here"],
      ["#/machine/w/nobody/call/nothing", "The call nothing is not here"],
    ] as const) {
      const page = await openAt(address, "main h1");
      // The view before it has a heading, too.
      await expect.poll(() => page.locator("main h1").textContent()).toBe(what);
      await page.getByRole("link", { name: "See the sessions there are" }).click();
      await page.locator("#overview-title").waitFor();
    }
  });

  it("Panel: approvals that name no call lead to the inbox, each to itself", async () => {
    const page = await openAt(`#/session/${ODD}`, ".unplaced a");
    expect(await page.locator(".unplaced a").count()).toBe(7);
    await page.locator(".unplaced a", { hasText: "Edit" }).click();
    await page.locator(".card[aria-current=true] h2", { hasText: "Edit" }).waitFor();
    expect(await page.locator(".card .change-row.removed code").textContent()).toBe("a = 1");
  });

  it("Panel: times follow the engine's clock, however wrong the browser's clock is", async () => {
    for (const apartMs of [3_600_000, -3_600_000]) {
      const page = await windows.open(line);
      await page.addInitScript(`{ const real = Date.now; Date.now = () => real() + ${apartMs}; }`);
      await page.reload();
      const waiting = page.locator(".card.open .wait").first();
      await expect.poll(() => waiting.textContent()).toMatch(/^waiting ([1-9]|\d\d) s$|^waiting \d min$/);
    }
  });
});
