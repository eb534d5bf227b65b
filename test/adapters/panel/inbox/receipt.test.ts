// Panel: the receipt
// Whoever answers sees how far the answer gets; who comes too late, who won; everybody, what ran all the same.

import { describe, expect, it } from "vitest";
import { chooseNext } from "../../../support/panel/choose.ts";
import { lineForEach, windowsForAll } from "../../../support/panel/for-tests.ts";

const windows = windowsForAll();
const call = { toolUseId: "t1", tool: "Bash", input: { command: "make deploy" } };
const line = lineForEach((line) =>
  line.emit(
    "w/s",
    ["session.started", { title: "Deploy" }],
    ["request.created", { requestId: "r1" }],
    ["request.processing", { requestId: "r1" }],
    ["tool.announced", { ...call, requestId: "r1" }],
    ["approval.requested", { ...call, requestId: "r1", approvalId: "a1" }],
  ),
);

describe("the panel: the receipt of an answer", () => {
  it("Panel, C6: sent, committed, taken, confirmed: each as it comes; another window is told who won, and where", async () => {
    const page = await windows.open(line);
    const other = await windows.open(line);
    await other.locator(".card.open").waitFor();
    await chooseNext(page);
    await page.keyboard.press("a");
    const reached = () => page.locator(".card .steps .reached").count();
    await expect.poll(reached).toBe(2);
    await expect
      .poll(() => other.locator(".card .reason").textContent())
      .toMatch(/^Approved by .+ \(panel\)\.$/);
    await line.emit("w/s", ["approval.taken", { approvalId: "a1", by: "bot" }]);
    await expect.poll(reached).toBe(3);
    await line.emit("w/s", ["tool.finished", { ...call, output: "done" }]);
    await expect.poll(reached).toBe(4);
    expect(await page.locator(".alarms").count()).toBe(0);
  });

  it("Panel, C7: a call that ran though it was denied is said on its card, counted in the header, and found from there", async () => {
    const page = await windows.open(line);
    await chooseNext(page);
    await page.keyboard.press("d");
    await page.locator("textarea").fill("no");
    await page.keyboard.press("Control+Enter");
    await page.locator(".card.committed").waitFor();
    await line.emit("w/s", ["tool.finished", { ...call, output: "done" }]);
    await page.getByText("Denied, but the agent ran the call anyway.").first().waitFor();
    await expect.poll(() => page.locator(".alarms summary").textContent()).toBe("1 alarm");
    await page.locator(".alarms summary").click();
    await page.locator(".alarms a").click();
    await expect.poll(() => page.url()).toContain("t1");
    await page.getByText("ran though it was denied").last().waitFor();
  });
});
