// Panel: answers
// How approvals were answered: what the page tells, against what was said.

import { expect, it } from "vitest";
import { lineForAll, windowsForAll } from "../../support/panel/for-tests.ts";

const windows = windowsForAll();

const asked = (session: string, id: string, tool: string) => {
  const input = { command: id, file_path: "/x" };
  const call = { requestId: `r-${session}`, toolUseId: `t-${id}`, tool, input };
  return [
    ["tool.announced", call],
    ["approval.requested", { ...call, approvalId: id }],
  ] as const;
};

const line = lineForAll(async (line) => {
  const bash = [...asked("s1", "a", "Bash"), ...asked("s1", "b", "Bash")];
  await line.emit("w/s1", ["request.created", { requestId: "r-s1" }], ...bash);
  await line.emit("w/s2", ["request.created", { requestId: "r-s2" }], ...asked("s2", "c", "Edit"));
  const { inputHash } = await line.read<{ inputHash: string }>("/v1/approvals/a");
  await line.send("/v1/approvals/a/decision", { decision: "approve", inputHash });
  await line.send("/v1/approvals/b/decision", { decision: "deny" });
});

it("Panel, FIGURES-ANSWERS-1: by the keyboard, each approval is counted once in the table that is chosen", async () => {
  const page = await windows.openAt(line, "#/", "main");
  await page.keyboard.press("4");
  const rows = page.locator(".answers .wide tbody tr");
  await rows.first().waitFor();
  const summary = page.locator(".answers > p").first();
  expect(await summary.textContent()).toContain(
    "3 approvals came in the last 30 days: 2 answered here, 1 waiting.",
  );
  const after = page.locator(".answers > p").nth(1);
  expect(await after.textContent()).toBe("What agents did after 1 denial: nothing more (1).");
  expect(await rows.count()).toBe(1);
  await page.getByRole("button", { name: "Tool" }).press("Enter");
  await expect.poll(() => rows.count()).toBe(2);
  const cells = async (row: number): Promise<readonly string[]> =>
    (await rows.nth(row).locator("th, td.number").allTextContents()).slice(0, 4);
  expect(await cells(0)).toEqual(["Bash", "2", "1", "1"]);
  expect(await cells(1)).toEqual(["Edit", "1", "0", "0"]);
  expect(await rows.nth(1).getByRole("img").getAttribute("aria-label")).toBe("Waits: 1");
  // A reload and a link show the same table.
  await page.reload();
  await expect.poll(() => rows.count()).toBe(2);
  await page.getByRole("button", { name: "7 days" }).press("Enter");
  await expect.poll(() => summary.textContent()).toContain("in the last 7 days");
  await page.close();
});
