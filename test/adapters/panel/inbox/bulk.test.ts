// Panel: bulk
// One answer to several approvals: a list first, a moment to take it back; and buttons that stay where they are.

import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { SEEN } from "../../../support/panel/choose.ts";
import { lineForEach, windowsForAll } from "../../../support/panel/for-tests.ts";

const windows = windowsForAll();

const asked = (id: string, command: string) =>
  [
    "approval.requested",
    { requestId: "r", toolUseId: `t-${id}`, approvalId: id, tool: "Bash", input: { command } },
  ] as const;

describe("the panel: one answer to several", () => {
  const line = lineForEach(async (line) => {
    for (const session of ["one", "two"])
      await line.emit(`w/${session}`, ["session.started", { title: `Session ${session}` }]);
    await line.emit("w/one", ["request.created", { requestId: "r1" }], asked("a1", "same"));
    await line.emit("w/two", ["request.created", { requestId: "r2" }], asked("a2", "same"));
    await line.emit("w/two", asked("b1", "another"), asked("c1", "a third"));
  });
  const IDS = ["a1", "a2", "b1", "c1"] as const;
  const states = (): Promise<readonly string[]> =>
    Promise.all(
      IDS.map(async (id) => (await line.read<{ state: string }>(`/v1/approvals/${id}?workspace=w`)).state),
    );
  const PENDING = IDS.map(() => "pending");
  const begin = (options = {}): Promise<Page> =>
    windows.openAt(line, "#/inbox/w/a1", `${SEEN} .fields`, options);

  it("Panel, HELD-1: all that are alike are listed before they are answered, and can be taken back after it", async () => {
    const page = await begin();
    await page.keyboard.press("A");
    const dialog = page.getByRole("dialog", { name: "Approve these 2?" });
    await dialog.waitFor();
    // The sessions' titles are read apart from the approvals.
    await expect
      .poll(() => dialog.locator("li").allTextContents())
      .toEqual([expect.stringContaining("Session one"), expect.stringContaining("Session two")]);
    // A key too many goes back.
    await page.keyboard.press("Enter");
    await dialog.waitFor({ state: "detached" });
    expect(await page.locator(".card.open").count()).toBe(4);
    await page.keyboard.press("A");
    await dialog.getByRole("button", { name: "Approve 2" }).click();
    await page.locator(".undo p", { hasText: "Approving 2" }).waitFor();
    expect(await page.locator(".card.held").count()).toBe(2);
    expect(await states()).toEqual(PENDING);
    await page.keyboard.press("u");
    await expect.poll(() => page.locator(".card.open").count()).toBe(4);
    expect(await page.locator(".undo p").count()).toBe(0);
    await page.keyboard.press("k");
    await page.keyboard.press("A");
    await dialog.getByRole("button", { name: "Approve 2" }).click();
    await page.locator(".card.committed").nth(1).waitFor();
    expect(await states()).toEqual(["approved", "approved", "pending", "pending"]);
  });

  it("Panel, HELD-1: a key pressed while the list closes asks for it again", async () => {
    const page = await begin();
    await page.keyboard.press("A");
    const dialog = page.getByRole("dialog", { name: "Approve these 2?" });
    await dialog.waitFor();
    await page.evaluate(`{
      document.querySelector("dialog.bulk").close();
      document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "A", bubbles: true }));
    }`);
    await dialog.getByRole("button", { name: "Approve 2" }).click();
    await page.locator(".card.held").nth(1).waitFor();
  });

  it("Panel, HELD-1: a page that is closed before the moment is over has answered nothing", async () => {
    const page = await begin();
    await page.keyboard.press("A");
    await page.getByRole("dialog").getByRole("button", { name: "Approve 2" }).click();
    await page.locator(".card.held").first().waitFor();
    await page.close();
    const again = await begin();
    expect(await again.locator(".card.open").count()).toBe(4);
    expect(await states()).toEqual(PENDING);
  });

  it("Panel, HELD-2: what is answered elsewhere in that moment is left alone", async () => {
    const page = await begin();
    await page.keyboard.press("A");
    await page.getByRole("dialog").getByRole("button", { name: "Approve 2" }).click();
    await page.locator(".card.held").nth(1).waitFor();
    await line.emit("w/two", ["approval.answered", { approvalId: "a2", decision: "deny", by: "ann" }]);
    await page.locator(".card.committed").waitFor();
    expect(await states()).toEqual(["approved", "denied", "pending", "pending"]);
  });

  it("Panel: picked approvals are denied together, with the same list and the same moment", async () => {
    const page = await begin();
    for (const text of ["another", "a third"])
      await page.locator(".card", { hasText: text }).getByRole("checkbox").check();
    await page.getByRole("group", { name: "Picked" }).getByRole("button", { name: "Deny 2…" }).click();
    await page.getByRole("dialog", { name: "Deny these 2?" }).getByRole("button", { name: "Deny 2" }).click();
    await page.locator(".card.committed").nth(1).waitFor();
    expect(await states()).toEqual(["pending", "pending", "denied", "denied"]);
  });

  it("Panel, ANSWERS-1: each button stands where it stood on the card before, and a finger can hit it", async () => {
    const page = await begin({ viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true });
    const places = async () => {
      const buttons = page.locator(".answers .actions button");
      const names = await buttons.allInnerTexts();
      const boxes = await Promise.all((await buttons.all()).map((button) => button.boundingBox()));
      return new Map(names.map((name, n) => [name.split(/[…\n]/)[0]?.trim(), boxes[n]]));
    };
    const before = await places();
    for (const text of ["another", "a third"]) {
      await page.locator(".card", { hasText: text }).tap();
      await page.locator(".card[aria-current=true]", { hasText: text }).waitFor();
      const now = await places();
      for (const name of ["Approve", "Deny", "Deny and interrupt", "Edit input"]) {
        const [was, is] = [before.get(name), now.get(name)];
        expect(is, name).toEqual(was);
        expect(is?.height, name).toBeGreaterThanOrEqual(44);
      }
    }
    const small = await page.evaluate<readonly string[]>(`
      [...document.querySelectorAll("button, summary, nav a, a.chip, .pick")]
        .filter((each) => each.getClientRects().length > 0 && each.getBoundingClientRect().height < 43.5)
        .map((each) => each.outerHTML.slice(0, 80))`);
    expect(small).toEqual([]);
  });
});
