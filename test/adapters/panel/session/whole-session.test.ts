// Panel: the whole session
// One line of time over all of a session: pointed at by mouse and keys, gone along, at every width, with many calls.

import { setTimeout as sleep } from "node:timers/promises";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { findingsOn, withAxe } from "../../../support/panel/axe.ts";
import { lineForAll, windowsForAll } from "../../../support/panel/for-tests.ts";
import type { Line } from "../../../support/panel/page.ts";
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
  await playSlowly(played);
});

interface Edges {
  readonly top: number;
  readonly bottom: number;
}

interface Texted {
  readonly textContent: string | null;
}

/** An ended session, whose line stands still, of one request whose calls came a few at a time. */
async function playSlowly(played: Line): Promise<void> {
  await played.emit(
    "w/slow",
    ["request.created", { requestId: "slow" }],
    ["request.processing", { requestId: "slow" }],
  );
  for (let from = 0; from < 40; from += 5) {
    const group = Array.from({ length: 5 }, (_, n) => ({ ...call(from + n), requestId: "slow" }));
    await played.emit(
      "w/slow",
      ...group.flatMap((each) => [
        ["tool.started", { ...each, toolUseId: `slow-${each.toolUseId}` }] as const,
        ["tool.finished", { ...each, toolUseId: `slow-${each.toolUseId}`, output: "ok" }] as const,
      ]),
    );
    await sleep(100);
  }
  await played.emit("w/slow", ["request.completed", { requestId: "slow" }], ["session.ended", {}]);
}

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
    // Before the first request there is a pause if the session began a millisecond earlier.
    const { x: bands = 0 } =
      (await page.locator(".whole-session path.of-request").first().boundingBox()) ?? {};
    const { x: left = 0 } = (await slider(page).boundingBox()) ?? {};
    const position = { x: bands - left + 4, y: 4 };
    await slider(page).hover({ position });
    await expect.poll(() => told(page)).toMatch(/request “Find out why/);
    await slider(page).click({ position });
    await expect
      .poll(() => page.evaluate("document.activeElement.closest('[data-request]')?.dataset.request"))
      .toBe("r1");
    await page.mouse.move(0, 0);
    await expect.poll(() => told(page)).toMatch(/ in all$| up to now$/);
  });

  it("WHOLE-SIGHT-1: it marks which calls are on the screen and says so, while they are scrolled and by keys", async () => {
    const viewport = { width: 1024, height: 844 };
    const page = await windows.openAt(line, "#/session/w/slow", "path.in-sight[d]:not([d=''])", {
      viewport,
    });
    const { items } = await line.read<{
      items: readonly { id: string; startedAt: number; closedAt: number }[];
    }>("/v1/sessions/slow/tool-calls?limit=200");
    const timesOf = new Map(items.map((each) => [`echo ${each.id.slice("slow-busy-".length)}`, each]));
    const clock = (at: number) => new Date(at).toLocaleTimeString("en-US");
    const strip = page.locator(".whole-session");
    /** The calls whose rows are below the line and within the window. */
    const rowsInSight = async () => {
      const { y = 0, height = 0 } = (await strip.boundingBox()) ?? {};
      const rows = await page.locator(".call").evaluateAll(
        (
          all: readonly {
            getBoundingClientRect(): Edges;
            querySelector(of: string): Texted | null;
          }[],
        ) =>
          all.map((row) => {
            const { top, bottom } = row.getBoundingClientRect();
            return { middle: (top + bottom) / 2, text: row.querySelector(".input")?.textContent ?? "" };
          }),
      );
      return rows.filter(({ middle }) => middle > y + height && middle < viewport.height);
    };
    const agrees = async () => {
      const own = (await rowsInSight()).flatMap(({ text }) => timesOf.get(text) ?? []);
      const from = Math.min(...own.map(({ startedAt }) => startedAt));
      const to = Math.max(...own.map(({ closedAt }) => closedAt));
      const words = `On the screen: ${own.length} calls from ${clock(from)} to ${clock(to)}.`;
      return words === (await page.locator("#in-sight").textContent());
    };
    const left = async () => (await page.locator("path.in-sight").boundingBox())?.x ?? NaN;
    await expect.poll(agrees).toBe(true);
    expect(await slider(page).getAttribute("aria-describedby")).toBe("in-sight");
    const before = await left();
    await page.mouse.move(500, 700);
    await page.mouse.wheel(0, 800);
    await expect.poll(left).toBeGreaterThan(before);
    await expect.poll(agrees).toBe(true);
    // The line stays in sight, and hides no row that the keys choose.
    for (let n = 0; n < 12; n += 1) await page.keyboard.press("k");
    const chosen = page.locator(".call[aria-current=true]");
    await chosen.waitFor();
    const { y = 0, height = 0 } = (await strip.boundingBox()) ?? {};
    expect(y).toBeGreaterThan(0);
    expect((await chosen.boundingBox())?.y).toBeGreaterThanOrEqual(y + height - 1);
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
  });
});
