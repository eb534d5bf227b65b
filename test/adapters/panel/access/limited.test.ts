// Panel: for those who are limited
// Somebody who may only look, in two of three workspaces: what they may not do is off, with the reason; nothing of the third is there.

import { describe, expect, it } from "vitest";
import { type Access, EVERYTHING, type Part } from "../../../../runtime/access-token.ts";
import { textAt } from "../../../support/engine/json.ts";
import { event, type Served, TOKEN } from "../../../support/http/served.ts";
import { chooseNext } from "../../../support/panel/choose.ts";
import { servedForEach, windowsForAll } from "../../../support/panel/for-tests.ts";

const windows = windowsForAll();
const ADA = { name: "http:ada", token: "the-token-of-ada-is-long-enough" };
const ROOT = { name: "http:root", token: TOKEN };
const LOOKING: Access = { parts: new Set<Part>(["view"]), workspaces: new Set(["shop", "web"]) };

const prepare = async (served: Served): Promise<void> => {
  for (const workspace of ["shop", "web", "canary"]) {
    const of = { subject: `${workspace}/${workspace}-chat` };
    const about = { requestId: `${workspace}-r`, tool: "Bash", input: { command: `make ${workspace}` } };
    await served.post("/v1/events", [
      event("request.created", { requestId: `${workspace}-r`, prompt: `about ${workspace}` }, of),
      event("approval.requested", { ...about, approvalId: `${workspace}-a` }, of),
    ]);
    const match = { kind: "prefix", text: `rm ${workspace}` };
    await served.post("/v1/rules", { workspace, effect: "deny", tool: "Bash", match });
  }
};
const served = servedForEach(prepare, () => ({ place: { tokens: [{ ...ADA, access: LOOKING }, ROOT] } }));
const open = () => windows.open({ url: served.standing.url, token: ADA.token });
const stateOf = async (id: string) => textAt((await served.now.get(`/v1/approvals/${id}`)).body, "state");

describe("the panel: for somebody who is limited", () => {
  it("PARTS-1: shows what waits in their workspaces, answers nothing, and says why; what is allowed later is on", async () => {
    const page = await open();
    await page.locator(".card.open").nth(1).waitFor();
    await page.keyboard.press("j");
    await page.locator(".lacks", { hasText: "may not decide" }).first().waitFor();
    expect(await page.locator(".lacks").first().textContent()).toContain("token add ada --may …,decide");
    expect(await page.getByRole("button", { name: /Approve|Deny|Allow like/ }).count()).toBe(0);
    for (const key of ["a", "d", "i", "e", "r"]) await page.keyboard.press(key);
    expect(await page.locator("form.reply").count()).toBe(0);
    expect([await stateOf("shop-a"), await stateOf("web-a")]).toEqual(["pending", "pending"]);
    served.now.http.admit([{ ...ADA, access: EVERYTHING }, ROOT]);
    await page
      .getByRole("button", { name: /^Approve/ })
      .first()
      .waitFor();
    expect(await page.locator(".lacks").count()).toBe(0);
    await page.reload();
    await page.locator(".card.open").nth(2).waitFor();
    await chooseNext(page);
    await page.keyboard.press("a");
    await page.locator(".card.committed").waitFor();
  });

  it("SCOPE-1: no view has a word of another workspace, and each says what is off", async () => {
    const page = await open();
    for (const [address, sign] of [
      ["#/inbox", ".card.open"],
      ["#/overview", ".overview"],
      ["#/rules", ".rules td"],
      ["#/answers", "h1"],
      ["#/letters", ".letters"],
      ["#/session/web/web-chat", "h1"],
    ] as const) {
      await page.goto(`/${address}`);
      await page.locator(sign).first().waitFor();
      await page.locator("main").getByText(/./).first().waitFor();
      const text = (await page.locator("body").textContent()) ?? "";
      expect([address, text]).toEqual([address, expect.not.stringMatching(/canary|undefined|NaN/)]);
    }
    await page.goto("/#/rules");
    await page.locator(".lacks", { hasText: "may not manage" }).waitFor();
    const takes = page.getByRole("button", { name: /^Remove/ });
    await takes.nth(1).waitFor();
    expect([await takes.count(), await takes.first().isDisabled()]).toEqual([2, true]);
  });
});
