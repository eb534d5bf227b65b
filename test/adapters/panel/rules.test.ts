// Panel: rules
// A rule made of a card, without a mouse: what is like it is answered, and the rule is listed and taken away.

import { describe, expect, it } from "vitest";
import type { RuleView } from "../../../runtime/reading/rules.ts";
import { chooseNext } from "../../support/panel/choose.ts";
import { lineForEach, windowsForAll } from "../../support/panel/for-tests.ts";

const windows = windowsForAll();

const question = (id: string, command: string) => {
  const call = { requestId: "r", toolUseId: `t-${id}`, tool: "Bash", input: { command } };
  return [
    ["tool.announced", call],
    ["approval.requested", { ...call, approvalId: id }],
  ] as const;
};

describe("the panel: rules", () => {
  const line = lineForEach();
  const approval = (id: string) => line.read<{ state: string; by?: string }>(`/v1/approvals/${id}`);
  const rules = async () => (await line.read<{ items: readonly RuleView[] }>("/v1/rules")).items;

  it("Panel, RULE-FORM-1: a rule is made of a card by the keyboard; its own approval is approved, the next is answered", async () => {
    await line.emit(
      "w/rules",
      ["session.started", { cwd: "/home/ann/shop" }],
      ["request.created", { requestId: "r" }],
      ...question("a1", "npm run test:unit"),
    );
    const page = await windows.open(line);
    await chooseNext(page);
    await page.keyboard.press("r");
    const form = page.locator(".allow-like-this form");
    await form.locator("select").first().selectOption("1");
    await form.getByLabel("It begins with").fill("npm run test:unit | sh");
    await page.keyboard.press("Enter");
    await expect
      .poll(() => form.getByRole("status").textContent())
      .toContain("must be the words of one plain command");
    expect((await approval("a1")).state).toBe("pending");
    await form.getByLabel("It begins with").fill("npm run");
    await form.locator("select").last().selectOption({ label: "5 times" });
    await form.getByRole("button", { name: "Try it on what was asked before" }).press("Enter");
    await expect
      .poll(() => form.getByRole("status").textContent())
      .toContain("Of 1 approvals it would have allowed 1");
    await form.getByRole("button", { name: "Make the rule and approve" }).press("Enter");
    await expect.poll(async () => (await approval("a1")).by).toMatch(/^local:/);
    const [rule] = await rules();
    expect(rule).toMatchObject({
      effect: "allow",
      session: "rules",
      uses: 5,
      match: { kind: "prefix", text: "npm run" },
    });
    expect(rule?.madeBy).toMatch(/^local:/);
    expect(rule?.expiresAt).toBe((rule?.madeAt ?? 0) + 3_600_000);
    await line.emit(
      "w/rules",
      ...question("a2", "npm run lint"),
      ...question("a3", "npm run lint; rm -rf /"),
    );
    expect(await approval("a2")).toMatchObject({ state: "approved", by: `rule:${rule?.id}` });
    expect((await approval("a3")).state).toBe("pending");
    await page.goto("/#/session/w/rules/t-a2");
    await expect
      .poll(() => page.locator(".answered-by-rule").textContent())
      .toMatch(/^Allowed by rule r_\w+, made by local:/);
  });

  it("Panel: the rules in force are listed, behind the key 3, and removed by the keyboard", async () => {
    const rule = {
      workspace: "w",
      effect: "deny",
      tool: "Bash",
      match: { kind: "prefix", text: "rm" },
      note: "<b>no</b>\u202e",
    };
    const { id } = (await line.send<{ rule: RuleView }>("/v1/rules", rule)).rule;
    const page = await windows.open(line);
    await page.keyboard.press("3");
    const row = page.locator(".rules tbody tr");
    await row.waitFor();
    expect(await row.textContent()).toContain("Bash rm … · <b>no</b><U+202E>");
    await page.getByRole("button", { name: `Remove ${id}` }).press("Enter");
    await expect
      .poll(() => page.locator(".rules [role=status]").textContent())
      .toBe(`The rule ${id} is removed, and answers nothing any more.`);
    expect(await rules()).toEqual([]);
    await page.keyboard.press("Escape");
    await page.locator(".rules").waitFor({ state: "detached" });
  });

  it("Panel, RULE-FORM-1: a dry rule made of a card leaves it open; its record is listed, and one key makes it answer", async () => {
    await line.emit("w/dry", ["request.created", { requestId: "r" }], ...question("a1", "npm run test:unit"));
    const page = await windows.open(line);
    await chooseNext(page);
    await page.keyboard.press("r");
    const form = page.locator(".allow-like-this form");
    await form.getByLabel("Only count at first").press("Space");
    await form.getByRole("button", { name: "Make the dry rule" }).press("Enter");
    await expect.poll(async () => (await rules()).length).toBe(1);
    expect((await approval("a1")).state).toBe("pending");
    await line.emit("w/dry", ...question("a2", "npm run test:unit"));
    const { inputHash } = await line.read<{ inputHash: string }>("/v1/approvals/a2");
    await line.send("/v1/approvals/a2/decision", { decision: "approve", inputHash });
    await page.keyboard.press("Escape");
    await page.keyboard.press("3");
    const row = page.locator(".rules tbody tr");
    await expect
      .poll(() => row.textContent())
      .toContain("would have answered 1 of 1, otherwise than a person 0 times");
    const { id = "" } = (await rules())[0] ?? {};
    await page.getByRole("button", { name: `Make it answer: ${id}` }).press("Enter");
    await expect
      .poll(() => page.locator(".rules [role=status]").textContent())
      .toBe(`The rule ${id} answers approvals from now on.`);
    expect((await rules())[0]).not.toHaveProperty("dry");
  });

  it("Panel, RULING-4: a rule whose time has passed is shown as expired at once, though nothing happens in the engine", async () => {
    const made = (text: string, ms: number) =>
      line.send("/v1/rules", {
        workspace: "w",
        effect: "allow",
        tool: "Bash",
        match: { kind: "prefix", text },
        expiresAt: Date.now() + ms,
      });
    await made("npm run", 3_600_000);
    await made("npm test", 2_000);
    const page = await windows.open(line);
    await page.keyboard.press("3");
    const row = (text: string) => page.locator(".rules tbody tr", { hasText: text });
    await expect.poll(() => row("npm test").textContent()).toMatch(/expired \d+ s ago/);
    expect(await row("npm run").textContent()).not.toContain("expired");
    expect((await rules()).map(({ state }) => state)).toEqual(["in-force", "in-force"]);
  });
});
