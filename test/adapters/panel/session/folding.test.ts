// Panel: folded subagents
// A subagent with many calls is one row until somebody unfolds it: by its button, by a key, by what is looked for.

import type { Page } from "playwright-core";
import { beforeEach, describe, expect, it } from "vitest";
import { lineForEach, windowsForAll } from "../../../support/panel/for-tests.ts";

const windows = windowsForAll();
const BELOW = 20;

const call = (n: number) => ({
  ...{ requestId: "r", agentId: "reader", parentToolUseId: "review", toolUseId: `sub-${n}`, tool: "Read" },
  input: { file_path: `/home/you/shop/src/part${n}.ts` },
});
const review = { requestId: "r", toolUseId: "review", tool: "Task", input: { description: "Review it all" } };
const last = { requestId: "r", toolUseId: "last", tool: "Bash", input: { command: "npm test" } };

const line = lineForEach(async (line) => {
  await line.emit(
    "w/many",
    ["session.started", { title: "Many below", cwd: "/home/you/shop" }],
    ["request.created", { requestId: "r", prompt: "Review it" }],
    ["request.processing", { requestId: "r" }],
    ["tool.announced", { ...review, messageId: "m1" }],
    ["tool.started", review],
    ...Array.from({ length: BELOW }, (_, n) => call(n)).flatMap((each) => [
      ["tool.announced", { ...each, messageId: "m2" }] as const,
      ["tool.started", each] as const,
      each.toolUseId === "sub-4"
        ? (["tool.failed", { ...each, error: "no such file" }] as const)
        : (["tool.finished", { ...each, output: "" }] as const),
    ]),
    ["tool.announced", { ...last, messageId: "m3" }],
    ["tool.started", last],
  );
});

const rows = (page: Page): Promise<number> => page.locator(".call").count();

describe("the panel: folded subagents", () => {
  let page: Page;
  beforeEach(async () => {
    page = await windows.openAt(line, "#/session/w/many", ".call");
  });

  it("Panel, FOLDS-1: many calls of a subagent are one row with their figures, and a press or a key shows them", async () => {
    expect(await rows(page)).toBe(2);
    const below = page.locator(".below");
    expect(await below.textContent()).toBe("20 calls of its subagent · 1 failed");
    expect(await page.locator("caption").first().textContent()).toBe("batch 1 · 1 call · 20 of subagents");
    await below.click();
    await expect.poll(() => rows(page)).toBe(2 + BELOW);
    expect(await below.getAttribute("aria-expanded")).toBe("true");
    await page.keyboard.press("f");
    await expect.poll(() => rows(page)).toBe(2);
    // By keys alone: the first row is chosen, and unfolded.
    await page.keyboard.press("j");
    await page.keyboard.press("f");
    await expect.poll(() => rows(page)).toBe(2 + BELOW);
    await page.keyboard.press("j");
    await expect.poll(() => page.locator(".call[aria-current=true] .input").textContent()).toMatch(/part0/);
    // Folding from inside leads to the call above.
    await page.keyboard.press("f");
    await expect.poll(() => rows(page)).toBe(2);
    await expect.poll(() => page.locator(".call[aria-current=true] th a").textContent()).toBe("Task");
  });

  it("Panel, FOLDS-2: a call that is linked to, looked for or waits for a person is shown where it is", async () => {
    await page.goto("/?linked#/session/w/many/sub-7");
    await page.locator(".call[aria-current=true]").waitFor();
    expect(await rows(page)).toBe(2 + BELOW);
    await page.goto("/?sought#/session/w/many");
    await page.getByRole("searchbox").fill("part1.ts");
    await expect.poll(() => rows(page)).toBe(2);
    expect(await page.locator(".call .input").allTextContents()).toContain("/home/you/shop/src/part1.ts");
    await page.getByRole("searchbox").fill("");
    await expect.poll(() => page.locator(".below").count()).toBe(1);
    const asks = { ...call(BELOW), approvalId: "q" };
    await line.emit("w/many", ["tool.announced", { ...call(BELOW), messageId: "m4" }]);
    await line.emit("w/many", ["approval.requested", { ...asks, channel: "gateway" }]);
    await page.locator(".call.asking").waitFor();
    expect(await page.locator(".below").textContent()).toBe(
      "21 calls of its subagent · 1 waiting for you · 1 failed",
    );
  });
});
