// Panel: charts
// What the overview shows over time: read with the mouse, with keys and as a table, over the range in the address.

import { setTimeout } from "node:timers/promises";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { findingsOn, withAxe } from "../../../support/panel/axe.ts";
import { lineForAll, windowsForAll } from "../../../support/panel/for-tests.ts";
import type { Line } from "../../../support/panel/page.ts";

const windows = windowsForAll();
const call = (n: number) => ({
  requestId: "r",
  toolUseId: `t${n}`,
  tool: "Bash",
  input: { command: `${n}` },
});

/** Four calls that completed, one that failed, one that was denied, one that waits. */
const line = lineForAll(async (played: Line) => {
  await played.emit(
    "shop/s",
    ["session.started", { title: "Shop" }],
    ["request.created", { requestId: "r", prompt: "Do it" }],
    ["request.processing", { requestId: "r" }],
    ...[1, 2, 3, 4].flatMap((n) => [
      ["tool.started", call(n)] as const,
      ["tool.finished", { ...call(n), output: "ok" }] as const,
    ]),
    ["tool.started", call(5)],
    ["tool.failed", { ...call(5), error: "no" }],
    ["tool.started", call(6)],
    ["approval.requested", { ...call(6), approvalId: "a6" }],
  );
  // An answer in the millisecond of its question took no time.
  await setTimeout(20);
  await played.emit("shop/s", [
    "approval.answered",
    { ...call(6), approvalId: "a6", decision: "deny", by: "somebody" },
  ]);
  await played.emit(
    "shop/other",
    ["tool.started", call(7)],
    ["approval.requested", { ...call(7), approvalId: "a7" }],
  );
});

const chart = (page: Page, title: string) =>
  page.locator("figure.series", { has: page.getByRole("heading", { name: title, exact: true }) });

describe("the panel: charts", () => {
  it("Panel: calls that ended stand in columns by their end, on an axis of time and one of numbers", async () => {
    const page = await windows.openAt(line, "#/overview", ".series svg rect.completed");
    const ended = chart(page, "Calls that ended");
    for (const look of ["completed", "failed", "denied"])
      expect(await ended.locator(`svg rect.${look}`).count()).toBe(1);
    expect(await ended.locator("svg rect.unreported").count()).toBe(0);
    const marks = await ended.locator("svg text").allTextContents();
    expect(marks.filter((mark) => /^\d+$/.test(mark))).toEqual(["0", "2", "4", "6"]);
    expect(marks.filter((mark) => /^\d\d?:\d\d/.test(mark)).length).toBeGreaterThan(2);
    expect(await ended.locator(".read-out").textContent()).toBe("6 in the last 1 h");
    await chart(page, "Waiting for you").getByText("1 now, at most 1").waitFor();
    expect(windows.troubles).toEqual([]);
  });

  it("Panel: the mouse, and the keyboard alone, read an interval's numbers out in all charts", async () => {
    const page = await windows.openAt(line, "#/overview", ".series svg rect.completed");
    const [ended, answers] = [chart(page, "Calls that ended"), chart(page, "Time to answer")];
    const column = await ended.locator("svg rect.completed").boundingBox();
    await page.mouse.move((column?.x ?? 0) + 1, (column?.y ?? 0) + 1);
    const told = /^\d\d?:\d\d.*: 4 completed, 1 failed, 1 denied$/;
    await expect.poll(() => ended.locator(".read-out").textContent()).toMatch(told);
    expect(await answers.locator(".read-out").textContent()).toMatch(
      /: [\d.]+ m?s longest, [\d.]+ m?s average$/,
    );
    await page.mouse.move(0, 0);
    await expect.poll(() => ended.locator(".read-out").textContent()).toBe("6 in the last 1 h");
    const slider = page.getByRole("slider", { name: "Calls that ended, by time" });
    await slider.focus();
    // What ended did so in the newest minute, or in the one before it by now.
    await page.keyboard.press("End");
    for (let n = 0; n < 5; n += 1) {
      if (told.test((await slider.getAttribute("aria-valuetext")) ?? "")) break;
      await page.keyboard.press("ArrowLeft");
    }
    expect(await slider.getAttribute("aria-valuetext")).toMatch(told);
    expect(await ended.locator("svg rect.pointed").count()).toBe(1);
    await page.keyboard.press("Home");
    expect(await slider.getAttribute("aria-valuenow")).toBe("0");
    expect(await slider.getAttribute("aria-valuetext")).toMatch(/: none$/);
    await page.keyboard.press("ArrowLeft");
    expect(await slider.getAttribute("aria-valuenow")).toBe("0");
  });

  it("Panel: the looks of these charts reach no statechart", async () => {
    const page = await windows.openAt(line, "#/machine/shop/s/call/t1", ".state.lit");
    const fills = await page.evaluate<readonly string[]>(
      `[...document.querySelectorAll(".chart rect")].map((it) => getComputedStyle(it).fill)`,
    );
    expect(fills.length).toBeGreaterThan(3);
    expect(fills).not.toContain("rgb(0, 0, 0)");
  });

  it("Panel: the range is in the address, survives a reload, and changes the intervals", async () => {
    const page = await windows.openAt(line, "#/overview", ".series svg rect.completed");
    const ranges = page.getByRole("group", { name: "How far back" });
    const chosen = () => ranges.locator("[aria-pressed=true]").allTextContents();
    expect(await chosen()).toEqual(["1 h"]);
    const slider = page.getByRole("slider").first();
    for (const [name, span, most] of [
      ["24 h", "24h", 95],
      ["6 h", "6h", 71],
      ["15 min", "15m", 14],
    ] as const) {
      await ranges.getByRole("button", { name }).click();
      await expect.poll(() => slider.getAttribute("aria-valuemax")).toBe(String(most));
      expect(new URL(page.url()).hash).toBe(`#/overview?range=${span}`);
    }
    await page.reload();
    await page.locator(".series svg rect.completed").waitFor();
    expect(await chosen()).toEqual(["15 min"]);
    expect(await slider.getAttribute("aria-valuemax")).toBe("14");
  });

  it("Panel: the same numbers are in a table, and axe finds nothing in any of it", async () => {
    const page = await windows.open(line, { reducedMotion: "reduce" });
    await withAxe(page);
    await page.goto("/?again#/overview");
    await page.locator(".series svg rect.completed").waitFor();
    await page.getByText("Show as a table").click();
    const rows = page.getByRole("region", { name: "Over time, as a table" }).locator("tbody tr");
    await expect.poll(() => rows.count()).toBe(60);
    const cells = await rows.locator("td").allTextContents();
    const sums = [0, 1, 2, 3].map((column) =>
      cells.filter((_, n) => n % 8 === column).reduce((sum, cell) => sum + Number(cell), 0),
    );
    expect(sums).toEqual([4, 1, 1, 0]);
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await findingsOn(page)).toEqual([]);
    }
  });
});
