// Panel: snoozed and saved
// What one person keeps for themselves: approvals to look at later, and filters under a name.

import { expect, it } from "vitest";
import { CHOSEN, seen } from "../../../support/panel/choose.ts";
import { lineForEach, windowsForAll } from "../../../support/panel/for-tests.ts";

const windows = windowsForAll();
const call = (n: number, more: object = {}) =>
  [
    "approval.requested",
    {
      ...{ requestId: "r1", toolUseId: `t${n}`, tool: n % 2 === 0 ? "Read" : "Bash", approvalId: `a${n}` },
      ...{ input: { command: `make step-${n}` }, ...more },
    },
  ] as const;
const line = lineForEach((line) =>
  line.emit("w/s", ["request.created", { requestId: "r1" }], call(1), call(2), call(3)),
);
const MINUTE_MS = 60_000;

it("SNOOZED-1: what is snoozed leaves the list and the count of whoever did it, and nobody else's; a reload keeps that", async () => {
  const page = await windows.openAt(line, "#/inbox/w/a1", CHOSEN);
  const other = await windows.openAt(line, "#/", ".card.open >> nth=2");
  await seen(page, "step-1");
  await page.locator(".snooze > summary").click();
  await page.getByRole("button", { name: "1 hour" }).click();
  await expect.poll(() => page.locator(".card.open").count()).toBe(2);
  await seen(page);
  await page.getByRole("heading", { name: "2 approvals" }).waitFor();
  expect(await page.title()).toMatch(/^\(2\)/);
  expect(await other.locator(".card.open").count()).toBe(3);
  await page.goto("/?again#/");
  await page.getByRole("button", { name: "1 snoozed" }).click();
  await page.locator(".card.open", { hasText: "step-1" }).click();
  await page.getByRole("button", { name: "Show it again" }).click();
  await page.getByRole("heading", { name: "3 approvals" }).waitFor();
});

it("SNOOZED-3: the key s and Enter snooze, the page says until when, and the key u takes it back", async () => {
  const page = await windows.openAt(line, "#/inbox/w/a1", `${CHOSEN} .snooze`);
  const said = page.getByRole("status").locator("p", { hasText: "Snoozed until" });
  await seen(page, "step-1");
  await page.keyboard.press("s");
  await page.keyboard.press("Enter");
  await said.waitFor();
  expect(await said.textContent()).toMatch(/^Snoozed until .*\d\d.*\.Undo u$/);
  await page.getByRole("heading", { name: "2 approvals" }).waitFor();
  await seen(page);
  await page.keyboard.press("u");
  await page.getByRole("heading", { name: "3 approvals" }).waitFor();
  await expect.poll(() => page.locator(".bar .count").textContent()).toBe("3");
  await seen(page, "step-1");
  expect(await page.getByText("Snoozed").count()).toBe(0);
});

it("SNOOZED-2: a snooze ends by itself, at its time or before the deadline; a link to the approval ends it at once", async () => {
  await line.emit("w/s", call(5, { deadlineAt: Date.now() + 30 * MINUTE_MS }));
  const page = await windows.openAt(line, "#/inbox/w/a5", CHOSEN);
  await page.clock.install();
  await page.goto("/?clock#/inbox/w/a5");
  const { deadlineAt = 0 } = await line.read<{ readonly deadlineAt?: number }>("/v1/approvals/a5");
  expect(deadlineAt).toBeGreaterThan(Date.now() + 25 * MINUTE_MS);
  const snooze = async (): Promise<void> => {
    await page.locator(`${CHOSEN} [data-approval=a5]`).waitFor();
    await page.locator(".snooze > summary").click();
    await page.getByRole("button", { name: "4 hours" }).click();
    await page.getByRole("button", { name: "1 snoozed" }).waitFor();
    await page.waitForURL((url) => !url.hash.includes("a5"));
  };
  await snooze();
  await page.evaluate(`location.hash = "#/inbox/w/a5"`);
  await snooze();
  const backIn = async () => deadlineAt - 5 * MINUTE_MS - (await page.evaluate<number>("Date.now()"));
  await page.clock.fastForward((await backIn()) - MINUTE_MS);
  expect(await page.locator(".card.open > header .gist", { hasText: "step-5" }).count()).toBe(0);
  await page.clock.fastForward(MINUTE_MS + 1_000);
  await page.locator(".card.open > header .gist", { hasText: "step-5" }).waitFor();
});

it("FILTER-VIEWS-1: a saved view shows the same after a reload, whatever was filtered before", async () => {
  const page = await windows.openAt(line, "#/?tool=Bash", ".card.open");
  await page.getByRole("button", { name: "Save this view…" }).click();
  await page.getByLabel("Name of the view").fill("Commands");
  await page.keyboard.press("Enter");
  await page.goto("/?again#/?text=step-2");
  await expect.poll(() => page.locator(".card.open").count()).toBe(1);
  await page.getByRole("button", { name: "Commands" }).click();
  await expect.poll(() => page.locator(".card.open").count()).toBe(2);
  expect(await page.getByRole("button", { name: "Commands" }).getAttribute("aria-pressed")).toBe("true");
  await page.getByRole("button", { name: "Remove this view" }).click();
  expect(await page.getByRole("button", { name: "Commands" }).count()).toBe(0);
});

it("TEAM-KEPT-1, TEAM-KEPT-2: another person's list, and what has another form, is not shown", async () => {
  const page = await windows.openAt(line, "#/", ".card.open");
  const mine = `signalbox.views/${await page.evaluate<string>(`fetch("/v1/me").then((a) => a.json()).then((me) => me.name)`)}`;
  const filter = { text: "", tool: "Bash", session: "", workspace: "", risk: "" };
  const lists = { [mine]: [{ name: "Mine", filter }, { name: 7, filter }, { name: "Odd" }, null] };
  const all = { ...lists, "signalbox.views/http:zoe": [{ name: "Hers", filter }] };
  await page.evaluate(
    `for (const [k, v] of Object.entries(${JSON.stringify(all)})) localStorage.setItem(k, JSON.stringify(v))`,
  );
  await page.goto("/?again#/");
  await page.getByRole("button", { name: "Mine" }).waitFor();
  expect(await page.locator(".views button").allTextContents()).toEqual(["Mine"]);
});
