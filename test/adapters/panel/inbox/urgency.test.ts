// Panel: urgency and filters
// What a person should look at first comes first; what a filter hides is neither shown nor answered.

import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { chooseNext } from "../../../support/panel/choose.ts";
import { lineForEach, windowsForAll } from "../../../support/panel/for-tests.ts";

const windows = windowsForAll();

const asks = (id: string, tool: string, input: object, more: object = {}) =>
  [
    "approval.requested",
    { requestId: "r", toolUseId: `t-${id}`, approvalId: id, tool, input, ...more },
  ] as const;

describe("the panel: what comes first", () => {
  const line = lineForEach(async (line) => {
    for (const [workspace, session] of [
      ["w", "calm"],
      ["w", "hurried"],
      ["v", "risky"],
    ])
      await line.emit(
        `${workspace}/${session}`,
        ["session.started", { title: `The ${session} one`, cwd: "/home/you/shop" }],
        ["request.created", { requestId: `r-${session}` }],
      );
    await line.emit("w/calm", asks("c1", "Bash", { command: "npm test" }, { requestId: "r-calm" }));
    await line.emit("v/risky", asks("k1", "Bash", { command: "ls" }, { requestId: "r-risky" }));
    await line.emit("v/risky", asks("k2", "Bash", { command: "sudo ls" }, { requestId: "r-risky" }));
    await line.emit(
      "w/hurried",
      asks("h1", "Read", { file_path: "/home/you/shop/a" }, { requestId: "r-hurried" }),
      asks(
        "h2",
        "Read",
        { file_path: "/home/you/shop/b" },
        { requestId: "r-hurried", deadlineAt: Date.now() + 3_600_000 },
      ),
    );
  });
  const rows = (page: Page): Promise<readonly string[]> =>
    page.locator(".card header .gist").allTextContents();
  const begin = async (address = "#/"): Promise<Page> => {
    const page = await windows.openAt(line, address, ".card.open");
    await chooseNext(page);
    return page;
  };
  const filters = (page: Page) => page.getByRole("search", { name: "Filters" });
  const SUDO = "#/?risk=sudo";

  it("Panel, ORDER-2: what can be answered for the shortest time comes first, then what is risky, then what is old", async () => {
    const page = await begin();
    expect(await rows(page)).toEqual([
      ...["/home/you/shop/b", "/home/you/shop/a"],
      ...["sudo ls", "ls"],
      "npm test",
    ]);
    await expect
      .poll(() => page.locator(".cards .group .session-title").allInnerTexts())
      .toEqual(["The hurried one", "The risky one", "The calm one"]);
    // An answer moves none of them.
    await page.keyboard.press("a");
    await page.locator(".card.committed").waitFor();
    expect((await rows(page))[0]).toBe("/home/you/shop/b");
  });

  it("Panel: a filter stands in the address, and a reload and the way back keep it", async () => {
    const page = await begin();
    await filters(page).getByLabel("Risk").selectOption("sudo");
    await expect.poll(() => rows(page)).toEqual(["sudo ls"]);
    await expect.poll(() => page.evaluate("location.hash")).toBe(SUDO);
    await page.reload();
    await expect.poll(() => rows(page)).toEqual(["sudo ls"]);
    await chooseNext(page);
    await page.keyboard.press("o");
    await page.locator("#session-title").waitFor();
    await page.goBack();
    await page.locator(".card[aria-current=true]").waitFor();
    expect(await rows(page)).toEqual(["sudo ls"]);
    await page.getByRole("button", { name: "Show all" }).click();
    await expect.poll(async () => (await rows(page)).length).toBe(5);
    await expect.poll(() => page.evaluate("location.hash")).toBe("#/inbox/v/k2");
  });

  it("Panel: each filter finds its own", async () => {
    const page = await begin();
    for (const [label, value, count] of [
      ["Tool", "Read", 2],
      ["Session", "w/calm", 1],
      ["Workspace", "v", 2],
    ] as const) {
      await filters(page).getByLabel(label).selectOption(value);
      await expect.poll(async () => (await rows(page)).length, { message: label }).toBe(count);
      await page.getByRole("button", { name: "Show all" }).click();
    }
    await filters(page).getByRole("searchbox").fill("RISKY sudo");
    await expect.poll(() => rows(page)).toEqual(["sudo ls"]);
    await filters(page).getByRole("searchbox").fill("not there");
    await page.getByText("Nothing that waits here matches").waitFor();
    expect(await page.locator(".card").count()).toBe(0);
  });

  it("Panel, FILTER-1: a key answers only what is shown", async () => {
    const page = await begin("#/?tool=Read");
    for (const path of ["/home/you/shop/b", "/home/you/shop/a"]) {
      await page.locator(".card[aria-current=true]:not(.settling)", { hasText: path }).waitFor();
      await page.keyboard.press("a");
    }
    await page.locator(".card.committed").nth(1).waitFor();
    await page.keyboard.press("a");
    await page.getByRole("button", { name: "Show all" }).click();
    await expect.poll(() => page.locator(".card.open").count()).toBe(3);
    expect(await page.locator(".card.committed").count()).toBe(2);
  });
});
