// Panel: a phone
// From the link in a notification to the receipt with a thumb alone, and on to the next approval with one tap.

import { expect, it } from "vitest";
import { CHOSEN, seen } from "../../../support/panel/choose.ts";
import { lineForEach, threeAsked, windowsForAll } from "../../../support/panel/for-tests.ts";

const windows = windowsForAll();
const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };
const line = lineForEach(threeAsked((n) => `make step-${n}`));

it("Panel: on a phone a link leads to its approval, a tap answers it, and the receipt is told", async () => {
  const page = await windows.openAt(line, "#/inbox/w/a2", CHOSEN, PHONE);
  await seen(page, "step-2");
  await page.getByRole("button", { name: "Approve", exact: false }).first().tap();
  await seen(page, "step-3");
  await line.emit("w/s", ["approval.taken", { approvalId: "a2", by: "bot" }]);
  await page.locator(".card.committed .steps .reached", { hasText: /taken/i }).waitFor();
});

it("ANSWERS-1: on a phone the buttons stay where they are when no other approval waits any more", async () => {
  const page = await windows.openAt(line, "#/inbox/w/a1", CHOSEN, PHONE);
  await seen(page, "step-1");
  const buttons = page.locator(`${CHOSEN} .answers`).getByRole("button");
  const places = async () =>
    Promise.all(
      ["Approve", "Deny…", "Deny and interrupt…", "Edit input…", "Allow like this…"].map(
        async (name) => (await buttons.filter({ hasText: name }).first().boundingBox())?.y,
      ),
    );
  const before = await places();
  // The call after it is denied with it.
  await line.send("/v1/approvals/a2/decision", { decision: "deny" });
  await buttons.filter({ hasText: "Next" }).waitFor({ state: "detached" });
  expect(await places()).toEqual(before);
});

it("LAST-ANSWER-1: on a phone the receipt stays in sight above the buttons of the next one, until another is opened or it is put away", async () => {
  const page = await windows.openAt(line, "#/inbox/w/a1", CHOSEN, PHONE);
  const last = page.locator(".last-answer p");
  const answer = async (n: number): Promise<void> => {
    await seen(page, `step-${n}`);
    await page.locator(`${CHOSEN} .answers .approve`).tap();
    await last.filter({ hasText: `make step-${n}` }).waitFor();
  };
  await answer(1);
  await line.emit("w/s", ["approval.taken", { approvalId: "a1", by: "bot" }]);
  await last.filter({ hasText: "Taken by the agent" }).waitFor();
  const [bar, buttons] = [await last.boundingBox(), await page.locator(`${CHOSEN} .answers`).boundingBox()];
  expect(bar && buttons && bar.y > 0 && bar.y + bar.height <= buttons.y).toBe(true);
  await page.locator(`${CHOSEN} .answers`).getByRole("button", { name: "Next" }).tap();
  await last.waitFor({ state: "detached" });
  await answer(3);
  await page.getByRole("button", { name: "Put away" }).tap();
  await last.waitFor({ state: "detached" });
  await answer(2);
});

it("Panel, CHOSEN-5: on a phone one tap leads to the next approval, without an answer, and round to the first", async () => {
  const page = await windows.openAt(line, "#/", ".card.open", PHONE);
  await page.getByRole("button", { name: "Next approval" }).tap();
  for (const step of ["step-1", "step-2", "step-3", "step-1"]) {
    await seen(page, step);
    await page.locator(`${CHOSEN} .answers`).getByRole("button", { name: "Next" }).tap();
  }
  await seen(page, "step-2");
  const { items } = await line.read<{ items: readonly unknown[] }>("/v1/approvals?state=pending");
  expect(items).toHaveLength(3);
});

it("Panel: on a phone the choices of the filters are folded until a tap unfolds them", async () => {
  const call = { requestId: "r1", toolUseId: "t4", tool: "Read", input: { command: "make step-4" } };
  await line.emit("w/other", ["approval.requested", { ...call, approvalId: "a4" }]);
  const page = await windows.openAt(line, "#/", ".card.open >> nth=3", PHONE);
  const tools = page.getByLabel("Tool");
  expect(await tools.isVisible()).toBe(false);
  await page.getByRole("button", { name: "Filter", exact: true }).tap();
  await tools.selectOption("Read");
  await expect.poll(() => page.locator(".card").count()).toBe(1);
});

it("Panel: on a phone Allow like this is among the buttons under the thumb, and its form comes into sight", async () => {
  const page = await windows.openAt(line, "#/inbox/w/a1", CHOSEN, PHONE);
  await seen(page, "step-1");
  const button = page.locator(`${CHOSEN} .answers`).getByRole("button", { name: "Allow like this" });
  await button.tap();
  const form = page.getByRole("region", { name: "Allow like this" });
  await form.locator("select").first().waitFor();
  const make = await form.getByRole("button", { name: "Make the rule and approve" }).boundingBox();
  expect(make && make.y + make.height <= PHONE.viewport.height).toBe(true);
  await form.getByRole("button", { name: "Back" }).tap();
  await form.waitFor({ state: "detached" });
});

it("PARTS-PATH-1: on a phone the row of a call about a file shows the file's name, however long its folders are", async () => {
  const file_path = `/home/you/${"a-long-name-of-a-folder/".repeat(6)}tax.ts`;
  const about = { requestId: "r1", toolUseId: "t9", tool: "Read", input: { file_path }, approvalId: "a9" };
  await line.emit("w/s", ["approval.requested", about]);
  const page = await windows.openAt(line, "#/", ".card.open >> nth=3", PHONE);
  const gist = page.locator(".card .gist", { hasText: "tax.ts" });
  expect(await gist.textContent()).toBe(file_path);
  const [row, name] = [
    await gist.boundingBox(),
    await gist.getByText("/tax.ts", { exact: true }).boundingBox(),
  ];
  if (!row || !name) throw new Error("The name is not to be seen.");
  expect(name.x + name.width).toBeLessThanOrEqual(row.x + row.width + 1);
  expect(name.x).toBeGreaterThan(row.x + row.width / 2);
});
