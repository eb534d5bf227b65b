// Panel: nesting
// Subagents below the calls that started them: in rows, in a search, at a moment past, and where a denial reaches.

import type { Page } from "playwright-core";
import { afterAll, describe, expect, it } from "vitest";
import { findingsOn, withAxe } from "../../../support/panel/axe.ts";
import { chooseNext } from "../../../support/panel/choose.ts";
import { windowsForAll } from "../../../support/panel/for-tests.ts";
import { DEFAULT_CONFIGURATION } from "../../../../runtime/config.ts";
import { Line, shoot } from "../../../support/panel/page.ts";
import { NESTED, playNested } from "../../../support/panel/nested.ts";

const windows = windowsForAll();
const lines: Line[] = [];
afterAll(async () => {
  for (const line of lines) await line.stop();
});

/** The session on an engine of its own. */
async function lineUnder(policy: "strict" | "interrupt"): Promise<Line> {
  const cascade = { default: policy };
  const line = new Line();
  await line.start({ configuration: { ...DEFAULT_CONFIGURATION, cascade } });
  lines.push(line);
  await playNested(line);
  return line;
}

async function openSession(line: Line, options = {}): Promise<Page> {
  const page = await windows.open(line, options);
  await page.goto(`/#/session/${NESTED}`);
  await page.locator(".call").first().waitFor();
  return page;
}

/** Each row as `<level> <tool> <state>`, where the level is what a reader of the screen is told. */
const rows = (page: Page): Promise<readonly string[]> =>
  page.evaluate(`[...document.querySelectorAll(".call")].map((row) => {
    const level = /level (\\d+)/.exec(row.querySelector("th").textContent)?.[1] ?? "0";
    return [level, row.querySelector("th a").textContent, row.querySelector(".chip").textContent].join(" ");
  })`);

const ALL = [
  "0 Task Running",
  "1 Read Completed",
  "1 Task Running",
  "2 Grep Completed",
  "2 Bash asks you",
  "2 Bash Queued",
  "1 Write Queued",
  "0 Write Queued",
];

interface Change {
  readonly version: number;
  readonly entity: string;
  readonly id: string;
  readonly view: { readonly parentCallId?: string };
}

describe("the panel: nesting", () => {
  it("Panel, I-47: a subagent's calls stand below the call that started it, two levels deep, each indented further", async () => {
    const page = await openSession(await lineUnder("strict"));
    expect(await rows(page)).toEqual(ALL);
    expect(await page.locator("caption").allTextContents()).toEqual(["batch 1 · 2 calls · 6 of subagents"]);
    const left = async (nth: number): Promise<number> =>
      (await page.locator(".call th a").nth(nth).boundingBox())?.x ?? 0;
    const [main, inner, deep] = [await left(0), await left(1), await left(3)];
    expect(inner).toBeGreaterThan(main);
    expect(deep).toBeGreaterThan(inner);
    expect(await left(7)).toBe(main);
  });

  it("Panel: a search and a filter show matches in place, below the calls that lead to them", async () => {
    const page = await openSession(await lineUnder("strict"));
    await page.getByRole("searchbox").fill("coverage");
    await expect.poll(() => rows(page)).toEqual([ALL[0], ALL[2], ALL[5]]);
    expect(await page.locator(".call.around").count()).toBe(2);
    expect(await page.locator("caption").textContent()).toBe("batch 1 · 0 calls · 1 of subagents");
    await page.getByRole("searchbox").fill("");
    await page.getByRole("button", { name: "completed" }).click();
    await expect.poll(() => rows(page)).toEqual([ALL[0], ALL[1], ALL[2], ALL[3]]);
    await page.getByRole("searchbox").fill("NOTES.md");
    await page.getByText("No call fits.").waitFor();
  });

  it("Panel, HISTORY-HISTORY-1: at every past moment, the calls seen by then stand below those that started them", async () => {
    const line = await lineUnder("strict");
    const page = await openSession(line);
    const { items } = await line.read<{ items: readonly Change[] }>(
      "/v1/sessions/review/history?workspace=shop-4f2a91&limit=1000",
    );
    const levels = new Map<string, number>();
    await page.keyboard.press("{");
    for (const { entity, id, view } of items.toSorted((a, b) => a.version - b.version)) {
      const { parentCallId: parent } = view;
      if (entity === "toolcall") levels.set(id, parent === undefined ? 0 : (levels.get(parent) ?? 0) + 1);
      const seen = (await rows(page)).map((row) => Number(row.split(" ")[0]));
      expect(seen.toSorted((a, b) => a - b)).toEqual([...levels.values()].toSorted((a, b) => a - b));
      await page.keyboard.press("]");
    }
    expect([...levels.values()]).toHaveLength(ALL.length);
  });

  it("Panel, I-10: strict: a denial inside takes the later calls of its batch, and its rail ends there", async () => {
    const line = await lineUnder("strict");
    const page = await openSession(line);
    await line.emit(NESTED, ["approval.answered", { approvalId: "q-run", decision: "deny", by: "ann" }]);
    await page.locator(".call.cause").waitFor();
    expect(await page.locator(".call.cause .gist").allTextContents()).toEqual(["npm test -- empty-cart"]);
    expect(await page.locator(".call.taken .gist").allTextContents()).toEqual(["rm -rf coverage"]);
    expect(await page.locator(".call.passed").count()).toBe(0);
  });

  it("Panel, I-10, I-47: interrupt: a denial inside ends the whole turn: predicted in the inbox; a call that had begun is without a result", async () => {
    const line = await lineUnder("interrupt");
    const page = await windows.open(line);
    await chooseNext(page);
    await page.locator(".card.open .consequence").waitFor();
    await page.keyboard.press("i");
    await page.getByText("Denying and interrupting also cancels 5 later calls").waitFor();
    expect(await page.locator(".consequence details").first().locator("li").count()).toBe(5);
    await page.keyboard.type("Not now.");
    await page.keyboard.press("Control+Enter");
    await page.locator(".card").getByText("Denied", { exact: true }).waitFor();
    await page.goto(`/#/session/${NESTED}`);
    await page.locator(".call.taken").first().waitFor();
    // The denial may come while the session is read: its changes are drawn one after another.
    await expect
      .poll(() => rows(page))
      .toEqual([
        "0 Task No result reported · interrupted",
        "1 Read Completed",
        "1 Task No result reported · interrupted",
        "2 Grep Completed",
        "2 Bash Denied",
        "2 Bash Denied · with another call",
        "1 Write No result reported · interrupted",
        "0 Write No result reported · interrupted",
      ]);
    const marks = await page.evaluate<readonly string[]>(
      `[...document.querySelectorAll(".call")].map((row) => ["cause", "taken", "passed"].find((each) => row.classList.contains(each)))`,
    );
    expect(marks).toEqual([
      ...[undefined, undefined, undefined, undefined, "cause", "taken", undefined, undefined],
    ]);
    await shoot(page, "nesting-cascade-light-1280");
  });

  it.each((["light", "dark"] as const).flatMap((scheme) => [1280, 390].map((width) => ({ scheme, width }))))(
    "Panel: $scheme at $width px, nothing found by axe and no sideways scrolling",
    async ({ scheme, width }) => {
      const page = await openSession(lines[0] ?? (await lineUnder("strict")), {
        colorScheme: scheme,
        viewport: { width, height: width < 600 ? 844 : 900 },
        reducedMotion: "reduce",
      });
      await shoot(page, `nesting-${scheme}-${width}`);
      await withAxe(page);
      await page.reload();
      await page.locator(".call").first().waitFor();
      expect(await findingsOn(page)).toEqual([]);
      await page.getByRole("searchbox").fill("coverage");
      await page.locator(".call.around").first().waitFor();
      await shoot(page, `nesting-search-${scheme}-${width}`);
      expect(await findingsOn(page)).toEqual([]);
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(width);
    },
  );
});
