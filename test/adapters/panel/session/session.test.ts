// Panel: a session in figures
// What its calls took and how many failed; and the page's theme.

import { describe, expect, it } from "vitest";
import { lineForAll, windowsForAll } from "../../../support/panel/for-tests.ts";
import { ASKING, DENIED, playSessions } from "../../../support/panel/sessions.ts";

const windows = windowsForAll();
const line = lineForAll(playSessions);

describe("the panel: a session in figures", () => {
  it("Panel: calls and failures are counted, and each tool says what it took", async () => {
    const page = await windows.openAt(line, `#/session/${ASKING}`, ".summary");
    const summary = page.locator(".summary > summary");
    expect(await summary.textContent()).toBe("4 calls · 1 of 2 that ran failed (50 %)");
    await summary.click();
    const rows = await page.locator(".summary tbody tr").allInnerTexts();
    const cells = rows.map((row) => row.split("\t").map((each) => each.trim()));
    expect(cells).toEqual([
      ["WebFetch", "1", "1 (100 %)", "0.2 s", "0.2 s", "0.2 s"],
      ["Read", "1", "none", "12 ms", "12 ms", "12 ms"],
      ["Task", "1", "none", "–", "–", "–"],
      ["Write", "1", "none", "–", "–", "–"],
    ]);
  });

  it("Panel: a row says why and what; engine words are folded away", async () => {
    const page = await windows.openAt(line, `#/session/${DENIED}/r1-call-1`, ".details .changes li");
    const row = page.locator(".call").first();
    expect(await row.locator(".why").textContent()).toBe("Run the cart's tests");
    expect(await row.locator(".input").textContent()).toBe("npm test -- cart");
    const change = page.locator(".details .changes li").first();
    expect(await change.locator(".chip").first().textContent()).toBe("Completed");
    expect(await change.getByText(/version \d+/).isVisible()).toBe(false);
    await change.locator("summary").click();
    expect(await change.getByText(/version \d+/).isVisible()).toBe(true);
  });

  it("Panel: a row says how long its call ran of the time up to its result", async () => {
    const call = { requestId: "r", toolUseId: "t", tool: "Bash", input: { command: "make" } };
    await line.emit("w/slow", ["request.created", { requestId: "r" }], ["tool.started", call]);
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    await line.emit("w/slow", ["tool.finished", { ...call, output: "made", durationMs: 300 }]);
    const page = await windows.openAt(line, "#/session/w/slow", ".call .took[title]");
    const took = page.locator(".call .took");
    expect(await took.textContent()).toMatch(/^0\.3 s of [1-9]\.\d s$/);
    expect(await took.getAttribute("title")).toMatch(/^Bash · .+ · 0\.3 s of [1-9]\.\d s up to its result$/);
  });

  it("Panel: a theme that was chosen goes before the system's, also after a reload", async () => {
    const page = await windows.open(line, { colorScheme: "light" });
    const ground = () => page.evaluate<string>("getComputedStyle(document.body).backgroundColor");
    const light = await ground();
    const button = page.getByRole("button", { name: /^Theme/ });
    await button.click();
    expect(await ground()).toBe(light);
    await button.click();
    const dark = await ground();
    expect(dark).not.toBe(light);
    await page.reload();
    await page.locator(".link.live").waitFor();
    expect(await ground()).toBe(dark);
    await page.keyboard.press("Control+k");
    await page.locator(".palette input").fill("theme system");
    await page.keyboard.press("Enter");
    await page.locator(".palette").waitFor({ state: "detached" });
    expect(await ground()).toBe(light);
  });
});
