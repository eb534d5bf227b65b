// Panel: a rule that is written
// Somebody writes a rule, sees while typing what it would have answered before, makes it, and takes it back.

import { setTimeout as sleep } from "node:timers/promises";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import type { RuleView } from "../../../runtime/reading/rules.ts";
import { findingsOn, withAxe } from "../../support/panel/axe.ts";
import { lineForEach, windowsForAll } from "../../support/panel/for-tests.ts";

const windows = windowsForAll();
const HOSTILE = "npm run <img/src=x/onerror=pwned(1)>\u202e";

describe("the panel: a rule that is written", () => {
  let asked = 0;
  const line = lineForEach(async () => {
    asked = 0;
    await line.emit("shop/s1", ["session.started", { cwd: "/home/ann/shop" }]);
  });
  const rules = async () => (await line.read<{ items: readonly RuleView[] }>("/v1/rules")).items;
  const approval = (id: string) => line.read<{ state: string; by?: string }>(`/v1/approvals/${id}`);

  /** @returns the approval's id. */
  async function ask(command: string): Promise<string> {
    asked += 1;
    const id = `a${asked}`;
    const call = { requestId: `r${asked}`, toolUseId: `t${asked}`, tool: "Bash", input: { command } };
    await line.emit(
      "shop/s1",
      ["request.created", { requestId: call.requestId }],
      ["tool.announced", call],
      ["approval.requested", { ...call, approvalId: id }],
    );
    return id;
  }
  async function answered(command: string, decision: "approve" | "deny"): Promise<string> {
    const id = await ask(command);
    const { inputHash } = await line.read<{ inputHash: string }>(`/v1/approvals/${id}`);
    await line.send(`/v1/approvals/${id}/decision`, { decision, inputHash });
    return id;
  }
  const words = (page: Page) => page.getByLabel("The first words of a command, or a folder");
  const said = (page: Page) => page.locator(".found [role=status]");
  const told = (page: Page) => page.locator(".writing form [role=status]");
  const trialsOf = (page: Page): { readonly begun: string[]; most: () => number } => {
    const begun: string[] = [];
    let [open, most] = [0, 0];
    const isTrial = (url: string): boolean => url.endsWith("/v1/rules/test");
    page.on("request", (request) => {
      if (!isTrial(request.url())) return;
      begun.push(request.postData() ?? "");
      open += 1;
      most = Math.max(most, open);
    });
    for (const end of ["requestfinished", "requestfailed"] as const)
      page.on(end as "requestfinished", (request) => {
        if (isTrial(request.url())) open -= 1;
      });
    return { begun, most: () => most };
  };

  it("WRITING-FORM-1, WRITING-FORM-2, RULES-DONE-1: by the keyboard, a rule is tried while it is written, made, answers, and is taken back", async () => {
    for (const command of ["npm run build", "npm run lint", "git status"]) await answered(command, "approve");
    const no = await answered("npm run deploy", "deny");
    const page = await windows.openAt(line, "#/rules", ".writing form");
    await words(page).focus();
    await page.keyboard.type("npm run", { delay: 20 });
    await expect
      .poll(() => said(page).textContent())
      .toBe(
        "Of 4 calls asked about in the last 30 days, the rule would have allowed 3. People answered otherwise 1 time:",
      );
    const case1 = page.locator(".otherwise li");
    expect(await case1.textContent()).toMatch(/^Bash npm run deploy denied by local:\S+, asked \d+ s ago$/);
    expect(await rules()).toEqual([]);
    await case1.getByRole("link").press("Enter");
    await page.locator(".elsewhere").waitFor();
    expect(page.url()).toContain(`#/inbox/shop/${no}`);
    await page.goBack();
    await words(page).waitFor();
    expect(await words(page).inputValue()).toBe("npm run");
    await words(page).press("Enter");
    await expect
      .poll(() => told(page).textContent())
      .toMatch(/^The rule r_\w+ answers approvals from now on\.$/);
    const [rule] = await rules();
    expect(rule).toMatchObject({
      ...{ effect: "allow", tool: "Bash", match: { kind: "prefix", text: "npm run" }, unmarked: true },
      workspace: "shop",
    });
    expect(rule?.expiresAt).toBe((rule?.madeAt ?? 0) + 30 * 24 * 3_600_000);
    expect(await approval(await ask("npm run test"))).toMatchObject({ by: `rule:${rule?.id}` });
    await expect.poll(() => page.locator(".rules tbody tr").textContent()).toMatch(/1, last \d+ s ago/);
    await page.getByRole("button", { name: "Undo: remove it" }).press("Enter");
    await expect.poll(() => told(page).textContent()).toBe(`The rule ${rule?.id} is removed again.`);
    expect(await rules()).toEqual([]);
  });

  it("WRITING-TRYING-1, WRITING-TRYING-2, WRITING-TRIAL-1: one trial at a time, none for each letter, and a late answer is dropped", async () => {
    await answered("npm run build", "approve");
    await answered("git status", "approve");
    const page = await windows.openAt(line, "#/rules", ".writing form");
    const trials = trialsOf(page);
    let [isSlow, isAnswered] = [true, false];
    await page.route("**/v1/rules/test", async (route) => {
      if (!isSlow) return route.continue();
      isSlow = false;
      await sleep(1_500);
      isAnswered = true;
      // Nobody waits for it any more.
      await route.continue().catch(() => undefined);
    });
    await page.keyboard.press("Tab");
    await words(page).pressSequentially("npm run build", { delay: 10 });
    await expect.poll(() => trials.begun.length).toBe(1);
    await words(page).fill("git status");
    await expect.poll(() => said(page).textContent()).toContain("the rule would have allowed 1");
    await expect.poll(() => isAnswered).toBe(true);
    await sleep(500);
    expect(await said(page).textContent()).toContain("the rule would have allowed 1");
    expect(await page.locator(".found details code").allTextContents()).toEqual(["Bash git status"]);
    expect(trials.begun).toHaveLength(2);
    expect(trials.most()).toBe(1);
    await words(page).fill("");
    await expect.poll(() => page.locator(".found").textContent()).toContain("Say what the rule is about");
  });

  it("WRITING-FORM-1, PARTS-TEXT-1: hostile words are shown as they are, what cannot be a rule is told with why, and the form is readable by everybody", async () => {
    await answered(HOSTILE, "deny");
    const page = await windows.open(line);
    await withAxe(page);
    await page.goto("/?axe#/rules");
    await words(page).fill("npm run x; rm -rf /");
    const alert = page.locator(".found").getByRole("alert");
    await expect.poll(() => alert.textContent()).toContain("must be the words of one plain command");
    await page.getByRole("combobox", { name: /^Answer/ }).selectOption("deny");
    await page.getByRole("combobox", { name: /^Input/ }).selectOption("any");
    await expect
      .poll(() => said(page).textContent())
      .toContain("the rule would have denied 1. No person answered otherwise.");
    await page.locator(".found summary").click();
    expect(await page.locator(".found details code").textContent()).toBe(
      `Bash ${HOSTILE.replace("\u202e", "<U+202E>")}`,
    );
    for (const width of [1280, 320]) {
      await page.setViewportSize({ width, height: 800 });
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(width);
      expect(await findingsOn(page)).toEqual([]);
    }
  });

  it("RULES-DONE-1: a removed rule is made again with the uses that are left, and an enforced one is dry again; a dry one's cases are shown", async () => {
    const about = { workspace: "shop", effect: "allow", tool: "Bash" };
    await line.send("/v1/rules", {
      ...about,
      match: { kind: "prefix", text: "npm test" },
      uses: 3,
      note: "ok",
    });
    expect((await approval(await ask("npm test"))).state).toBe("approved");
    const page = await windows.openAt(line, "#/rules", ".rules tbody tr");
    const status = page.locator(".rules [role=status]");
    await page.getByRole("button", { name: /^Remove r_/ }).press("Enter");
    await page.locator("button:focus", { hasText: "Undo: make it again" }).waitFor();
    await page.keyboard.press("Enter");
    await expect.poll(() => status.textContent()).toMatch(/^r_\w+ is a new rule with the terms of r_\w+\.$/);
    expect(await rules()).toMatchObject([
      { match: { kind: "prefix", text: "npm test" }, uses: 2, used: 0, note: "ok", state: "in-force" },
    ]);
    await page.getByRole("button", { name: /^Remove r_/ }).press("Enter");
    await expect.poll(rules).toEqual([]);

    await line.send("/v1/rules", { ...about, match: { kind: "prefix", text: "git log" }, dry: true });
    await answered("git log -1", "approve");
    await answered("git log -2", "deny");
    await page.getByRole("button", { name: /^Which, of r_/ }).press("Enter");
    const cases = page.locator(".would li");
    await cases.first().waitFor();
    expect(await cases.locator("code").allTextContents()).toEqual(["Bash git log -2", "Bash git log -1"]);
    expect(await page.locator(".would p").textContent()).toBe(
      "People answered otherwise 1 time; these come first.",
    );
    await page.getByRole("button", { name: /^Make it answer/ }).press("Enter");
    await page.getByRole("button", { name: "Undo: make it dry again" }).press("Enter");
    await expect
      .poll(() => status.textContent())
      .toMatch(/^r_\w+ is a new dry rule with the terms of r_\w+, and counts anew\.$/);
    expect(await rules()).toMatchObject([{ dry: true, match: { text: "git log" } }]);
  });
});
