// Panel: votes
// An approval that others are to give as well: what the card says, before and after one has approved.

import { userInfo } from "node:os";
import { expect, it } from "vitest";
import { chooseNext } from "../../../support/panel/choose.ts";
import { lineForEach, windowsForAll } from "../../../support/panel/for-tests.ts";

const windows = windowsForAll();
const call = { requestId: "r1", toolUseId: "t1", tool: "Bash", input: { command: "make release" } };
const me = userInfo().username;
const rule = (more: object) => ({ workspace: "w", effect: "ask", tool: "Bash", ...more });
const line = lineForEach(async (line) => {
  await line.send("/v1/rules", rule({ approvers: [{ name: me }] }));
  await line.send("/v1/rules", rule({ approvers: [{ name: "zoe" }, { name: "ann" }], approvals: 2 }));
  await line.emit("w/s", ["request.created", { requestId: "r1" }], ["tool.announced", call]);
  await line.emit("w/s", ["approval.requested", { ...call, approvalId: "a1" }]);
});

it("Panel, APPROVAL-3, VOTES-TEXT-1: one approval leaves the card open and says who is missing; a second one of the same person is turned away", async () => {
  const page = await windows.open(line);
  await chooseNext(page);
  const said = () => page.locator(".card .votes").allTextContents();
  const missing = (given: string) => [
    "Only you may approve it.",
    `0 of 2 people have approved${given}. Only zoe, ann may approve it. Still needed: zoe and ann.`,
  ];
  await expect.poll(said).toEqual(missing(""));
  await page.keyboard.press("a");
  await expect.poll(said).toEqual(missing(": you"));
  await expect.poll(() => page.locator(".card.open").count()).toBe(1);
  await chooseNext(page);
  await page.keyboard.press("a");
  await page.getByText("you approved it already").waitFor();
  expect(await line.read("/v1/approvals/a1")).toMatchObject({ state: "pending", votes: [{ via: "panel" }] });
});
