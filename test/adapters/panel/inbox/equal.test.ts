// Panel: equal approvals
// Equal approvals are one row: what a key answers then, unfolding them, and answering them together.

import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { CHOSEN, chooseNext, seen } from "../../../support/panel/choose.ts";
import { lineForEach, windowsForAll } from "../../../support/panel/for-tests.ts";

const windows = windowsForAll();

const asks = (session: string, id: string, command: string) =>
  [
    "approval.requested",
    { requestId: `r-${session}`, toolUseId: `t-${id}`, approvalId: id, tool: "Bash", input: { command } },
  ] as const;

describe("the panel: equal approvals", () => {
  const line = lineForEach(async (line) => {
    for (const [session, cwd] of [
      ["one", "/home/you/shop"],
      ["two", "/home/you/shop"],
      ["far", "/home/you/docs"],
    ] as const)
      await line.emit(
        `w/${session}`,
        ["session.started", { title: `Session ${session}`, cwd }],
        ["request.created", { requestId: `r-${session}` }],
      );
    await line.emit("w/one", asks("one", "a1", "npm test"), asks("one", "b1", "npm run lint"));
    await line.emit("w/one", asks("one", "a2", "npm test"));
    await line.emit("w/two", asks("two", "a3", "npm test"), asks("two", "c1", "npm test "));
    await line.emit("w/far", asks("far", "d1", "npm test"));
  });
  const rows = (page: Page): Promise<readonly string[]> =>
    page.evaluate<readonly string[]>(`
      [...document.querySelectorAll(".card header")].map((row) =>
        row.querySelector("h2").textContent + " " + row.querySelector(".gist").textContent)`);
  const FOLDED = ["3 × Bash npm test", "Bash npm run lint", "Bash npm test ", "Bash npm test"];
  const stateOf = async (id: string): Promise<string> =>
    (await line.read<{ state: string }>(`/v1/approvals/${id}?workspace=w`)).state;
  const states = (...ids: readonly string[]): Promise<readonly string[]> => Promise.all(ids.map(stateOf));
  const begin = async (): Promise<Page> => {
    const page = await windows.openAt(line, "#/", ".card.open");
    await expect.poll(() => page.locator(".cards .group").count()).toBe(3);
    return page;
  };

  it("Panel, STACKS-1, ORDER-3: equal ones of a folder are one row; another input, or another folder, has its own", async () => {
    const page = await begin();
    expect(await rows(page)).toEqual(FOLDED);
    await page.getByRole("heading", { name: "6 approvals" }).waitFor();
    // A head says the session once; a row that stands under another's says its own.
    expect(await page.locator(".card .where").count()).toBe(0);
    await chooseNext(page);
    await page.keyboard.press("f");
    await expect
      .poll(() => rows(page))
      .toEqual([...Array<string>(3).fill("Bash npm test"), ...FOLDED.slice(1)]);
    expect(await page.locator(".card .where .session-title").allTextContents()).toEqual(["Session two"]);
    await page.getByRole("button", { name: "Show 3 as one" }).click();
    await expect.poll(() => rows(page)).toEqual(FOLDED);
  });

  it("Panel, STACKS-2: a key answers the one of them that is shown; a step passes by the others", async () => {
    const page = await begin();
    await chooseNext(page);
    await page.locator(".answers", { hasText: "Approve all 3 alike" }).waitFor();
    await page.locator(".answers", { hasText: "answer this one alone" }).waitFor();
    await page.keyboard.press("a");
    await page.locator(".card.committed").waitFor();
    expect(await states("a1", "a2", "a3")).toEqual(["approved", "pending", "pending"]);
    // The next of them is shown, and its row counts those that are left.
    await seen(page, "2 × Bash");
    expect(await rows(page)).toEqual(["Bash npm test", "2 × Bash npm test", ...FOLDED.slice(1)]);
    await page.keyboard.press("j");
    await seen(page, "npm run lint");
    await page.keyboard.press("k");
    await seen(page, "2 × Bash");
    // Unfolded, each step leads to one of them.
    await page.keyboard.press("f");
    await page.keyboard.press("j");
    await page.waitForURL("**/#/inbox/w/a3");
    await page.keyboard.press("f");
    await seen(page, "2 × Bash");
    await page.keyboard.press("d");
    await page.keyboard.press("Enter");
    await expect.poll(() => states("a2", "a3")).toEqual(["pending", "denied"]);
  });

  it("Panel, STACKS-2: all of them are picked with their row, and answered with the list that names each", async () => {
    const page = await begin();
    await chooseNext(page);
    await page.keyboard.press("x");
    await page.getByRole("group", { name: "Picked" }).getByText("3 picked").waitFor();
    await page.keyboard.press("x");
    await page.getByRole("group", { name: "Picked" }).waitFor({ state: "detached" });
    await page.getByRole("checkbox", { name: "Pick 3 × Bash" }).check();
    await page.keyboard.press("A");
    const dialog = page.getByRole("dialog", { name: "Approve these 3?" });
    await expect.poll(() => dialog.locator("li").count()).toBe(3);
    await dialog.getByRole("button", { name: "Approve 3" }).click();
    await expect
      .poll(() => states("a1", "a2", "a3", "b1", "c1", "d1"), { timeout: 15_000 })
      .toEqual([...Array<string>(3).fill("approved"), ...Array<string>(3).fill("pending")]);
  });

  it("Panel, STACKS-2: a link to one of them shows that one in their row", async () => {
    const page = await windows.openAt(line, "#/inbox/w/a3", CHOSEN);
    await seen(page, "3 × Bash");
    expect(await page.locator(`${CHOSEN} [data-approval]`).getAttribute("data-approval")).toBe("a3");
    await page.keyboard.press("a");
    await expect.poll(() => states("a1", "a2", "a3")).toEqual(["pending", "pending", "approved"]);
  });
});
