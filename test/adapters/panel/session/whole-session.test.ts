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
/** What is pointed at, or the moment that is looked at. */
const told = (page: Page) => page.locator(".whole-session .moment").textContent();
const valueOf = async (page: Page, name = "now") =>
  Number(await slider(page).getAttribute(`aria-value${name}`));

describe("the panel: a session's line of time", () => {
  it("Panel: requests, calls and waiting stand on one line, with its times beneath", async () => {
    const page = await windows.openAt(line, `#/session/${ASKING}`, ".whole-session svg text");
    for (const part of ["path.of-request", "path.of-calls", "path.of-length", "path.of-wait.waiting"])
      expect(await page.locator(`.whole-session ${part}`).count(), part).toBeGreaterThan(0);
    const colours = await page.evaluate<readonly string[]>(
      '[...document.querySelectorAll(".whole-session path[class^=of-]")].map((path) => getComputedStyle(path).fill)',
    );
    expect(colours.filter((colour) => colour === "rgb(0, 0, 0)")).toEqual([]);
    expect((await page.locator(".whole-session text").allTextContents()).at(0)).toBe("now");
    await expect.poll(() => told(page)).toMatch(/^now .+ up to now$/);
  });

  it("Panel: keys go from moment to moment, each is read out, and Enter leads to its call", async () => {
    const page = await windows.openAt(line, `#/session/${DENIED}`, ".whole-session svg text");
    await slider(page).focus();
    const newest = await valueOf(page, "max");
    expect(await valueOf(page)).toBe(newest);
    await page.keyboard.press("Home");
    await expect.poll(() => valueOf(page)).toBe(0);
    await page.keyboard.press("PageDown");
    const words = /version \d+.*: request “Find out why the total is off by a cent/;
    await expect.poll(() => slider(page).getAttribute("aria-valuetext")).toMatch(words);
    expect(await told(page)).toContain("request “Find out why");
    expect(await page.locator(".call").count()).toBe(0);
    for (let n = 0; n < newest; n += 1) {
      if ((await slider(page).getAttribute("aria-valuetext"))?.includes("call 1, Bash") === true) break;
      await page.keyboard.press("ArrowRight");
    }
    await page.keyboard.press("Enter");
    await expect.poll(() => page.url()).toMatch(/rounding\/r1-call-1/);
    await page.locator(".call[aria-current=true]").waitFor();
    await page.locator(".whole-session rect.chosen").waitFor({ state: "attached" });
    await slider(page).focus();
    await page.keyboard.press("End");
    await expect.poll(() => told(page)).toMatch(/^now /);
  });

  it("Panel: whoever draws along the line goes through its moments, and back to now at its end", async () => {
    const page = await windows.openAt(line, `#/session/${DENIED}`, ".whole-session svg text");
    const calls = await page.locator(".call").count();
    const { x = 0, y = 0, width = 0 } = (await slider(page).boundingBox()) ?? {};
    await page.mouse.move(x + width - 2, y + 20);
    await page.mouse.down();
    await page.mouse.move(x + 40, y + 20, { steps: 5 });
    await expect.poll(() => told(page)).toMatch(/^then /);
    await page.mouse.move(x - 5, y + 20, { steps: 5 });
    await expect.poll(() => valueOf(page)).toBe(0);
    expect(await page.locator(".call").count()).toBe(0);
    await page.mouse.move(x + width + 20, y + 20, { steps: 5 });
    await page.mouse.up();
    await expect.poll(() => told(page)).toMatch(/^now /);
    expect(await page.locator(".call").count()).toBe(calls);
    await expect.poll(() => page.url()).toMatch(/rounding$/);
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
    const { x = 0, y = 0, width = 0 } = (await slider(page).boundingBox()) ?? {};
    // Each mark is three pixels wide, and says its calls where one points at its middle.
    const said = new Set<string>();
    let calls = 0;
    for (let column = 0; column < width; column += 3) {
      await page.mouse.move(x + column + 1, y + 30);
      const pointed = page.locator(".whole-session .pointed");
      if (!(await pointed.isVisible())) continue;
      const mark = (await pointed.getAttribute("x")) ?? "";
      if (said.has(mark)) continue;
      said.add(mark);
      const words = (await told(page)) ?? "";
      const many = /: ([\d,]+) calls · /.exec(words)?.[1];
      if (many !== undefined) calls += Number(many.replace(",", ""));
      else if (words.includes(": Bash ")) calls += 1;
    }
    expect(said.size).toBeLessThanOrEqual(width / 3 + 20);
    expect(calls).toBe(CALLS);
  }, 120_000);
});
