// Panel: tenants
// Two workspaces that use the same ids for everything: the right one is shown, and answered.

import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { chooseNext, seen } from "../../../support/panel/choose.ts";
import { lineForEach, windowsForAll } from "../../../support/panel/for-tests.ts";

const windows = windowsForAll();
const line = lineForEach(async (line) => {
  for (const workspace of ["acme", "bolt"]) {
    const about = { requestId: "r1", toolUseId: "t1", tool: "Bash", input: { command: "same" } };
    await line.emit(
      `${workspace}/chat`,
      ["session.started", { title: `The chat of ${workspace}` }],
      ["request.created", { requestId: "r1" }],
      ["request.processing", { requestId: "r1" }],
      ["tool.announced", about],
      ["approval.requested", { ...about, approvalId: "a1" }],
    );
  }
});

const state = async (workspace: string): Promise<string> =>
  (await line.read<{ state: string }>(`/v1/approvals/a1?workspace=${workspace}`)).state;
const chosen = (page: Page) => page.locator(".card[aria-current=true]");
/** The title that stands above the chosen card: a session is named once. */
const titleOf = (page: Page): Promise<string | null> =>
  page
    .locator("li:has(.card[aria-current=true])")
    .locator("xpath=preceding-sibling::li[contains(@class,'group')][1]")
    .locator(".session-title")
    .textContent();

describe("the panel: two workspaces with the same ids", () => {
  it("NAME-1, G12: each has its own card; a key answers only the one shown", async () => {
    const page = await windows.open(line);
    await page.locator(".card.open").nth(1).waitFor();
    await chooseNext(page);
    // The sessions' titles are read apart from the approvals.
    await expect.poll(() => titleOf(page)).toBe("The chat of acme");
    await chooseNext(page);
    await expect.poll(() => titleOf(page)).toBe("The chat of bolt");
    await expect.poll(() => page.url()).toContain("#/inbox/bolt/a1");
    // What looks alike in another workspace is not answered with it.
    expect(await page.getByRole("button", { name: /alike/ }).count()).toBe(0);
    await page.keyboard.press("a");
    await page.locator(".card.committed").waitFor();
    expect([await state("acme"), await state("bolt")]).toEqual(["pending", "approved"]);
    expect(await page.locator(".card.open").count()).toBe(1);
    // The call of the other workspace says nothing of this answer; its own does.
    const reached = () => page.locator(".card.committed .steps .reached").count();
    const more = {
      requestId: "r1",
      toolUseId: "t2",
      tool: "Bash",
      input: { command: "more" },
      approvalId: "a2",
    };
    await line.emit("acme/chat", ["tool.finished", { tool: "Bash", toolUseId: "t1", output: "x" }]);
    await line.emit("acme/chat", ["approval.requested", more]);
    await page.getByText("more").first().waitFor();
    expect(await reached()).toBe(2);
    await line.emit("bolt/chat", ["tool.finished", { tool: "Bash", toolUseId: "t1", output: "x" }]);
    await expect.poll(reached).toBe(4);
  });

  it("NAME-1, G12, ELSEWHERE-2: an address with the workspace opens that approval; one without offers the choice", async () => {
    const page = await windows.openAt(line, "#/inbox/bolt/a1", ".card.open");
    await expect.poll(() => titleOf(page)).toBe("The chat of bolt");
    await seen(page);
    await page.keyboard.press("d");
    await page.locator("textarea").fill("not here");
    await page.keyboard.press("Control+Enter");
    await page.locator(".card.committed").waitFor();
    expect([await state("acme"), await state("bolt")]).toEqual(["pending", "denied"]);
    // The page has one of them alone, and it may be the other that was meant.
    const lost = await windows.openAt(line, "#/inbox/a1", ".elsewhere");
    expect(await lost.locator(".card.open").count()).toBe(1);
    expect(await chosen(lost).count()).toBe(0);
    await lost.keyboard.press("a");
    await line.emit("acme/chat", ["approval.withdrawn", { approvalId: "a1" }]);
    expect(await state("acme")).toBe("withdrawn");
    const unclear = await windows.openAt(line, "#/inbox/a1", "[role=alert]");
    await unclear.getByRole("link", { name: "In bolt" }).click();
    await expect.poll(() => unclear.locator(".elsewhere").textContent()).toContain("denied");
  });

  it("G12: a session opens its own approval", async () => {
    for (const workspace of ["acme", "bolt"]) {
      const page = await windows.openAt(line, `#/session/${workspace}/chat`, "td a.chip.waiting");
      await page.getByText(`The chat of ${workspace}`).first().waitFor();
      await page.getByRole("link", { name: "asks you" }).click();
      await page.locator(".details .approval.open:not(.settling)").waitFor();
      expect(new URL(page.url()).hash).toMatch(new RegExp(`^#/session/${workspace}/chat/`));
      await page.keyboard.press("a");
      await page.locator(".details .approval.committed").waitFor();
      expect(await state(workspace)).toBe("approved");
    }
  });
});
