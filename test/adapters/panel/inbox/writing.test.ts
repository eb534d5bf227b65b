// Panel: writing an answer
// An approval that is answered elsewhere while somebody writes to it: what is typed on is meant for no other one.

import { describe, expect, it } from "vitest";
import { chooseNext } from "../../../support/panel/choose.ts";
import { lineForEach, windowsForAll } from "../../../support/panel/for-tests.ts";

const windows = windowsForAll();

const question = (n: number) =>
  [
    "approval.requested",
    {
      requestId: "r",
      toolUseId: `t${n}`,
      tool: "Bash",
      input: { command: `echo ${n}` },
      approvalId: `a${n}`,
    },
  ] as const;

describe("the panel: writing an answer", () => {
  const line = lineForEach();
  const stateOf = async (id: string) => (await line.read<{ state: string }>(`/v1/approvals/${id}`)).state;

  it("Panel, REPLY-WRITING-1: an approval is answered elsewhere while its denial is written: what is typed on answers no other one", async () => {
    await line.emit("w/lost", ["request.created", { requestId: "r" }], question(1), question(2), question(3));
    const page = await windows.open(line);
    await chooseNext(page);
    await page.keyboard.press("d");
    await page.keyboard.type("not now, ");
    await line.send("/v1/approvals/a1/decision?workspace=w", { decision: "deny" });
    await page.getByText("It needs no answer any more").waitFor();
    await page.keyboard.type("because a deploy card runs", { delay: 60 });
    await page.keyboard.press("Enter");
    expect(await page.locator("textarea").inputValue()).toBe("not now, because a deploy card runs");
    await page.keyboard.press("Escape");
    await page.locator("textarea").waitFor({ state: "detached" });
    await chooseNext(page);
    await page.keyboard.press("a");
    await page.locator(".card.committed").waitFor();
    const states = await Promise.all(["a1", "a2", "a3"].map(stateOf));
    expect(states).toEqual(["denied", "approved", "pending"]);
  });

  it("Panel: while a denial is written, a more urgent one of another session comes in above: no letter is lost", async () => {
    await line.emit("w/calm", ["request.created", { requestId: "r" }], question(1));
    const page = await windows.open(line);
    await chooseNext(page);
    await page.keyboard.press("d");
    await page.keyboard.type("not now, ");
    const urgent = { ...question(2)[1], requestId: "r2", input: { command: "rm -rf ~/2" } };
    await line.emit("w/urgent", ["request.created", { requestId: "r2" }], [
      "approval.requested",
      urgent,
    ] as const);
    await page.locator(".card", { hasText: "rm -rf" }).waitFor();
    expect(await page.locator(".card").first().textContent()).toContain("rm -rf");
    await page.keyboard.type("we deploy");
    await page.keyboard.press("Enter");
    await page.locator(".card.committed").waitFor();
    expect(await line.read("/v1/approvals/a1")).toMatchObject({
      state: "denied",
      message: "not now, we deploy",
    });
    expect(await stateOf("a2")).toBe("pending");
  });

  it("Panel, REPLY-WRITING-1: the same while a rule is made of it: no rule is made, no other one is answered", async () => {
    await line.emit("w/lost", ["request.created", { requestId: "r" }], question(1), question(2));
    const page = await windows.open(line);
    await chooseNext(page);
    await page.keyboard.press("r");
    const form = page.getByRole("region", { name: "Allow like this" });
    const field = form.locator("input.code");
    await form.locator("select").first().selectOption({ index: 1 });
    await field.focus();
    await line.send("/v1/approvals/a1/decision?workspace=w", { decision: "deny" });
    await form.getByText("It needs no answer any more").waitFor();
    await page.keyboard.type("aAdc", { delay: 60 });
    await page.keyboard.press("Enter");
    expect(await field.inputValue()).toMatch(/aAdc$/);
    await page.keyboard.press("Escape");
    await form.waitFor({ state: "detached" });
    expect(await line.read("/v1/rules")).toMatchObject({ items: [] });
    expect(await Promise.all(["a1", "a2"].map(stateOf))).toEqual(["denied", "pending"]);
  });
});
