// Panel: every view
// Each view in light and dark, on a wide screen and on a narrow one: readable by everybody, and never wider than the screen.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Line, shoot, Windows } from "../support/panel.ts";
import { ASKING, DENIED, playSessions } from "../support/panel-sessions.ts";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

let windows: Windows;
let line: Line;
beforeAll(async () => {
  windows = await Windows.start();
  line = await Line.start();
  await playSessions(line);
}, 180_000);
afterAll(async () => {
  await windows.close();
  await line.stop();
});

/** By name: the address, and what is there once the view is. */
const VIEWS = {
  inbox: ["#/", ".card.open .consequence"],
  session: [`#/session/${DENIED}`, ".call.taken"],
  call: [`#/session/${DENIED}/r1-call-2`, ".details .fields"],
  subagent: [`#/session/${ASKING}`, ".call.asking"],
  machine: [`#/machine/${DENIED}/call/r1-call-2`, ".state.lit"],
  request: [`#/machine/${DENIED}/request/r1`, ".state.lit"],
  overview: ["#/overview", ".counts"],
} as const;

interface Finding {
  readonly id: string;
  readonly impact: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
}

/** Serious and critical findings of axe, as text. */
async function findingsOn(page: Page): Promise<readonly string[]> {
  const { violations } = await page.evaluate<{ violations: readonly Finding[] }>("axe.run()");
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(
      ({ id, nodes }) =>
        `${id}: ${nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`).join("\n")}`,
    );
}

const LOOKS = (["light", "dark"] as const).flatMap((colorScheme) =>
  [1280, 390].map((width) => ({ colorScheme, width })),
);

describe("the panel: every view", () => {
  it.each(LOOKS)(
    "panel 1–4: $colorScheme at $width px, nothing serious found by axe and no sideways scrolling",
    async ({ colorScheme, width }) => {
      const page = await windows.open(line, {
        colorScheme,
        viewport: { width, height: width < 600 ? 844 : 900 },
        reducedMotion: "reduce",
      });
      await page.context().addInitScript(AXE);
      for (const [name, [address, sign]] of Object.entries(VIEWS)) {
        await page.goto(`${line.url}/${address}`);
        await page.reload();
        await page.locator(sign).first().waitFor();
        await page.locator(".link.live").waitFor();
        await shoot(page, `${name}-${colorScheme}-${width}`);
        expect.soft([name, await findingsOn(page)]).toEqual([name, []]);
        const wide = await page.evaluate<number>("document.documentElement.scrollWidth");
        expect.soft([name, wide]).toEqual([name, width]);
      }
      expect(windows.troubles.splice(0)).toEqual([]);
      await page.context().close();
    },
  );
});
