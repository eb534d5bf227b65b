// Panel: a small phone
// A window of 360 × 740 px while an alarm is shown: nothing is wider than the window, and no box covers what is needed.

import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { CHOSEN, seen } from "../../../support/panel/choose.ts";
import { lineForEach, windowsForAll } from "../../../support/panel/for-tests.ts";

const windows = windowsForAll();
const WIDTH = 360;
const SMALL = { viewport: { width: WIDTH, height: 740 }, isMobile: true, hasTouch: true };

const call = (n: number, command: string, tool = "Bash") => ({
  ...{ requestId: "r1", toolUseId: `t${n}`, tool, input: { command } },
});
const LONG = call(2, `git push origin ${"a-long-name-of-a-branch-".repeat(4)}`);
const denied = call(1, "make clean");
const line = lineForEach((line) =>
  line.emit(
    "w/s",
    [
      "session.started",
      {
        title: "The total is off by a cent",
        cwd: "/home/you/a-long-name-of-a-folder",
        client: "Claude Code 2.1.80",
      },
    ],
    ["request.created", { requestId: "r1" }],
    ...[denied, LONG].map((each) => ["tool.announced", each] as const),
    ["approval.requested", { ...denied, approvalId: "a1" }],
    ["approval.answered", { approvalId: "a1", decision: "deny", by: "ann" }],
    ["tool.finished", { ...denied, output: "ran all the same" }],
    ["tool.finished", { ...LONG, output: "ok" }],
    ...[3, 4, 5].map(
      (n) => ["approval.requested", { ...call(n, `make step-${n}`), approvalId: `a${n}` }] as const,
    ),
  ),
);

const boxOf = async (page: Page, selector: string) => {
  const box = await page.locator(selector).first().boundingBox();
  if (!box) throw new Error(`${selector} is not to be seen.`);
  return { ...box, right: box.x + box.width, bottom: box.y + box.height };
};
const widthOf = (page: Page) => page.evaluate<number>("document.documentElement.scrollWidth");

it("RULE-FORM-1, SEEN-2: on a small phone the input is still in sight beside the form, whose button makes the rule and approves", async () => {
  const page = await windows.openAt(line, "#/inbox/w/a4", CHOSEN, SMALL);
  await seen(page, "step-4");
  await page.getByRole("button", { name: "Allow like this" }).tap();
  const form = page.getByRole("region", { name: "Allow like this" });
  await form.locator("select").first().waitFor();
  expect(await widthOf(page)).toBe(WIDTH);
  const [input, sheet] = [await boxOf(page, `${CHOSEN} .input`), await boxOf(page, ".allow-like-this")];
  expect(input.y).toBeLessThan(sheet.y);
  await form.getByRole("button", { name: "Make the rule and approve" }).tap();
  await page.locator(".card.committed", { hasText: "step-4" }).waitFor();
  expect((await line.read<{ items: readonly unknown[] }>("/v1/rules")).items).toHaveLength(1);
});

it("Panel: on a small phone an alarm covers neither the chosen approval's name nor itself, and all of the bar's first line is reached", async () => {
  const page = await windows.openAt(line, "#/inbox/w/a5", `${CHOSEN} .seen`, SMALL);
  const bar = await boxOf(page, ".bar");
  expect((await boxOf(page, `${CHOSEN} h2`)).y).toBeGreaterThanOrEqual(bar.bottom);
  await page.locator(".alarms summary").tap();
  const list = await boxOf(page, ".alarms ul");
  expect([list.x >= 0, list.right <= WIDTH]).toEqual([true, true]);
  const places = [".bar nav a >> nth=3", ".bar .find", ".bar .menu"].map((each) => boxOf(page, each));
  const [answers, find, more] = await Promise.all(places);
  expect([find?.y, more?.y]).toEqual([answers?.y, answers?.y]);
  expect(more?.right).toBeLessThanOrEqual(WIDTH);
});

it("Panel: on a small phone long calls before the chosen one do not widen the page, and a session's title is whole", async () => {
  const page = await windows.openAt(line, "#/inbox/w/a4", CHOSEN, SMALL);
  await page.getByText("Before this call").tap();
  await page.locator(".background li", { hasText: "a-long-name" }).waitFor();
  expect(await widthOf(page)).toBe(WIDTH);
  const cut = `[...document.querySelectorAll(".group .session-title")].filter((it) => it.scrollWidth > it.clientWidth)`;
  expect(await page.evaluate(`${cut}.length`)).toBe(0);
});

it("Panel: on a small phone the approval after a snoozed one begins below the bar", async () => {
  const page = await windows.openAt(line, "#/inbox/w/a4", CHOSEN, SMALL);
  await seen(page, "step-4");
  await page.locator(`${CHOSEN} .snooze summary`).tap();
  await page.getByRole("button", { name: "1 hour" }).tap();
  await seen(page, "step-5");
  expect((await boxOf(page, `${CHOSEN} h2`)).y).toBeGreaterThanOrEqual((await boxOf(page, ".bar")).bottom);
});
