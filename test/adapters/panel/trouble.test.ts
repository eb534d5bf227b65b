// Panel: trouble
// What does not work stands on every view for as long as it lasts: what it is, and what to do.

import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { findingsOn, withAxe } from "../../support/panel/axe.ts";
import { asked, servedForEach, windowsForAll } from "../../support/panel/for-tests.ts";
import { MemoryOutlet } from "../../support/engine/memory-outlet.ts";
import { RefusedError, RetryableError } from "../../../runtime/errors/errors.ts";
import { shoot } from "../../support/panel/page.ts";
import { event } from "../../support/http/served.ts";

const windows = windowsForAll();
let outlet: MemoryOutlet;
const engine = servedForEach(asked({ tool: "Bash", toolUseId: "t1", input: { command: "ls" } }), () => ({
  outlet: (outlet = new MemoryOutlet()),
}));

/** Makes another change, which the outlet is asked to take. */
const move = (id: string) => engine.now.post("/v1/events", event("request.created", { requestId: id }));
const status = (page: Page) => page.locator('.troubles[role="status"]');

/** The answers that something else stands before, or that are out of sight. */
const coveredOn = (page: Page): Promise<readonly string[]> =>
  page.evaluate(`[...document.querySelectorAll(".answers .actions button")].filter((button) => {
    const { x, y, width, height } = button.getBoundingClientRect();
    return [0.1, 0.9].some((part) => !button.contains(document.elementFromPoint(x + width / 2, y + height * part)));
  }).map(({ textContent }) => textContent)`);

describe("the panel: trouble", () => {
  it("G20: a trouble that begins is shown on every view with what to do, and disappears when it is over", async () => {
    const page = await windows.open(engine.standing);
    await page.locator(".card.open").waitFor();
    expect(await status(page).textContent()).toBe("");
    const top = async () => (await page.locator(".card.open").boundingBox())?.y;
    const before = await top();
    outlet.refuse(
      new RefusedError("NATS_FORBIDDEN", "The secret server refuses.", "Let the engine publish."),
    );
    await move("r1");
    await page.locator(".troubles p").waitFor();
    expect(await top()).toBe(before);
    const said = await status(page).textContent();
    expect(said).toMatch(
      /^The engine cannot publish the state changes of 1 sessions? \(NATS_FORBIDDEN\).*Let the engine publish\. Since /,
    );
    expect(said).not.toContain("secret");
    for (const [address, sign] of [
      ["#/overview", ".counts"],
      ["#/session/shop/s1", ".call"],
      ["#/machine/shop/s1/approval/a1", ".state.lit"],
      ["#/inbox", ".card.open"],
    ] as const) {
      await page.goto(`/${address}`);
      await page.locator(sign).first().waitFor();
      expect(await page.locator(".troubles p").isVisible()).toBe(true);
    }
    outlet.refuse(undefined);
    await expect
      .poll(
        async () => {
          engine.now.clock.advance(1_000);
          return status(page).textContent();
        },
        { timeout: 20_000 },
      )
      .toBe("");
  });

  it.each([1280, 800, 390])(
    "G20: at %i px, light and dark, axe finds nothing, nothing is wider than the screen, and no answer is covered",
    async (width) => {
      outlet.refuse(
        new RetryableError("NATS_UNAVAILABLE", "Away.", "Start the NATS server, or wait.", 1_000),
      );
      await move("r1");
      const page = await windows.open(engine.standing, {
        viewport: { width, height: 844 },
        reducedMotion: "reduce",
      });
      await withAxe(page);
      await expect
        .poll(
          async () => {
            engine.now.clock.advance(1_000);
            return page.locator(".troubles .failure").count();
          },
          { timeout: 30_000 },
        )
        .toBe(1);
      for (const [name, address, sign] of [
        ["inbox", "#/inbox/shop/a1", ".card.open .consequence"],
        ["overview", "#/overview", ".counts"],
      ] as const) {
        await page.goto(`/?${name}${address}`);
        await page.locator(sign).first().waitFor();
        await page.locator(".troubles .failure").waitFor();
        for (const colorScheme of ["light", "dark"] as const) {
          await page.emulateMedia({ colorScheme });
          await shoot(page, `trouble-${name}-${colorScheme}-${width}`);
          expect.soft(await findingsOn(page)).toEqual([]);
          expect.soft(await page.evaluate<number>("document.documentElement.scrollWidth")).toBe(width);
        }
        for (const height of [844, 480]) {
          await page.setViewportSize({ width, height });
          await expect.poll(() => coveredOn(page)).toEqual([]);
        }
      }
    },
    90_000,
  );
});
