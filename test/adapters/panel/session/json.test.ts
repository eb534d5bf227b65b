// Panel: JSON
// Inputs and results that have parts are a tree: coloured, folded and unfolded by keys, and nothing of it left out.

import { describe, expect, it } from "vitest";
import { findingsOn, withAxe } from "../../../support/panel/axe.ts";
import { lineForAll, windowsForAll } from "../../../support/panel/for-tests.ts";

const windows = windowsForAll();

const INPUT = {
  query: "is:open",
  labels: ["bug", { color: "red\u202e", rank: 3, done: false, by: null }],
  many: Array.from({ length: 150 }, (_, n) => `item-${n}`),
  html: { "<b>name</b>": "<script>pwned('json')</script>" },
  nothing: {},
};
const call = { requestId: "r", toolUseId: "t1", tool: "mcp__tracker__find", input: INPUT };
const text = { requestId: "r", toolUseId: "t2", tool: "mcp__tracker__list", input: { page: 1 } };
const OUTPUT = '{"total": 2, "issues": [{"id": 12345678901234567890}]}';

const line = lineForAll((line) =>
  line.emit(
    "w/s",
    ["request.created", { requestId: "r", prompt: "Find them" }],
    ["request.processing", { requestId: "r" }],
    ["tool.started", call],
    ["tool.finished", { ...call, output: '[{"id": 7, "title": "Off by a cent"}]' }],
    ["tool.started", text],
    ["tool.finished", { ...text, output: OUTPUT }],
  ),
);

describe("the panel: JSON", () => {
  it("Panel, TREE-1: an input's parts are folded and unfolded by keys, and a long list is shown piece by piece", async () => {
    const page = await windows.open(line);
    await withAxe(page);
    await page.goto("/#/session/w/s/t1");
    await page.reload();
    const field = (name: string) =>
      page.locator(".details .fields > div", { has: page.locator(`dt:text-is("${name}")`) });
    const labels = field("labels").locator(".tree");
    await labels.waitFor();
    expect((await labels.innerText()).replace(/\s+/g, " ")).toContain('"rank": 3');
    expect(await labels.locator(".hljs-string, .hljs-number, .hljs-literal").allInnerTexts()).toEqual([
      '"bug"',
      "null",
      '"red<U+202E>"',
      "false",
      "3",
    ]);
    const colors = await page.evaluate<readonly string[]>(
      "Array.from(document.querySelectorAll('.details [class^=hljs]'), (each) => getComputedStyle(each).color)",
    );
    expect(new Set(colors).size).toBeGreaterThanOrEqual(3);
    const inner = labels.locator("summary").nth(1);
    await inner.focus();
    await page.keyboard.press("Enter");
    await expect.poll(() => labels.locator(".hljs-number").count()).toBe(0);
    expect(await inner.innerText()).toMatch(/4 fields/);
    await page.keyboard.press("Space");
    await expect.poll(() => labels.locator(".hljs-number").count()).toBe(1);
    const many = field("many").locator(".tree");
    expect(await many.locator(".hljs-string").count()).toBe(0);
    await many.locator("summary").click();
    await expect.poll(() => many.locator(".hljs-string").count()).toBe(100);
    await page.keyboard.press("v");
    await expect.poll(() => many.locator(".hljs-string").count()).toBe(150);
    expect(await field("html").locator(".tree").innerText()).toContain("<script>pwned('json')</script>");
    expect(await findingsOn(page)).toEqual([]);
  });

  it("Panel: a result that is JSON is a tree, or its text; one whose numbers would be rounded is text only", async () => {
    const page = await windows.openAt(line, "#/session/w/s/t1", ".details .output");
    const output = page.locator(".details .output");
    expect(await output.locator(".hljs-attr").allInnerTexts()).toEqual(['"id"', '"title"']);
    await output.getByRole("button", { name: "As text" }).click();
    await output.locator("pre", { hasText: '[{"id": 7, "title": "Off by a cent"}]' }).waitFor();
    await page.keyboard.press("j");
    await page.locator(".details pre", { hasText: OUTPUT }).waitFor();
    expect(await page.locator(".details .tree").count()).toBe(0);
  });
});
