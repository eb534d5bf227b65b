// Panel: reflow
// Every view enlarged to 200 % and to 400 %, and under a finger: nothing cut, nothing beside the screen, nothing too
// small to touch.

import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { lineForAll, windowsForAll } from "../../support/panel/for-tests.ts";
import { ASKING, DENIED, playOdd, playRefused, playSessions } from "../../support/panel/sessions.ts";

const windows = windowsForAll();
const line = lineForAll(playSessions, playOdd, playRefused, (played) =>
  played.send("/v1/rules", {
    ...{ workspace: "shop-4f2a91", tool: "Bash", effect: "allow", note: "The tests are harmless." },
    match: { kind: "prefix", text: "npm test" },
  }),
);

/** By name: the address, and what is there once the view is. */
const VIEWS = {
  inbox: ["#/inbox/q3", ".card.open .consequence"],
  "odd inbox": ["#/inbox/odd-3", ".card.open .consequence"],
  session: [`#/session/${DENIED}`, ".call.taken"],
  call: [`#/session/${ASKING}/r2-call-4`, ".details .fields"],
  machine: [`#/machine/${DENIED}/call/r1-call-2`, ".state.lit"],
  overview: ["#/overview", ".series svg rect"],
  rules: ["#/rules", ".rules tbody tr"],
  answers: ["#/answers", ".answers .wide tbody tr"],
  letters: ["#/letters", ".letter"],
  nowhere: ["#/session/w/nobody", "[role=alert]"],
} as const;

async function each(page: Page, look: (name: string) => Promise<void>): Promise<void> {
  for (const [name, [address, sign]] of Object.entries(VIEWS)) {
    await page.goto(`/?${encodeURIComponent(name)}${address}`);
    await page.locator(sign).first().waitFor();
    await look(name);
  }
}

/** Texts that end beyond their box without a sign of it, and boxes beyond the screen that nothing scrolls. */
const CUT = `(() => {
  const isScrolled = (it) => {
    for (let up = it; up && up !== document.body; up = up.parentElement)
      if (/auto|scroll/.test(getComputedStyle(up).overflowX)) return true;
    return false;
  };
  const found = [];
  for (const it of document.querySelectorAll("body *")) {
    if (it.closest("svg, .unseen") || !it.checkVisibility() || it.clientWidth <= 1) continue;
    const { right, left, width } = it.getBoundingClientRect();
    const name = it.tagName.toLowerCase() + "." + it.className;
    if (width > 0 && (right > innerWidth + 1 || left < -1) && !isScrolled(it)) found.push("beside: " + name);
    const { overflowX, textOverflow, display } = getComputedStyle(it);
    if (/hidden|clip/.test(overflowX) && textOverflow !== "ellipsis" && display !== "inline" && it.scrollWidth > it.clientWidth + 1)
      found.push("cut: " + name + " " + it.textContent.slice(0, 40));
  }
  return [...new Set(found)];
})()`;

/** What can be touched and is smaller than a finger; a link within a sentence is as high as its line. */
const SMALL = `[...document.querySelectorAll("button, select, summary, input, textarea, [role=slider], nav a, a.chip, a.figure, a.letters-link, a.brand, a.where, .place a")]
  .filter((it) => it.checkVisibility() && !it.disabled)
  .flatMap((it) => {
    // A box to tick is as large as the label around it.
    const { width, height } = (it.closest("label") ?? it).getBoundingClientRect();
    const most = Math.max(height, it.getBoundingClientRect().height);
    return width === 0 || (most >= 43.5 && width >= 24) ? [] : [it.tagName + "." + it.className + " " + (it.textContent || it.getAttribute("aria-label")) + " " + Math.round(width) + "x" + Math.round(most)];
  })`;

describe("the panel: reflow", () => {
  it.each([
    [200, 640, 450],
    [400, 320, 256],
  ])(
    "Panel: a window of 1280 px at %i %% has every view without cutting or sideways scrolling",
    async (_, width, height) => {
      const page = await windows.open(line, { viewport: { width, height }, reducedMotion: "reduce" });
      await each(page, async (name) => {
        expect
          .soft([name, await page.evaluate<number>("document.documentElement.scrollWidth")])
          .toEqual([name, width]);
        expect.soft([name, await page.evaluate<readonly string[]>(CUT)]).toEqual([name, []]);
      });
    },
    120_000,
  );

  it("Panel: what is touched is at least 44 px high, in every view", async () => {
    const page = await windows.open(line, {
      ...{ viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true, reducedMotion: "reduce" },
    });
    await each(page, async (name) => {
      expect.soft([name, await page.evaluate<readonly string[]>(SMALL)]).toEqual([name, []]);
    });
  });
});
