// Panel: risks
// What a person who answers many approvals in a row would miss: a hidden flag, a swapped path, another folder.

import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { lineForAll, windowsForAll } from "../../../support/panel/for-tests.ts";

const windows = windowsForAll();

const asks = (id: string, tool: string, input: object, requestId = "r") =>
  [
    "approval.requested",
    { requestId, toolUseId: `t-${id}`, approvalId: id, tool, input: { ...input, note: `this is ${id}` } },
  ] as const;

describe("the panel: what to see before answering", () => {
  const line = lineForAll(async (line) => {
    for (const folder of ["shop", "shop-live"])
      await line.emit(
        `w/${folder}`,
        ["session.started", { title: `In ${folder}`, cwd: `/home/you/${folder}` }],
        ["request.created", { requestId: folder === "shop" ? "r" : "r-live" }],
      );
    await line.emit(
      "w/shop",
      asks("a1", "Bash", { command: "git push origin fix/rounding" }),
      asks("a2", "Bash", { command: `git push origin fix/rounding${" ".repeat(900)}--force` }),
      asks("a3", "Write", { file_path: "/home/you/shop/src/cart.ts", content: "1" }),
      asks("a4", "Write", { file_path: "/home/you/shop/src/card.ts", content: "1" }),
      asks("a5", "Bash", { command: "npm test" }),
    );
    await line.emit("w/shop-live", asks("b1", "Bash", { command: "npm test" }, "r-live"));
  });
  const chosen = (page: Page) => page.locator(".card[aria-current=true]");
  /** Looks at one card after another, as if each followed the one before. */
  const lookAt = async (page: Page, ...ids: readonly string[]): Promise<void> => {
    for (const id of ids) {
      await page.evaluate(`location.hash = "#/inbox/w/${id}"`);
      await page.locator(".whole dd", { hasText: `this is ${id}` }).waitFor();
    }
  };
  const begin = (id: string): Promise<Page> =>
    windows.openAt(line, `#/inbox/w/${id}`, `.whole dd:has-text("this is ${id}")`);

  it("Panel, RISKS-1: a flag far to the right is said before the command, in the row and on the chosen card", async () => {
    const page = await begin("a2");
    const risks = chosen(page).getByRole("list", { name: "Risks" });
    expect(await risks.locator("code").allInnerTexts()).toContain("git push … --force");
    expect(await risks.locator(".risk").allInnerTexts()).toEqual([
      "Stands behind a gap",
      "Force push",
      "Reaches the network",
    ]);
    expect(await chosen(page).locator("header .risk").innerText()).toBe("Stands behind a gap +2");
    await lookAt(page, "a5");
    expect(await risks.count()).toBe(0);
  });

  it("Panel: a call that looks like the one before says what is new in it", async () => {
    const page = await begin("a1");
    await lookAt(page, "a2");
    expect(await page.locator(".differs code").allInnerTexts()).toEqual(["--force"]);
    await lookAt(page, "a3", "a4");
    expect(await page.locator(".differs code").allInnerTexts()).toEqual(["card.ts", "cart.ts"]);
  });

  it("Panel: the same command in another folder says so", async () => {
    const page = await begin("a5");
    expect(await page.locator(".in-folder").innerText()).toBe("In /home/you/shop");
    await lookAt(page, "b1");
    expect(await page.locator(".in-folder").innerText()).toContain(
      "The same call as before, in another folder",
    );
    expect(await page.locator(".in-folder code").innerText()).toBe("/home/you/shop-live");
    await lookAt(page, "a1");
    expect(await page.locator(".unlike").innerText()).toBe("Another folder than the one before");
  });

  it("Panel: the list that one answer is given to has the marks", async () => {
    const page = await begin("a1");
    for (const id of ["a1", "a2"]) {
      await lookAt(page, id);
      await page.keyboard.press("x");
    }
    await page.locator(".card[aria-current=true]:not(.settling)").waitFor();
    await page.keyboard.press("A");
    await page.getByRole("dialog").waitFor();
    expect(await page.getByRole("dialog").locator(".risk").allInnerTexts()).toEqual([
      "Stands behind a gap +2",
      "Reaches the network",
    ]);
  });
});
