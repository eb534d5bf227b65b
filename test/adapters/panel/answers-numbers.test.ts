// Panel: the numbers of the answers
// Each number of the page leads to the approvals that it counts, over days of one's own; pictures have a text beside them.

import { describe, expect, it } from "vitest";
import { findingsOn, withAxe } from "../../support/panel/axe.ts";
import { lineForAll, windowsForAll } from "../../support/panel/for-tests.ts";

const windows = windowsForAll();
const HOSTILE = "mcp__<img/src=x/onerror=pwned(1)>\u202e";
const DAY_MS = 86_400_000;
const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);

/** In its order: the tool, and what was answered. */
const ASKED = [
  ["Bash", "approve"],
  ["Bash", "approve"],
  ["Bash", "deny"],
  ["Edit", undefined],
  [HOSTILE, "deny"],
] as const;

const line = lineForAll(async (line) => {
  await line.emit("w/s1", ["session.started", { cwd: "/home/ann/shop", title: "The cart <b>" }]);
  for (const [n, [tool, decision]] of ASKED.entries()) {
    const call = { requestId: `r${n}`, toolUseId: `t${n}`, tool, input: { command: `do ${n}` } };
    await line.emit(
      "w/s1",
      ["request.created", { requestId: call.requestId }],
      ["tool.announced", call],
      ["approval.requested", { ...call, approvalId: `a${n}` }],
    );
    const { inputHash } = await line.read<{ inputHash: string }>(`/v1/approvals/a${n}`);
    if (decision) await line.send(`/v1/approvals/a${n}/decision`, { decision, inputHash });
  }
});

describe("the panel: the numbers of the answers", () => {
  it("ANSWERS-ROWS-1, ANSWERS-ADDRESS-1, PARTS-TEXT-1: by the keyboard, each number lists what it counts, also after a reload and on the way back", async () => {
    const page = await windows.openAt(line, "#/answers?by=tool", ".answers tbody tr");
    const rows = page.locator(".answers .wide tbody tr");
    await expect.poll(() => rows.count()).toBe(3);
    const links = await page.locator(".answers .wide tbody .number a").all();
    const expected = ["3", "2", "1", "1", "1", "1"];
    expect(await Promise.all(links.map((link) => link.textContent()))).toEqual(expected);
    const listed = page.locator(".listed li");
    for (const [n, link] of links.entries()) {
      await link.press("Enter");
      await page.locator("#listed-title:focus").waitFor();
      await expect.poll(() => page.locator("#listed-title").textContent()).toMatch(/: \d+$/);
      expect([n, await listed.count()]).toEqual([n, Number(expected[n])]);
    }
    await page.getByRole("link", { name: "1: Bash, denied" }).press("Enter");
    await expect.poll(() => page.locator("#listed-title").textContent()).toBe("Bash, denied: 1");
    await page.reload();
    await expect.poll(() => listed.allTextContents()).toHaveLength(1);
    expect(await listed.textContent()).toMatch(/^Bash do 2 denied by local:\S+, asked \d+ (s|min) ago$/);
    await listed.getByRole("link").press("Enter");
    await page.locator(".elsewhere").waitFor();
    expect(page.url()).toContain("#/inbox/w/a2");
    await page.goBack();
    await expect.poll(() => listed.count()).toBe(1);
    await page.getByRole("link", { name: /answered by a person here$/ }).press("Enter");
    await expect.poll(() => page.locator("#listed-title").textContent()).toBe("answered by a person here: 4");
    expect(await listed.first().textContent()).toContain(HOSTILE.replace("\u202e", "<U+202E>"));
    await page.getByRole("link", { name: "Close the list" }).press("Enter");
    await expect.poll(() => page.locator(".listed").count()).toBe(0);
  });

  it("ANSWERS-ADDRESS-1, ANSWERS-DAYS-1, ANSWERS-COSTS-3: from one day to another; each picture has its numbers as a table; readable by everybody, on a narrow screen too", async () => {
    const page = await windows.open(line);
    await withAxe(page);
    const today = dayOf(Date.now());
    await page.goto("/?axe#/answers");
    await page.getByRole("button", { name: "Custom…" }).press("Enter");
    await page.getByLabel("From").fill(dayOf(Date.now() - 3 * DAY_MS));
    await expect
      .poll(() => page.locator(".answers > p").first().textContent())
      .toContain("5 approvals came from");
    expect(page.url()).toContain(`range=own&from=${dayOf(Date.now() - 3 * DAY_MS)}`);
    const tables = page.locator(".series table");
    expect(await tables.count()).toBe(3);
    expect(await tables.nth(2).locator("tbody tr").allTextContents()).toEqual([`${today}2`]);
    expect(await tables.nth(0).locator("tbody td").allTextContents()).toEqual(["4", "0", "0", "0", "0", "1"]);
    await page.locator(".series svg rect").first().waitFor();
    for (const width of [1280, 390, 320]) {
      await page.setViewportSize({ width, height: 800 });
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(width);
      expect(await findingsOn(page)).toEqual([]);
    }
    await page.getByLabel("to", { exact: true }).fill(dayOf(Date.now() - 2 * DAY_MS));
    await expect
      .poll(() => page.locator(".answers > p").first().textContent())
      .toMatch(/^Nothing was asked from \S+ to \S+\. What is asked from now on is counted here\.$/);
    // ANSWERS-COSTS-3: no session began in these days.
    await expect.poll(() => page.locator(".costs").count()).toBe(0);
  });

  it("ANSWERS-COSTS-1, ANSWERS-COSTS-2: costs are added up when it is asked for, and a session that tells none is counted so", async () => {
    const page = await windows.openAt(line, "#/answers", ".costs");
    const asked: string[] = [];
    page.on("request", (request) => {
      if (request.url().includes("/conversation")) asked.push(request.url());
    });
    const status = page.locator(".costs [role=status]");
    const add = page.getByRole("button", { name: "Add up the costs" });
    await page.waitForLoadState("networkidle").catch(() => undefined);
    expect(asked).toEqual([]);
    await add.press("Enter");
    await expect
      .poll(() => status.textContent())
      .toBe("No cost is known: 1 of 1 sessions have no known cost.");
    expect(asked).toHaveLength(1);
    await page.route("**/conversation?*", (route) =>
      route.fulfill({ json: { isKnown: true, items: [], cost: { usd: 12.5, tokens: 1_000, isPart: true } } }),
    );
    await add.press("Enter");
    await expect
      .poll(() => status.textContent())
      .toBe("at least $12.50 in all; 0 of 1 sessions have no known cost.");
    expect(await page.locator(".costs tbody tr").textContent()).toBe("The cart <b>at least $12.501,000");
  });
});
