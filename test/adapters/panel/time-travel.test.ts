// Panel: time travel
// At every version the page shows what the engine's history says up to it, folded here by other means.

import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { lineForAll, windowsForAll } from "../../support/panel/for-tests.ts";
import { DENIED, playSessions } from "../../support/panel/sessions.ts";

const windows = windowsForAll();
const line = lineForAll(playSessions);

interface Change {
  readonly version: number;
  readonly entity: string;
  readonly id: string;
  readonly to: string;
  readonly view: { readonly execution?: string; readonly approval?: { readonly state: string } };
}

async function history(): Promise<readonly Change[]> {
  const { items } = await line.read<{ items: readonly Change[] }>(
    "/v1/sessions/rounding/history?workspace=shop-4f2a91&limit=1000",
  );
  return items.toSorted((a, b) => a.version - b.version);
}

/** One press of the key a version, from the first to the last. @returns what `look` saw at each. */
async function atEach(page: Page, count: number, look: () => Promise<unknown>): Promise<readonly unknown[]> {
  const seen: unknown[] = [];
  await page.keyboard.press("{");
  for (let n = 0; n < count; n += 1) {
    seen.push(await look());
    await page.keyboard.press("]");
  }
  return seen;
}

describe("the panel: time travel", () => {
  it("Panel, HISTORY-HISTORY-1: at each version the timeline shows the states of all calls up to it", async () => {
    const page = await windows.open(line);
    await page.goto(`${line.url}/#/session/${DENIED}`);
    await page.locator(".call").first().waitFor();
    const changes = await history();
    const calls = new Map<string, string>();
    const asked = new Map<string, string>();
    const expected = changes.map(({ version, entity, id, to, view }) => {
      if (entity === "toolcall") calls.set(id, view.execution ?? to);
      if (entity === "approval") asked.set(id, to);
      const inState = (map: ReadonlyMap<string, string>, wanted: string): number =>
        [...map.values()].filter((state) => state === wanted).length;
      return {
        version,
        calls: calls.size,
        asking: inState(asked, "pending"),
        denied: inState(calls, "denied"),
        completed: inState(calls, "completed"),
      };
    });
    const seen = await atEach(page, changes.length, () =>
      page.evaluate(`(() => {
      const all = (selector) => document.querySelectorAll(selector).length;
      const words = document.querySelector(".moment").textContent;
      return {
        version: Number(/version (\\d+)/.exec(words)[1]),
        calls: all(".call"),
        asking: all(".call.asking"),
        denied: all(".call .chip.denied"),
        completed: all(".call .chip.completed"),
      };
    })()`),
    );
    expect(seen).toEqual(expected);
    expect(expected.length).toBeGreaterThan(25);
  });

  it("Panel, HISTORY-HISTORY-1: at each version of a call its chart lights the states it was in", async () => {
    const page = await windows.open(line);
    await page.goto(`${line.url}/#/machine/${DENIED}/call/r1-call-2`);
    await page.locator(".state.lit").first().waitFor();
    const own = (await history()).filter(({ entity, id }) => entity === "toolcall" && id === "r1-call-2");
    const expected = own.map(({ view }) => [view.execution, view.approval?.state ?? "none"]);
    const seen = await atEach(page, own.length, () =>
      page.locator(".state.lit:not(.outer) text").allTextContents(),
    );
    expect(seen).toEqual(expected);
    expect(await page.locator(".arrow.step").count()).toBe(1);
  });

  it("Panel: a past moment stays while new things happen, and one key returns to now", async () => {
    const page = await windows.open(line);
    await page.goto(`${line.url}/#/session/${DENIED}`);
    await page.locator(".call").first().waitFor();
    await page.keyboard.press("{");
    const words = () => page.locator(".moment").textContent();
    const before = await words();
    await line.emit(DENIED, ["request.created", { requestId: "later", prompt: "Something later" }]);
    const newest = (await history()).at(-1)?.version;
    await expect
      .poll(() => page.locator(".scrubber input").getAttribute("max"))
      .toBe(String(Number(newest) - 1));
    expect(await words()).toBe(before);
    expect(await page.getByText("Something later").count()).toBe(0);
    await page.keyboard.press("}");
    await page.getByRole("heading", { name: "Something later" }).waitFor();
    expect(await page.locator(".moment .now").count()).toBe(1);
  });
});
