// Panel: what happens now
// The sentence at the top of a session's page, as it changes with the session, and at a past moment.

import { describe, expect, it } from "vitest";
import { lineForEach, windowsForAll } from "../../../support/panel/for-tests.ts";
import { NESTED, playNested } from "../../../support/panel/nested.ts";

const windows = windowsForAll();
const line = lineForEach(playNested);

describe("the panel: what happens now", () => {
  it("Panel, NOW-1: one sentence says what waits, what runs and what was last, and leads to its call", async () => {
    const page = await windows.openAt(line, `#/session/${NESTED}`, ".happening");
    const told = async (): Promise<string> => (await page.locator(".happening").textContent()) ?? "";
    await expect.poll(told).toMatch(/^Now Bash npm test -- empty-cart waits for you for \d+ (s|min)$/);
    const run = { parentToolUseId: "try", requestId: "r1", toolUseId: "run", tool: "Bash" };
    const input = { command: "npm test -- empty-cart" };
    await line.emit(NESTED, ["approval.answered", { approvalId: "q-run", decision: "approve", by: "ann" }]);
    await expect.poll(told).toMatch(/^Now Bash npm test -- empty-cart runs for /);
    await page.locator(".happening a").click();
    await page.locator(".details").waitFor();
    expect(await page.locator(".call[aria-current=true] .input").textContent()).toBe(input.command);
    await line.emit(NESTED, ["tool.finished", { ...run, input, output: "fine" }]);
    await expect.poll(told).toMatch(/^Now Task Try it with an empty cart runs for /);
    await line.emit(NESTED, ["request.completed", { requestId: "r1", output: "Done." }]);
    await expect.poll(told).toMatch(/^Now Nothing runs\. The last request, “Review the change.+”: Completed/);
    await page.keyboard.press("[");
    await expect.poll(told).toMatch(/^Then /);
  });
});
