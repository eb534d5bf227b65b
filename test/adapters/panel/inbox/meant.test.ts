// Panel: the approval that is meant
// A key, a tap or a held answer reaches the approval that a person saw and meant; where that one is gone, none.

import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { CHOSEN, chooseNext, SEEN, seen } from "../../../support/panel/choose.ts";
import { lineForEach, windowsForAll } from "../../../support/panel/for-tests.ts";
import { shoot } from "../../../support/panel/page.ts";

const windows = windowsForAll();
const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };

const asks = (id: string, command: string) =>
  [
    "approval.requested",
    { requestId: "r", toolUseId: `t-${id}`, tool: "Bash", input: { command }, approvalId: id },
  ] as const;
const question = (n: number) => asks(`a${n}`, `echo ${n}`);
const denied = (n: number) =>
  ["approval.answered", { approvalId: `a${n}`, decision: "deny", by: "ann" }] as const;

/** Holds back the making of rules. @returns the function that lets it go on. */
async function holdRules(page: Page): Promise<() => void> {
  let go: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (go = resolve));
  await page.route("**/v1/rules", async (asking) => {
    await held;
    await asking.continue();
  });
  return go;
}

describe("the panel: the approval that is meant", () => {
  const line = lineForEach((line) =>
    line.emit("w/s", ["request.created", { requestId: "r" }], question(1), question(2), question(3)),
  );
  const stateOf = async (id: string) => (await line.read<{ state: string }>(`/v1/approvals/${id}`)).state;
  const states = () => Promise.all([1, 2, 3].map((n) => stateOf(`a${n}`)));
  const isChosen = (page: Page) => page.locator(CHOSEN).count();
  const told = (page: Page, text: string) => page.locator(".elsewhere:focus", { hasText: text }).waitFor();
  /** Each key that answers, and letters of a text. */
  const pressAll = async (page: Page): Promise<void> => {
    for (const key of ["a", "A", "d", "e", "i"]) await page.keyboard.press(key);
    expect(await page.locator("textarea, dialog[open]").count()).toBe(0);
  };

  it("Panel, CHOSEN-1, ELSEWHERE-1: a dead link chooses nothing, says what became of it, and the focus goes there; nor does what comes after it choose", async () => {
    await line.emit("w/s", denied(1), ["approval.withdrawn", { approvalId: "a2" }]);
    const page = await windows.openAt(line, "#/inbox/w/a1", ".card.open");
    await told(page, "needs no answer any more: denied by ann");
    await shoot(page, "dead-link-1280");
    await pressAll(page);
    await line.emit("w/s", asks("b1", "rm -rf ~/1"));
    await page.locator(".card.open").nth(1).waitFor();
    await pressAll(page);
    await page.evaluate(`location.hash = "#/inbox/w/a2"`);
    await told(page, "withdrawn");
    await page.evaluate(`location.hash = "#/inbox/w/never-asked"`);
    await told(page, "never-asked");
    await pressAll(page);
    expect(await isChosen(page)).toBe(0);
    expect([...(await states()), await stateOf("b1")]).toEqual(["denied", "withdrawn", "pending", "pending"]);
    // With the hand on the page, keys are keys again.
    await page.locator("h1").click();
    await chooseNext(page);
    await page.keyboard.press("a");
    await page.locator(".card.committed").waitFor();
  });

  it("Panel, CHOSEN-1, ELSEWHERE-1: on a phone, focus leaves what was answered elsewhere, and no tap or key answers another", async () => {
    const page = await windows.openAt(line, "#/inbox/w/a1", SEEN, PHONE);
    const approve = page.getByRole("button", { name: /^Approve/ });
    await approve.focus();
    await line.emit("w/s", denied(1));
    await told(page, "denied by ann");
    expect(await isChosen(page)).toBe(0);
    expect(await page.locator(".answers").count()).toBe(0);
    await shoot(page, "answered-elsewhere-390");
    await page.keyboard.press("Enter");
    await pressAll(page);
    expect(await states()).toEqual(["denied", "pending", "pending"]);
  });

  it("Panel, REPLY-WRITING-2, TYPING-1: what is typed after the key of a denial that opened no field chooses and answers nothing", async () => {
    const page = await windows.openAt(line, "#/inbox/w/a1", SEEN);
    await line.emit("w/s", denied(1));
    await told(page, "denied by ann");
    await page.keyboard.press("d");
    // Slow enough for a card to be seen between two letters.
    await page.keyboard.type("j a jam a", { delay: 350 });
    expect(await isChosen(page)).toBe(0);
    expect(await states()).toEqual(["denied", "pending", "pending"]);
  });

  it("Panel, CHOSEN-1: a change of order leaves the choice where it is; a filter that hides it ends it", async () => {
    const page = await windows.openAt(line, "#/inbox/w/a2", SEEN);
    await line.emit("w/s", asks("b1", "rm -rf ~/1"));
    await page.locator(".card", { hasText: "rm -rf" }).waitFor();
    await seen(page, "echo 2");
    await page.getByRole("searchbox", { name: "Filter by words" }).fill("echo 3");
    await page.locator(".unchosen").waitFor();
    await page.getByRole("button", { name: "Show all" }).click();
    await page.locator(".card.open").nth(3).waitFor();
    await pressAll(page);
    expect(await isChosen(page)).toBe(0);
    expect([...(await states()), await stateOf("b1")]).toEqual(Array.from({ length: 4 }, () => "pending"));
  });

  it("Panel, SEEN-2, CHOICE-1: what was chosen by hand or by a link takes no key at once, nor one that was pressed before it was shown", async () => {
    const page = await windows.openAt(line, "#/inbox", ".card.open");
    await page.evaluate(`globalThis.early = new KeyboardEvent("keydown", { key: "a", bubbles: true })`);
    for (const choose of [
      `location.hash = "#/inbox/w/a3"`,
      `document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "k", bubbles: true }))`,
      `document.querySelector(".card h2 button").click()`,
    ]) {
      await page.evaluate(`(async () => {
        ${choose};
        // However slow the page is, it was not seen for long enough by then.
        for (const began = performance.now(); ; ) {
          await new Promise((drawn) => requestAnimationFrame(drawn));
          if (performance.now() - began > 250) break;
          document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "a", bubbles: true }));
          document.querySelector(".answers .approve")?.click();
        }
      })()`);
      await seen(page);
      await page.evaluate("document.body.dispatchEvent(early)");
    }
    expect(await page.locator(".card.open").count()).toBe(3);
    expect(await states()).toEqual(["pending", "pending", "pending"]);
  });

  it("Panel, EYE-1: scrolled away or behind a sheet it is not seen: a key brings it back, and the next one answers", async () => {
    for (let n = 10; n < 30; n += 1) await line.emit("w/s", question(n));
    const page = await windows.openAt(line, "#/inbox/w/a1", SEEN, { viewport: { width: 800, height: 600 } });
    await page.keyboard.press("?");
    await page.locator("dialog[open]").waitFor();
    await page.evaluate(`(async () => {
      document.querySelector("dialog[open]").close();
      await new Promise((drawn) => requestAnimationFrame(drawn));
      document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "a", bubbles: true }));
    })()`);
    await seen(page);
    await page.evaluate("scrollTo(0, document.body.scrollHeight)");
    await page.locator(`${CHOSEN}.settling`).waitFor();
    const approve = page.locator(`${CHOSEN} .actions .approve`);
    expect(await approve.getAttribute("title")).toContain("Read the input first");
    await page.keyboard.press("a");
    expect(await stateOf("a1")).toBe("pending");
    await seen(page, "echo 1");
    expect((await approve.getAttribute("title")) ?? "").toBe("");
    await page.keyboard.press("a");
    await page.locator(".card.committed").waitFor();
    expect(await states()).toEqual(["approved", "pending", "pending"]);
  });

  it("Panel, BULK-1: a tap at once on the list that asks once more answers nothing", async () => {
    const page = await windows.openAt(line, "#/inbox/w/a1", SEEN);
    await page.evaluate(`(async () => {
      document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "A", bubbles: true }));
      while (!document.querySelector("dialog.bulk[open]")) await new Promise((drawn) => requestAnimationFrame(drawn));
      document.querySelector("dialog.bulk .approve").click();
    })()`);
    const dialog = page.getByRole("dialog");
    await dialog.waitFor();
    expect(await page.locator(".card.open").count()).toBe(3);
    await dialog.getByRole("button", { name: "Approve 1" }).click();
    await page.locator(".card.held").waitFor();
  });

  it("Panel, HELD-3, INBOX-SENDING-1, SEEN-1: an answer that is held goes out for what was seen: one that has another input by then gets none", async () => {
    await line.emit("w/s", asks("b1", "echo 1"));
    const page = await windows.openAt(line, "#/inbox/w/a1", SEEN);
    let isChanged = false;
    await page.route(/\/v1\/approvals\/a1\?/, async (asking) => {
      if (!isChanged) return asking.continue();
      const { pathname, search } = new URL(asking.request().url());
      const body = await line.read<object>(pathname + search);
      await asking.fulfill({ json: { ...body, input: { command: "rm" }, inputHash: "0".repeat(64) } });
    });
    await page.keyboard.press("A");
    await page.getByRole("dialog", { name: "Approve these 2?" }).waitFor();
    isChanged = true;
    // It is read again for its agent's words.
    await page.waitForResponse(/\/v1\/approvals\/a1\?/);
    await page.getByRole("dialog").getByRole("button", { name: "Approve 2" }).click();
    await page.locator(".card.committed").waitFor();
    await page.locator(".card.open", { hasText: "The approval has changed since you saw it" }).waitFor();
    expect([await stateOf("a1"), await stateOf("b1")]).toEqual(["pending", "approved"]);
  });

  it("Panel, RULE-FORM-2: what is chosen while a rule is made stays chosen, and the rule's own approval is answered", async () => {
    const page = await windows.openAt(line, "#/inbox/w/a1", SEEN);
    const go = await holdRules(page);
    await page.keyboard.press("r");
    await page.getByRole("button", { name: "Make the rule and approve" }).click();
    await page.locator(".card h2 button").last().click();
    await seen(page, "echo 3");
    go();
    await page.locator(".card.committed", { hasText: "echo 1" }).waitFor();
    await seen(page, "echo 3");
    expect(await states()).toEqual(["approved", "pending", "pending"]);
  });

  it("RULE-FORM-4: two presses before the engine replies make one rule", async () => {
    const page = await windows.openAt(line, "#/inbox/w/a1", SEEN);
    const go = await holdRules(page);
    await page.keyboard.press("r");
    const make = page.getByRole("button", { name: "Make the rule and approve" });
    await make.click();
    await make.click();
    go();
    await page.locator(".card.committed").waitFor();
    const { items } = await line.read<{ items: readonly object[] }>("/v1/rules?workspace=w");
    expect(items).toHaveLength(1);
  });
});
