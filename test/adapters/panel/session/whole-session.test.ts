// Panel: the whole session
// One line of time over all of a session: pointed at by mouse and keys, gone along, at every width, with many calls.

import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { findingsOn, withAxe } from "../../../support/panel/axe.ts";
import { lineForAll, windowsForAll } from "../../../support/panel/for-tests.ts";
import { playSessions, ASKING, DENIED } from "../../../support/panel/sessions.ts";

const CALLS = 1_500;
const AT_ONCE = 250;
const windows = windowsForAll();

const call = (n: number) => ({
  ...{ requestId: `r${Math.floor(n / AT_ONCE)}`, toolUseId: `busy-${n}`, tool: "Bash" },
  input: { command: `echo ${n}` },
});

const line = lineForAll(playSessions, async (played) => {
  await played.emit("w/busy", ["session.started", { title: "A busy one" }]);
  for (let from = 0; from < CALLS; from += AT_ONCE) {
    const { requestId } = call(from);
    await played.emit(
      "w/busy",
      ["request.created", { requestId, prompt: `Part ${requestId}` }],
      ["request.processing", { requestId }],
      ...Array.from({ length: AT_ONCE }, (_, n) => from + n).flatMap((n) => [
        ["tool.started", call(n)] as const,
        ["tool.finished", { ...call(n), output: "ok" }] as const,
      ]),
      ["request.completed", { requestId }],
    );
  }
});

const slider = (page: Page) => page.getByRole("slider", { name: /^The session by time/ });
const told = (page: Page) => slider(page).getAttribute("aria-valuetext");

describe("the panel: a session's line of time", () => {
  it("Panel: requests, calls and waiting stand on one line, with its times beneath", async () => {
    const page = await windows.openAt(line, `#/session/${ASKING}`, ".whole-session svg text");
    for (const part of ["path.of-request", "path.of-calls", "path.of-wait.waiting"])
      expect(await page.locator(`.whole-session ${part}`).count(), part).toBeGreaterThan(0);
    const colours = await page.evaluate<readonly string[]>(
      '[...document.querySelectorAll(".whole-session path[class^=of-]")].map((path) => getComputedStyle(path).fill)',
    );
    expect(colours.filter((colour) => colour === "rgb(0, 0, 0)")).toEqual([]);
    expect((await page.locator(".whole-session text").allTextContents()).at(0)).toBe("now");
    await expect.poll(() => told(page)).toMatch(/ up to now$/);
  });

  it("Panel: keys go from mark to mark, each is read out, and Enter leads to its call", async () => {
    const page = await windows.openAt(line, `#/session/${DENIED}`, ".whole-session svg text");
    await slider(page).focus();
    await page.keyboard.press("Home");
    await expect.poll(() => told(page)).toMatch(/request “Find out why the total is off by a cent/);
    await page.keyboard.press("PageDown");
    await page.keyboard.press("Home");
    await page.keyboard.press("ArrowRight");
    await expect.poll(() => told(page)).toMatch(/calls · |Bash /);
    expect(await page.locator(".whole-session .read-out").textContent()).toBe(await told(page));
    await page.keyboard.press("Enter");
    await expect.poll(() => page.url()).toMatch(/rounding\/r1-call-\d/);
    await page.locator(".call[aria-current=true]").waitFor();
    await page.locator(".whole-session rect.chosen").waitFor({ state: "attached" });
  });

  it("Panel: pointing at a band says its request, a click leads there", async () => {
    const page = await windows.openAt(line, `#/session/${DENIED}`, ".whole-session svg text");
    await slider(page).hover({ position: { x: 4, y: 4 } });
    await expect.poll(() => told(page)).toMatch(/request “Find out why/);
    await slider(page).click({ position: { x: 4, y: 4 } });
    await expect
      .poll(() => page.evaluate("document.activeElement.closest('[data-request]')?.dataset.request"))
      .toBe("r1");
    await page.mouse.move(0, 0);
    await expect.poll(() => told(page)).toMatch(/ in all$| up to now$/);
  });

  it.each(["light", "dark"] as const)("Panel: axe finds nothing at it, %s", async (colorScheme) => {
    const page = await windows.open(line, { colorScheme });
    await withAxe(page);
    await page.goto(`/?again#/session/${ASKING}`);
    await page.locator(".whole-session svg text").first().waitFor();
    expect(await findingsOn(page)).toEqual([]);
  });

  it.each([390, 1024, 1440])(
    "Panel: it fits a screen of %i px, and its times do not overlap",
    async (width) => {
      const viewport = { width, height: 844 };
      const page = await windows.openAt(line, "#/session/w/busy", ".whole-session svg text", { viewport });
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(width);
      const places = await page
        .locator(".whole-session text")
        .evaluateAll(
          (texts: readonly { getBoundingClientRect(): { left: number; right: number; top: number } }[]) =>
            texts
              .map((text) => text.getBoundingClientRect())
              .map(({ left, right, top }) => ({ left, right, top })),
        );
      const lowest = Math.max(...places.map(({ top }) => top));
      const times = places.filter(({ top }) => top === lowest).sort((a, b) => a.left - b.left);
      for (const [n, { left }] of times.entries())
        if (n > 0) expect(left).toBeGreaterThan(times[n - 1]?.right ?? 0);
    },
  );

  it("WHOLE-DRAWING-1, STOPS-1: thousands of calls are as many elements as a few, and every one is reached", async () => {
    const viewport = { width: 390, height: 844 };
    const page = await windows.openAt(line, "#/session/w/busy", ".whole-session svg text", { viewport });
    const readAll = page.getByRole("button", { name: "Read all" });
    await readAll.click();
    await readAll.waitFor({ state: "detached", timeout: 60_000 });
    expect(await page.locator(".whole-session svg *").count()).toBeLessThan(80);
    const width = (await slider(page).boundingBox())?.width ?? 0;
    const stops = Number(await slider(page).getAttribute("aria-valuemax"));
    expect(stops).toBeLessThanOrEqual(width / 3 + 20);
    await slider(page).focus();
    let calls = 0;
    await page.keyboard.press("Home");
    for (let n = 0; n <= stops; n += 1) {
      const words = (await told(page)) ?? "";
      const many = /: ([\d,]+) calls · /.exec(words)?.[1];
      if (many !== undefined) calls += Number(many.replace(",", ""));
      else if (words.includes(": Bash ")) calls += 1;
      await page.keyboard.press("ArrowRight");
      if (n < stops) await expect.poll(() => slider(page).getAttribute("aria-valuenow")).toBe(String(n + 1));
    }
    expect(calls).toBe(CALLS);
  }, 120_000);
});
