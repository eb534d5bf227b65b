// Panel: moving about
// Where one is survives answering, reloading and going back; keys and focus stay with what is in front.

import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { CHOSEN, chooseNext } from "../../../support/panel/choose.ts";
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

describe("the panel: moving about", () => {
  let page: Page;
  const line = lineForEach(async (line) => {
    await line.emit("w/s", ["request.created", { requestId: "r" }], question(1), question(2), question(3));
    page = await windows.open(line);
    await page.locator(".card.open").nth(2).waitFor();
    await chooseNext(page);
  });

  const states = async (): Promise<readonly string[]> =>
    Promise.all(
      [1, 2, 3].map(async (n) => (await line.read<{ state: string }>(`/v1/approvals/a${n}`)).state),
    );
  const chosen = () => page.locator(CHOSEN).textContent();
  const goTo = (address: string) => page.evaluate(`location.hash = ${JSON.stringify(address)}`);

  it("Panel, CHOICE-1: a key pressed twice answers once: the next approval takes no key for a moment", async () => {
    await page.evaluate(`(async () => {
      for (let n = 0; n < 4; n += 1) {
        dispatchEvent(new KeyboardEvent("keydown", { key: "a" }));
        await new Promise((drawn) => setTimeout(drawn));
      }
    })()`);
    await page.locator(".card.committed").waitFor();
    expect(await chosen()).toContain("echo 2");
    expect(await states()).toEqual(["approved", "pending", "pending"]);
    await page.locator(`${CHOSEN}:not(.settling)`).waitFor();
    await page.keyboard.press("a");
    await page.locator(".card.committed").nth(1).waitFor();
    expect(await states()).toEqual(["approved", "approved", "pending"]);
  });

  it.each([1280, 800])(
    "Panel: at %i px, what comes in above the chosen approval does not push it out of sight; one scrolled away stays so",
    async (width) => {
      const isSeen = () =>
        page.evaluate<boolean>(`(() => {
          const [row, list] = ["${CHOSEN} header", ".cards"].map((each) => document.querySelector(each).getBoundingClientRect());
          return row.bottom > Math.max(0, list.top) && row.top < Math.min(innerHeight, list.bottom);
        })()`);
      const urgent = (n: number) =>
        ["approval.requested", { ...question(n)[1], input: { command: `rm -rf ~/${n}` } }] as const;
      await page.setViewportSize({ width, height: 500 });
      for (let n = 10; n < 30; n += 1) await line.emit("w/s", urgent(n));
      await page.locator(".card").nth(22).waitFor();
      await expect.poll(isSeen).toBe(true);
      expect(await chosen()).toContain("echo 1");
      await page.evaluate(`document.querySelector(".card").scrollIntoView()`);
      await expect.poll(isSeen).toBe(false);
      await line.emit("w/s", urgent(30));
      await page.locator(".card").nth(23).waitFor();
      expect(await isSeen()).toBe(false);
    },
  );

  it("Panel, CHOSEN-1: an approval that comes after the last one was answered is not chosen, and takes no key", async () => {
    for (const n of [1, 2, 3]) {
      await page.locator(`${CHOSEN}:not(.settling)`, { hasText: `echo ${n}` }).waitFor();
      await page.keyboard.press("a");
    }
    await page.locator(".card.committed").nth(2).waitFor();
    await page.evaluate(`(() => {
      const look = new MutationObserver(() => {
        if (!document.querySelector(".card.open")) return;
        look.disconnect();
        dispatchEvent(new KeyboardEvent("keydown", { key: "a" }));
        globalThis.isPressed = true;
      });
      look.observe(document.querySelector("main"), { childList: true, subtree: true });
    })()`);
    await line.emit("w/s", question(4));
    await expect.poll(() => page.evaluate("globalThis.isPressed === true")).toBe(true);
    await page.locator(".unchosen").waitFor();
    await page.keyboard.press("a");
    expect(await page.locator(CHOSEN).count()).toBe(0);
    expect((await line.read<{ state: string }>("/v1/approvals/a4")).state).toBe("pending");
  });

  it("Panel, CHOSEN-2: after a reload nothing is chosen, and a step leads to the one before; so does the way back from a session", async () => {
    await page.keyboard.press("j");
    await expect.poll(() => page.url()).toMatch(/#\/inbox\/[\w-]+\/a2$/);
    await page.reload();
    await page.locator(".card.open").nth(2).waitFor();
    await page.locator(".unchosen").waitFor();
    await page.keyboard.press("a");
    expect(await page.locator(CHOSEN).count()).toBe(0);
    await chooseNext(page);
    expect(await chosen()).toContain("echo 2");
    expect(await states()).toEqual(["pending", "pending", "pending"]);
    await page.keyboard.press("o");
    await page.locator("#session-title").waitFor();
    await page.goBack();
    await page.locator(CHOSEN, { hasText: "echo 2" }).waitFor();
    await page.goForward();
    await page.locator("#session-title").waitFor();
  });

  it("Panel: an address names an approval: a pending one is chosen; for any other the page says what became of it", async () => {
    await goTo("#/inbox/a3");
    await page.locator(CHOSEN, { hasText: "echo 3" }).waitFor();
    await line.emit("w/s", ["approval.answered", { approvalId: "a1", decision: "deny", by: "ann" }]);
    await page.locator(".card.gone").waitFor();
    await page.keyboard.press("c");
    await goTo("#/inbox/a1");
    await page.locator(".elsewhere", { hasText: "needs no answer any more: denied by ann" }).waitFor();
    await goTo("#/inbox/never-asked");
    await page.getByRole("alert").filter({ hasText: "never-asked" }).waitFor();
    expect(await page.locator(".card.open").count()).toBe(2);
  });

  it("Panel: answering with a button moves the focus to the next approval, where Enter does nothing", async () => {
    await page.getByRole("button", { name: "Approve" }).first().focus();
    await page.keyboard.press("Enter");
    await page.locator(".card.committed").waitFor();
    const focused = () => page.evaluate<string>("document.activeElement.textContent");
    await expect.poll(focused).toContain("echo 2");
    await page.keyboard.press("Enter");
    await page.keyboard.press("d");
    await page.keyboard.press("Escape");
    await expect.poll(focused).toContain("echo 2");
    expect(await states()).toEqual(["approved", "pending", "pending"]);
  });

  it("Panel, LAST-ANSWER-1: after the key a, focus is on the next approval, the receipt is told, and only a step leads on", async () => {
    const focused = () => page.evaluate<string>("document.activeElement.textContent");
    await page.locator(`${CHOSEN}:not(.settling)`).waitFor();
    await page.keyboard.press("a");
    await expect.poll(focused).toContain("echo 2");
    const said = page.getByRole("status").filter({ hasText: "echo 1" });
    await said.filter({ hasText: "Approved Saved" }).waitFor();
    await page.keyboard.press("Enter");
    expect(await states()).toEqual(["approved", "pending", "pending"]);
    await page.keyboard.press("j");
    await expect.poll(focused).toContain("echo 3");
    await said.waitFor({ state: "detached" });
    await page.keyboard.press("Tab");
    expect(await page.evaluate<boolean>(`document.activeElement.closest("${CHOSEN}") !== null`)).toBe(true);
  });

  it("Panel: the first Tab stop skips the bar: to what is chosen, else to the first that waits; elsewhere to the inbox", async () => {
    const skip = page.getByRole("link", { name: "Skip to what waits" });
    const focused = () => page.evaluate<string>("document.activeElement.textContent");
    const skipFrom = async (address: string): Promise<void> => {
      await page.goto(address);
      await page.locator(".link.live").waitFor();
      await page.locator("main h1").waitFor();
      await page.evaluate("document.activeElement.blur()");
      expect((await skip.boundingBox())?.width).toBe(1);
      await page.keyboard.press("Tab");
      expect(await focused()).toBe("Skip to what waits");
      expect((await skip.boundingBox())?.width).toBeGreaterThan(24);
      await page.keyboard.press("Enter");
    };
    await skipFrom("/?again#/");
    expect(await focused()).toBe("Bash");
    await page.keyboard.press("Enter");
    await page.locator(CHOSEN, { hasText: "echo 1" }).waitFor();
    await goTo("#/inbox/w/a2");
    await page.locator(CHOSEN, { hasText: "echo 2" }).waitFor();
    await skip.focus();
    await page.keyboard.press("Enter");
    expect(await focused()).toContain("echo 2");
    await skipFrom("/?rules#/rules");
    await page.locator("#inbox-title").waitFor();
    expect(await page.evaluate("document.activeElement.tagName")).toBe("MAIN");
    expect(await states()).toEqual(["pending", "pending", "pending"]);
  });

  it("Panel: Tab and Enter alone choose an approval", async () => {
    await page.locator(".card h2 button").last().focus();
    await page.keyboard.press("Enter");
    await page.locator(CHOSEN, { hasText: "echo 3" }).waitFor();
    expect(await page.evaluate<string>("document.activeElement.textContent")).toContain("echo 3");
  });

  it("Panel, KEYBOARD-1: behind the sheet of keys no key acts, and closing it restores the focus", async () => {
    await page.getByRole("button", { name: "Keyboard shortcuts" }).click();
    await page.getByRole("dialog").waitFor();
    for (const key of ["a", "j", "2"]) await page.keyboard.press(key);
    await page.keyboard.press("?");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    expect(await chosen()).toContain("echo 1");
    expect(await states()).toEqual(["pending", "pending", "pending"]);
    expect(await page.evaluate<string>("document.activeElement.getAttribute('aria-label')")).toBe(
      "Keyboard shortcuts",
    );
  });

  it("Panel: the tab's title shows the count first, then the current view", async () => {
    await expect.poll(() => page.title()).toBe("(3) Signalbox");
    await line.emit("w/named", ["session.started", { title: "Mend the cart" }]);
    await goTo("#/session/w/named");
    await expect.poll(() => page.title()).toBe("(3) Mend the cart – Signalbox");
    await goTo("#/overview");
    await expect.poll(() => page.title()).toBe("(3) Overview – Signalbox");
  });
});
