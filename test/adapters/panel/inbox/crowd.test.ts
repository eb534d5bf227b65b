// Panel: a crowd
// Two thousand questions at once: the oldest are at hand, a key acts on the one that is chosen, the page stays as
//                                 small as with a hundred.

import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { CHOSEN, chooseNext } from "../../../support/panel/choose.ts";
import { lineForAll, windowsForAll } from "../../../support/panel/for-tests.ts";

const COUNT = 2_000;
const PER_SESSION = 200;
/** So many in a row are about the same input. */
const ALIKE = 45;
/** Of many answers the last one takes its time. */
const SLOW = { timeout: 20_000 };

const nameOf = (n: number): string => `q${String(n).padStart(4, "0")}`;
const numbers = (from: number, until: number): readonly number[] =>
  Array.from({ length: until - from }, (_, n) => from + n);

const windows = windowsForAll();
const line = lineForAll(async (line) => {
  for (let from = 0; from < COUNT; from += PER_SESSION) {
    const requestId = `r${from}`;
    await line.emit(
      `w/s${String(from).padStart(4, "0")}`,
      ["request.created", { requestId }],
      ...numbers(from, from + PER_SESSION).map((n) => {
        const call = { requestId, toolUseId: `t${n}`, tool: "Bash" };
        const input = { command: `block ${Math.floor(n / ALIKE)}` };
        return ["approval.requested", { ...call, input, approvalId: nameOf(n) }] as const;
      }),
    );
  }
});

const approved = async (): Promise<readonly string[]> => {
  const { items } = await line.read<{ items: readonly { id: string }[] }>(
    "/v1/approvals?state=approved&limit=1000",
  );
  return items.map(({ id }) => id).sort();
};

/** The id of the chosen question, as the address has it once it was moved to. */
const chosenId = (page: Page): Promise<string> =>
  page.evaluate<string>("location.hash.replace(/^#.inbox.?(w.)?/, '')");

/** The hundred that the page has, each in a row of its own. */
async function unfold(page: Page): Promise<void> {
  await page.getByRole("heading", { name: /^(9[1-9]|100) approvals/ }).waitFor(SLOW);
  const folded = page.getByRole("button", { name: /^Show all \d+/ });
  while ((await folded.count()) > 0) await folded.first().click();
}

/** One key, and once more on the list it shows. */
async function approveAlike(page: Page): Promise<void> {
  await page.keyboard.press("A");
  await page
    .getByRole("dialog")
    .getByRole("button", { name: /^Approve/ })
    .click();
}

describe("the panel: a crowd", () => {
  it("Panel: of two thousand approvals the oldest hundred are shown, read in one request", async () => {
    const page = await windows.open(line);
    const asked: string[] = [];
    const behind: string[] = [];
    page.on("request", (request) => {
      const path = new URL(request.url()).pathname;
      // That somebody looks at an approval is told after a moment, and reads nothing.
      if (path.endsWith("/looking")) return;
      (/\/(precedents|conversation|tool-calls)$/.test(path) ? behind : asked).push(path);
    });
    // A page that has chosen an approval has its id in the address: reloaded, it would also ask what became of that one.
    const [address = ""] = page.url().split("#");
    await page.goto("about:blank");
    asked.length = behind.length = 0;
    await page.goto(address);
    await unfold(page);
    await chooseNext(page);
    await page.locator(`${CHOSEN} .consequence`).waitFor();
    await page.getByRole("region", { name: "The same call before" }).waitFor();
    // What stands behind the chosen one: three requests, and one more for its step in the batch.
    expect(behind.length).toBeLessThanOrEqual(4);
    expect(await page.locator(".card").count()).toBe(100);
    expect(await page.locator(CHOSEN).textContent()).toContain("block 0");
    // The hundred once, or twice where the stream began later; then what the chosen one's answer would do.
    expect(asked.filter((path) => path === "/v1/approvals").length).toBeLessThanOrEqual(2);
    // The chosen one is read again after a while, four times at most, for words that come late.
    expect(asked.filter((path) => path.startsWith("/v1/approvals/")).length).toBeLessThanOrEqual(12);
    const different = new Set(asked.filter((path) => !path.startsWith("/app/")));
    expect([...different].filter((path) => path.startsWith("/v1/approvals/")).length).toBeLessThanOrEqual(2);
    expect(
      asked.filter((path) => path.startsWith("/v1/tool-calls/") || path.startsWith("/v1/sessions/w")),
    ).toEqual([]);
    // The page's own files are counted by their size (load).
    expect(different.size).toBeLessThan(12);
    await page.context().close();
  });

  it("Panel, CHOICE-1, ORDER-1: among two thousand a key acts on the chosen one, and new ones appear behind it", async () => {
    const page = await windows.open(line);
    await unfold(page);
    for (let n = 0; n < 4; n += 1) await page.keyboard.press("j");
    await expect.poll(() => chosenId(page)).toBe(nameOf(3));
    await page.locator(`${CHOSEN}:not(.settling)`).waitFor();
    await page.keyboard.press("a");
    await page.locator(".card.committed").waitFor();
    expect(await approved()).toEqual([nameOf(3)]);
    await expect.poll(() => chosenId(page)).toBe(nameOf(4));
    await page.locator(`${CHOSEN}:not(.settling)`).waitFor();
    await approveAlike(page);
    await expect.poll(async () => (await approved()).length, SLOW).toBe(ALIKE);
    expect(await approved()).toEqual(numbers(0, ALIKE).map(nameOf));
    await page.locator(`${CHOSEN}:not(.settling)`, { hasText: "block 1" }).waitFor();
    await approveAlike(page);
    await expect.poll(async () => (await approved()).length, SLOW).toBe(2 * ALIKE);
    expect(await approved()).toEqual(numbers(0, 2 * ALIKE).map(nameOf));
    // Ten were left of the first hundred: the next oldest came up behind them.
    await unfold(page);
    await expect.poll(() => page.locator(".card.open").count(), SLOW).toBeGreaterThan(90);
    expect(await page.locator(".card.gone").count()).toBe(0);
    expect(await page.locator(CHOSEN).textContent()).toContain("block 2");
    const open = await page.locator(".card.open .gist").allTextContents();
    const blocks = open.map((text) => Number(/block (\d+)/.exec(text)?.[1]));
    expect(blocks).toEqual(blocks.toSorted((a, b) => a - b));
    await page.context().close();
  });

  it("Panel, INBOX-MODEL-1: however many are answered, the page keeps a hundred of them", async () => {
    const page = await windows.open(line);
    await page.getByRole("heading", { name: "100 approvals" }).waitFor();
    await chooseNext(page);
    for (let count = (await approved()).length; count < 3 * 100; count = (await approved()).length) {
      await page.locator(`${CHOSEN}.open:not(.settling)`).waitFor();
      await approveAlike(page);
      await expect.poll(async () => (await approved()).length, SLOW).toBeGreaterThan(count);
      await expect.poll(() => page.locator(":is(.card.sending, .card.held)").count(), SLOW).toBe(0);
    }
    const show = page.getByRole("button", { name: /answered earlier: show/ });
    if ((await show.count()) > 0) await show.click();
    expect(await page.locator(".card.committed").count()).toBe(100);
    expect(await page.locator(".card").count()).toBeLessThanOrEqual(220);
    await page.context().close();
  });
});
