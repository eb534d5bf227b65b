// Panel: trouble
// What does not work stands on every view for as long as it lasts: what it is, and what to do.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { MemoryOutlet } from "../../../adapters/memory/index.ts";
import { RefusedError, RetryableError } from "../../../runtime/errors.ts";
import { shoot, Windows } from "../../support/panel/page.ts";
import { event, serve, type Served, TOKEN } from "../../support/http/served.ts";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

let windows: Windows;
let served: Served;
let outlet: MemoryOutlet;
beforeAll(async () => {
  windows = await Windows.start();
}, 180_000);
afterAll(() => windows.close());
beforeEach(async () => {
  outlet = new MemoryOutlet();
  served = await serve({ outlet });
  const about = { tool: "Bash", toolUseId: "t1", input: { command: "ls" } };
  for (const [type, data] of [
    ["tool.started", about],
    ["approval.requested", { ...about, approvalId: "a1" }],
  ] as const)
    expect((await served.post("/v1/events", event(type, data))).status).toBe(200);
});
afterEach(async () => {
  await served.stop();
  expect(windows.troubles.splice(0)).toEqual([]);
});

/** Makes another change, which the outlet is asked to take. */
const move = (id: string) => served.post("/v1/events", event("request.created", { requestId: id }));
const status = (page: Page) => page.locator('.troubles[role="status"]');

describe("the panel: trouble", () => {
  it("D10: a trouble that begins is shown on every view with what to do, and is gone when it is over", async () => {
    const page = await windows.open({ url: served.url, token: TOKEN });
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
      /^The state changes of 1 sessions? do.* not leave \(NATS_FORBIDDEN\).*Let the engine publish\. Since /,
    );
    expect(said).not.toContain("secret");
    for (const [address, sign] of [
      ["#/overview", ".counts"],
      ["#/session/shop/s1", ".call"],
      ["#/machine/shop/s1/approval/a1", ".state.lit"],
      ["#/inbox", ".card.open"],
    ] as const) {
      await page.goto(`${served.url}/${address}`);
      await page.locator(sign).first().waitFor();
      expect(await page.locator(".troubles p").isVisible()).toBe(true);
    }
    outlet.refuse(undefined);
    await expect
      .poll(
        async () => {
          served.clock.advance(1_000);
          return status(page).textContent();
        },
        { timeout: 20_000 },
      )
      .toBe("");
  }, 60_000);

  it.each([1280, 390])(
    "D10: at %i px, light and dark, axe finds nothing serious and nothing is wider than the screen",
    async (width) => {
      outlet.refuse(
        new RetryableError("NATS_UNAVAILABLE", "Away.", "Start the NATS server, or wait.", 1_000),
      );
      await move("r1");
      const page = await windows.open(
        { url: served.url, token: TOKEN },
        { viewport: { width, height: 844 }, reducedMotion: "reduce" },
      );
      await page.context().addInitScript(AXE);
      await expect
        .poll(
          async () => {
            served.clock.advance(1_000);
            return page.locator(".troubles .failure").count();
          },
          { timeout: 30_000 },
        )
        .toBe(1);
      for (const [name, address, sign] of [
        ["inbox", "#/inbox", ".card.open .consequence"],
        ["overview", "#/overview", ".counts"],
      ] as const) {
        await page.goto(`${served.url}/?${name}${address}`);
        await page.locator(sign).first().waitFor();
        await page.locator(".troubles .failure").waitFor();
        for (const colorScheme of ["light", "dark"] as const) {
          await page.emulateMedia({ colorScheme });
          await shoot(page, `trouble-${name}-${colorScheme}-${width}`);
          const found = await page.evaluate<{ violations: readonly { id: string; impact: string }[] }>(
            'axe.run({ resultTypes: ["violations"] })',
          );
          const grave = found.violations.filter(
            ({ impact }) => impact === "serious" || impact === "critical",
          );
          expect.soft(grave.map(({ id }) => id)).toEqual([]);
          expect.soft(await page.evaluate<number>("document.documentElement.scrollWidth")).toBe(width);
        }
      }
    },
    90_000,
  );
});
