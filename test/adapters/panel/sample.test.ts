// Panel: the sample session
// What a newcomer does first: an empty page, a button, questions answered with single keys.

import { describe, expect, it } from "vitest";
import { chooseNext } from "../../support/panel/choose.ts";
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
    await expect.poll(() => empty.locator("p:not(.quiet)").count()).toBe(3);
    expect(await empty.getByRole("button", { name: "Play a sample session" }).count()).toBe(1);
    expect(await page.title()).toBe("Signalbox");
    expect(page.url()).not.toContain("token");
    await shoot(page, "empty-light");
  });

  it("Panel, HEARD-1: keys alone play the sample to its end: approved, then denied, and the rest ends with it", async () => {
    const page = await windows.open(line);
    await page.getByRole("button", { name: "Play a sample session" }).click();
    const open = page.locator(".card.open");
    await open.waitFor();
    await expect.poll(() => page.title()).toBe("(1) Signalbox");
    expect(await open.textContent()).toContain("npm test -- cart");
    await chooseNext(page);
    await page.keyboard.press("a");
    await page.locator(".card.committed", { hasText: "Run the cart's tests" }).waitFor();
    await open.filter({ hasText: "git log --oneline" }).waitFor();
    await chooseNext(page);
    const foreseen = open.locator(".consequence ol li");
    await foreseen.first().waitFor();
    const named = await foreseen.allTextContents();
    await shoot(page, "inbox-light");
    await page.keyboard.press("d");
    await page.keyboard.type("Look at the tests first.");
    await page.keyboard.press("Enter");
    const denied = page.locator(".card.committed", { hasText: "See who changed the cart last" });
    await denied.locator(".reached", { hasText: "Confirmed by the agent" }).waitFor();
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
      calls.slice(3).map(({ index, tool }) => `${index + 1} ${tool}`),
    );
  });

  it("Panel, SAMPLE-1: whoever began the sample may leave: its calls go on as they are answered, to their end", async () => {
    const page = await windows.open(line);
    await page.getByRole("button", { name: "Play a sample session" }).click();
    await page.locator(".card.open").waitFor();
    await page.close();
    const headers = { Authorization: `Bearer ${line.token}`, "Content-Type": "application/json" };
    interface Pending {
      readonly id: string;
      readonly workspace: string;
      readonly inputHash: string;
    }
    for (let answered = 0; answered < 5; answered += 1) {
      let items: readonly Pending[] = [];
      await expect
        .poll(
          async () =>
            ({ items } = await line.read<{ items: readonly Pending[] }>("/v1/approvals?state=pending")).items
              .length,
          { timeout: 15_000 },
        )
        .toBe(1);
      const [{ id, workspace, inputHash } = { id: "", workspace: "", inputHash: "" }] = items;
      const body = JSON.stringify({ decision: "approve", inputHash });
      const path = `${line.url}/v1/approvals/${id}/decision?workspace=${workspace}`;
      expect((await fetch(path, { method: "POST", headers, body })).status).toBe(200);
    }
    const { items: sessions } = await line.read<{ items: { id: string }[] }>("/v1/sessions");
    const request = `/v1/requests/${sessions[0]?.id}-1`;
    await expect
      .poll(async () => (await line.read<{ state: string }>(request)).state, { timeout: 15_000 })
      .toBe("completed");
    expect((await callsOf()).map(({ execution }) => execution)).toEqual(
      Array.from({ length: 10 }, () => "completed"),
    );
  });
});
