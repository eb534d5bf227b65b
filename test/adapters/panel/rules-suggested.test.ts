// Panel: suggested rules
// Somebody looks for rules that would have answered as people did, sees what speaks for each, takes one, undoes it.

import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import type { RuleView } from "../../../runtime/reading/rules.ts";
import { findingsOn, withAxe } from "../../support/panel/axe.ts";
import { lineForEach, windowsForAll } from "../../support/panel/for-tests.ts";

const windows = windowsForAll();

const HOSTILE = "<img src=x onerror=pwned(1)>";

describe("the panel: suggested rules", () => {
  const line = lineForEach(async () => {
    for (const session of ["s1", "s2", "s3"])
      await line.emit(
        `shop/${session}`,
        ["session.started", { cwd: "/home/ann/shop" }],
        ["request.created", { requestId: session }],
      );
  });
  const approval = (id: string) => line.read<{ state: string; by?: string }>(`/v1/approvals/${id}`);
  const rules = async () => (await line.read<{ items: readonly RuleView[] }>("/v1/rules")).items;
  let asked = 0;

  /** @returns the approval's id. */
  async function ask(session: string, input: object, tool = "Bash"): Promise<string> {
    asked += 1;
    const id = `a${asked}`;
    const call = { requestId: session, toolUseId: `t${asked}`, tool, input };
    await line.emit(
      `shop/${session}`,
      ["tool.announced", call],
      ["approval.requested", { ...call, approvalId: id }],
    );
    return id;
  }
  const run = (session: string, command: string) => ask(session, { command });
  async function answer(id: string, decision: "approve" | "deny"): Promise<void> {
    const { inputHash } = await line.read<{ inputHash: string }>(`/v1/approvals/${id}`);
    await line.send(`/v1/approvals/${id}/decision`, { decision, inputHash });
  }
  async function allowed(command: string, times = 6): Promise<void> {
    for (let n = 0; n < times; n += 1) await answer(await run(`s${(n % 3) + 1}`, command), "approve");
  }
  const found = (page: Page, text: string) => page.locator(".suggestion", { hasText: text });
  const look = (page: Page) => page.getByRole("button", { name: "Look for rules" });
  const status = (page: Page) => page.locator(".suggested > p > [role=status]");

  it("RULES-LOOKING-1, RULES-TAKING-1: one is looked for on demand, shown with evidence, trial and width, taken and undone by the keyboard", async () => {
    for (const name of ["a", "b", "c", "d", "e", "f"]) await allowed(`cat src/${name}.ts`, 2);
    await allowed("npm test", 5);
    await answer(await run("s1", "git push"), "deny");
    const page = await windows.open(line);
    const searches: string[] = [];
    page.on("request", (request) => {
      if (request.url().includes("/v1/rules/suggestions")) searches.push(request.url());
    });
    await page.keyboard.press("3");
    await look(page).waitFor();
    expect(await page.locator(".suggested select").inputValue()).toBe("shop");
    expect(searches).toEqual([]);
    await look(page).press("Enter");
    await expect.poll(() => status(page).textContent()).toContain("2 rules for shop");
    expect(searches).toHaveLength(1);
    const open = await found(page, "cat src/*.ts").textContent();
    expect(open).toContain("12 times in 2 sessions");
    expect(open).toMatch(/local:\S+ 12/);
    expect(open).toContain("The rule would have answered 12 of 18 approvals");
    expect(open).toContain("No person answered otherwise.");
    expect(open).toContain("30 days after you take the rule");
    expect(await found(page, "cat src/*.ts").locator("dd li code").allTextContents()).toEqual([
      ...["cat src/a.ts", "cat src/b.ts", "cat src/c.ts"],
      ...(await widthOf("cat src/*.ts")),
    ]);
    const same = found(page, "npm test");
    expect(await same.textContent()).toContain("nothing else: this very call alone");
    await same.getByRole("button", { name: "Take", exact: true }).press("Enter");
    await expect
      .poll(() => same.getByRole("status").textContent())
      .toContain("answers approvals from now on");
    const [rule] = await rules();
    expect(rule).toMatchObject({ effect: "allow", tool: "Bash", unmarked: true, project: "/home/ann/shop" });
    expect(rule?.expiresAt).toBe((rule?.madeAt ?? 0) + 30 * 24 * 3_600_000);
    expect(rule?.madeBy).toMatch(/^local:/);
    await page.locator(".rules tbody tr", { hasText: rule?.id ?? "none" }).waitFor();
    const next = await run("s2", "npm test");
    expect(await approval(next)).toMatchObject({ state: "approved", by: `rule:${rule?.id}` });
    const undo = same.getByRole("button", { name: "Undo" });
    await page.locator(".suggestion button:focus", { hasText: "Undo" }).waitFor();
    expect(await undo.count()).toBe(1);
    await page.keyboard.press("Enter");
    await expect.poll(rules).toEqual([]);
    await same.getByRole("button", { name: "Take", exact: true }).waitFor();
    expect((await approval(await run("s3", "npm test"))).state).toBe("pending");
  });

  const widthOf = async (text: string): Promise<readonly string[]> => {
    const { items } = await line.read<{
      items: readonly { rule: { match: { text?: string } }; width: readonly string[] }[];
    }>("/v1/rules/suggestions?workspace=shop");
    const width = items.find(({ rule }) => rule.match.text === text)?.width ?? [];
    expect(width).toHaveLength(3);
    return width;
  };

  it("RULES-TAKING-1, SUGGESTIONS-2, PARTS-TEXT-1: hostile input is shown as it is, taken dry by its hash, and nothing with a risk's mark is suggested", async () => {
    for (let n = 0; n < 6; n += 1) {
      await answer(await ask(`s${(n % 2) + 1}`, { q: HOSTILE }, "mcp__docs__find"), "approve");
      await answer(await ask(`s${(n % 2) + 1}`, { q: `${HOSTILE}\u202e` }, "mcp__docs__find"), "approve");
      await answer(await run(`s${(n % 2) + 1}`, "rm -rf node_modules"), "approve");
    }
    const page = await windows.open(line);
    await withAxe(page);
    await page.goto("/?axe#/rules");
    await look(page).click();
    await expect.poll(() => status(page).textContent()).toContain("1 rule for shop");
    const card = found(page, "mcp__docs__find");
    expect(await card.locator("pre").textContent()).toContain(HOSTILE);
    await card.getByRole("button", { name: "Take dry" }).press("Enter");
    await expect.poll(() => card.getByRole("status").textContent()).toContain("counts from now on");
    await page.setViewportSize({ width: 320, height: 800 });
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(320);
    expect(await findingsOn(page)).toEqual([]);
    expect(await rules()).toMatchObject([{ dry: true, match: { kind: "exact" }, tool: "mcp__docs__find" }]);
    const next = await ask("s3", { q: HOSTILE }, "mcp__docs__find");
    expect((await approval(next)).state).toBe("pending");
    await answer(next, "approve");
    await expect
      .poll(() => page.locator(".rules tbody tr").textContent())
      .toContain("would have answered 1 of 1");
    await page.getByRole("button", { name: /^Remove/ }).click();
    await card.getByRole("button", { name: "Take dry" }).waitFor();
  });

  it("RULES-LOOKING-2, RULES-SUGGESTION-1: once somebody denies a call nothing is taken until one looks again, which does not suggest it any more", async () => {
    await allowed("npm run lint");
    const page = await windows.openAt(line, "#/rules", ".suggested form");
    await look(page).click();
    const card = found(page, "npm run lint");
    await card.waitFor();
    await answer(await run("s1", "npm run lint"), "deny");
    await page.getByRole("alert").filter({ hasText: "Look again before you take one" }).waitFor();
    await card.getByRole("button", { name: "Take", exact: true }).press("Enter");
    await look(page).press("Enter");
    await expect.poll(() => status(page).textContent()).toContain("No rule is suggested for shop");
    expect(await rules()).toEqual([]);
  });

  it("RULES-LOOKING-1, RULES-TAKING-1: a workspace that is none, a full one, a slow engine and a search that is stopped are told, with what to do", async () => {
    await allowed("npm test");
    const page = await windows.openAt(line, "#/rules?workspace=no%20such*one", ".suggested form");
    const alert = page.locator(".suggested").getByRole("alert");
    await look(page).click();
    await expect
      .poll(() => status(page).textContent())
      .toMatch(/^No rule is suggested for no such\*one: .* look again\.$/);
    await page.locator(".suggested select").selectOption("shop");
    expect(page.url()).toContain("workspace=shop");

    await page.route("**/v1/rules/suggestions?*", (route) =>
      route.fulfill({
        status: 503,
        json: { error: { code: "NOT_IN_TIME", message: "Its disk stands still.", next: "" } },
      }),
    );
    await look(page).press("Enter");
    await expect.poll(() => alert.textContent()).toContain("Choose fewer days");
    await page.unroute("**/v1/rules/suggestions?*");

    let answered = 0;
    await page.route("**/v1/rules/suggestions?*", () => {
      answered += 1;
    });
    await look(page).press("Enter");
    await expect.poll(() => status(page).textContent()).toContain("Reading the history of shop");
    await page.getByRole("button", { name: "Stop" }).press("Enter");
    await expect
      .poll(() => status(page).textContent())
      .toBe("The search for rules was stopped. Nothing was changed.");
    expect(answered).toBe(1);
    await page.locator("button:focus", { hasText: "Look for rules" }).waitFor();
    await page.unroute("**/v1/rules/suggestions?*");

    await look(page).press("Enter");
    const card = found(page, "npm test");
    await card.waitFor();
    for (let n = 0; n < 200; n += 1)
      await line.send("/v1/rules", {
        ...{ workspace: "shop", effect: "deny", tool: "Bash" },
        match: { kind: "prefix", text: `x${n}` },
      });
    await card.getByRole("button", { name: "Take", exact: true }).press("Enter");
    await expect.poll(() => card.getByRole("alert").textContent()).toMatch(/200/);
    expect(await rules()).not.toContainEqual(expect.objectContaining({ effect: "allow" }));
  });
});
