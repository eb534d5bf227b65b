// Panel: the sample session
// What a newcomer does first: an empty page, a button, questions answered with single keys.

import { describe, expect, it } from "vitest";
import { lineForEach, windowsForAll } from "../../support/panel/for-tests.ts";
import { shoot } from "../../support/panel/page.ts";

const windows = windowsForAll();
const line = lineForEach();

interface Call {
  readonly tool: string;
  readonly index: number;
  readonly execution: string;
  readonly denial?: { readonly cause: string; readonly message?: string };
}
async function callsOf(): Promise<readonly Call[]> {
  const { items: sessions } = await line.read<{ items: { id: string; workspace: string }[] }>("/v1/sessions");
  const [session] = sessions;
  if (!session) return [];
  const path = `/v1/sessions/${session.id}/tool-calls?workspace=${session.workspace}&limit=100`;
  const { items } = await line.read<{ items: readonly Call[] }>(path);
  return items.toSorted((a, b) => a.index - b.index);
}

describe("the panel: empty, and the sample session", () => {
  it("Panel: an empty inbox says in three lines what to do and offers a sample", async () => {
    const page = await windows.open(line);
    const empty = page.locator(".empty");
    expect(await empty.locator("p:not(.quiet)").count()).toBe(3);
    expect(await empty.getByRole("button", { name: "Play a sample session" }).count()).toBe(1);
    expect(await page.title()).toBe("Signalbox");
    expect(page.url()).not.toContain("token");
    await shoot(page, "empty-light");
  });

  it("Panel, INBOX-MODEL-2: keys alone play the sample to its end: approved, then denied, and the rest ends with it", async () => {
    const page = await windows.open(line);
    await page.getByRole("button", { name: "Play a sample session" }).click();
    const open = page.locator(".card.open");
    await open.waitFor();
    expect(await page.title()).toBe("(1) Signalbox");
    expect(await open.textContent()).toContain("npm test -- cart");
    await page.keyboard.press("a");
    await page.locator(".card.committed", { hasText: "Run the cart's tests" }).waitFor();
    await open.filter({ hasText: "git log --oneline" }).waitFor();
    const foreseen = open.locator(".consequence ol li");
    await foreseen.first().waitFor();
    const named = await foreseen.allTextContents();
    await shoot(page, "inbox-light");
    await page.keyboard.press("d");
    await page.keyboard.type("Look at the tests first.");
    await page.keyboard.press("Enter");
    const denied = page.locator(".card.committed", { hasText: "See who changed the cart last" });
    await denied.locator(".reached", { hasText: "confirmed by the agent" }).waitFor();
    await expect
      .poll(async () => (await callsOf()).filter(({ execution }) => execution === "denied").length)
      .toBe(8);
    const calls = await callsOf();
    expect(calls.map(({ execution }) => execution)).toEqual([
      ...["completed", "completed"],
      ...Array.from({ length: 8 }, () => "denied"),
    ]);
    expect(calls[2]?.denial).toMatchObject({ cause: "direct", message: "Look at the tests first." });
    expect(named.map((text) => text.split(" ").slice(0, 2).join(" "))).toEqual(
      calls.slice(2).map(({ index, tool }) => `${index + 1} ${tool}`),
    );
  });
});
