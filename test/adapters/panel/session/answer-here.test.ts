// Panel: answers in a session
// A call that waits is answered beside the timeline, with the inbox's own parts: by hand, by keys, and not where nobody waits.

import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { findingsOn, withAxe } from "../../../support/panel/axe.ts";
import { lineForEach, windowsForAll } from "../../../support/panel/for-tests.ts";

const windows = windowsForAll();

const call = (id: string, command: string) => ({
  ...{ toolUseId: `t-${id}`, tool: "Bash", input: { command } },
});
/** Calls of one message, all of which wait. */
const asked = (
  ...all: readonly { readonly id: string; readonly command: string; readonly more?: object }[]
) => [
  ...all.map(({ id, command }, n) => {
    const place = { messageId: `m-${all[0]?.id}`, blockIndex: n };
    return ["tool.announced", { ...call(id, command), ...place }] as const;
  }),
  ...all.map(
    ({ id, command, more }) =>
      ["approval.requested", { ...call(id, command), approvalId: id, channel: "gateway", ...more }] as const,
  ),
];

const ASKING = ".details .approval.open:not(.settling)";

describe("the panel: answers in a session", () => {
  const line = lineForEach((line) =>
    line.emit(
      "w/s",
      ["session.started", { title: "Deploy", cwd: "/home/you/shop" }],
      ["request.created", { requestId: "r" }],
      ["request.processing", { requestId: "r" }],
      ...asked(
        { id: "a1", command: "make deploy" },
        { id: "a2", command: "make docs" },
        { id: "watched", command: "git push", more: { channel: "hook" } },
      ),
    ),
  );
  const stateOf = async (id: string) => (await line.read<{ state: string }>(`/v1/approvals/${id}`)).state;
  const states = () => Promise.all(["a1", "a2", "watched"].map(stateOf));
  const openAt = (id: string, options = {}): Promise<Page> =>
    windows.openAt(line, `#/session/w/s/t-${id}`, ".details .approval .fields", options);

  it("Panel, REPLY-WRITING-1: an approval is withdrawn while its denial is written beside the call: nothing else is answered", async () => {
    const page = await openAt("a1");
    await page.locator(ASKING).waitFor();
    await page.keyboard.press("d");
    await page.keyboard.type("not ");
    await line.emit("w/s", ["approval.withdrawn", { approvalId: "a1" }]);
    await page.getByText("It needs no answer any more").waitFor();
    await page.keyboard.type("a jam", { delay: 60 });
    await page.keyboard.press("Enter");
    expect(await page.locator("textarea").inputValue()).toBe("not a jam");
    await page.keyboard.press("Escape");
    await page.locator("textarea").waitFor({ state: "detached" });
    expect(await states()).toEqual(["withdrawn", "pending", "pending"]);
  });

  it("Panel: a call that waits is opened from its row, answered by a key, and says how far the answer got", async () => {
    const page = await windows.openAt(line, "#/session/w/s", ".call.asking");
    await page.locator(".call", { hasText: "make deploy" }).getByText("asks you").click();
    const card = page.locator(ASKING);
    await card.locator(".fields", { hasText: "make deploy" }).waitFor();
    await card.locator(".consequence").waitFor();
    expect(await page.locator(".details h3", { hasText: "Input" }).count()).toBe(0);
    await page.keyboard.press("a");
    const reached = () => page.locator(".details .steps .reached").count();
    await expect.poll(reached).toBe(2);
    expect(await states()).toEqual(["approved", "pending", "pending"]);
    expect(new URL(page.url()).hash).toBe("#/session/w/s/t-a1");
    await line.emit("w/s", ["approval.taken", { approvalId: "a1", by: "bot" }]);
    await expect.poll(reached).toBe(3);
    await line.emit("w/s", ["tool.finished", { ...call("a1", "make deploy"), output: "done" }]);
    await expect.poll(reached).toBe(4);
    await page.locator(".details", { hasText: "done" }).waitFor();
  });

  it("Panel: it is denied with a reason by keys alone, and while that is written no key leads away", async () => {
    const page = await openAt("a2");
    await page.locator(ASKING).waitFor();
    await page.keyboard.press("d");
    await page.keyboard.type("just not now");
    await page.evaluate("document.activeElement.blur()");
    for (const key of ["j", "k", "m", "a"]) await page.keyboard.press(key);
    expect(await page.locator("textarea").inputValue()).toBe("just not now");
    await page.locator("textarea").press("Enter");
    await page.locator(".details .approval.committed").waitFor();
    await page.locator(".details", { hasText: "Denied by " }).getByText("just not now").waitFor();
    // Denying takes the later call with it.
    expect(await states()).toEqual(["pending", "denied", "withdrawn"]);
    // What had the focus is gone; the next key is still heard.
    expect(await page.evaluate("document.activeElement !== document.body")).toBe(true);
    await page.keyboard.press("k");
    await expect.poll(() => page.url()).toMatch(/t-a1$/);
  });

  it("Panel, CHANNELS-1: where nobody waits it says where to answer, and no key answers", async () => {
    const page = await openAt("watched");
    await page
      .locator(".details .approval")
      .getByText(
        "Answer it where the agent asks, in its terminal or its program: the agent runs in /home/you/shop",
      )
      .waitFor();
    for (const key of ["a", "A", "d", "i", "e"]) await page.keyboard.press(key);
    expect(await page.locator(".details").locator(".answers, textarea").count()).toBe(0);
    expect(await page.getByRole("dialog").count()).toBe(0);
    expect(await stateOf("watched")).toBe("pending");
  });

  it("Panel, HELD-1: those alike are listed before they are answered, and taken back after it", async () => {
    const other = call("a3", "make deploy");
    await line.emit(
      "w/other",
      ["session.started", { title: "Deploy it, too", cwd: "/home/you/shop" }],
      ["request.created", { requestId: "r2" }],
      ["approval.requested", { ...other, approvalId: "a3", channel: "gateway" }],
    );
    const page = await openAt("a1");
    await page.locator(`${ASKING} .alike`).waitFor();
    await page.keyboard.press("A");
    const dialog = page.getByRole("dialog", { name: "Approve these 2?" });
    await dialog.getByRole("button", { name: "Approve 2" }).click();
    await page.locator(".details .approval.held").waitFor();
    await page.keyboard.press("u");
    await page.locator(".details .approval.open").waitFor();
    expect(await states()).toEqual(["pending", "pending", "pending"]);
  });

  it("Panel, ANSWERING-1: one that comes while its call is looked at takes no key of that moment", async () => {
    await line.emit("w/s", ["tool.started", call("late", "make later")]);
    const page = await windows.openAt(line, "#/session/w/s/t-late", ".details .changes li");
    await page.evaluate(`(() => {
      const look = new MutationObserver(() => {
        if (!document.querySelector(".details .approval.open")) return;
        look.disconnect();
        dispatchEvent(new KeyboardEvent("keydown", { key: "a" }));
        globalThis.isPressed = true;
      });
      look.observe(document.querySelector("main"), { childList: true, subtree: true });
    })()`);
    await line.emit("w/s", ...asked({ id: "late", command: "make later" }).slice(1));
    await expect.poll(() => page.evaluate("globalThis.isPressed === true")).toBe(true);
    await page.locator(ASKING).waitFor();
    expect(await stateOf("late")).toBe("pending");
    await page.keyboard.press("a");
    await page.locator(".details .approval.committed").waitFor();
    expect(await stateOf("late")).toBe("approved");
  });

  it("Panel, ANSWERING-2: answered elsewhere, a call's next approval takes no key until a person asks for it", async () => {
    await line.emit("w/s", ...asked({ id: "first", command: "make twice" }));
    const page = await openAt("first");
    await page.locator(ASKING).waitFor();
    await line.emit("w/s", ["approval.withdrawn", { approvalId: "first" }]);
    await page.locator(".details .approval.gone").waitFor();
    await line.emit("w/s", [
      "approval.requested",
      { ...call("first", "make twice"), approvalId: "second", channel: "gateway" },
    ]);
    const show = page.getByRole("button", { name: "Show what it asks now" });
    await show.waitFor();
    for (const key of ["a", "A", "d"]) await page.keyboard.press(key);
    expect(await page.locator("textarea, dialog[open]").count()).toBe(0);
    expect(await stateOf("second")).toBe("pending");
    await show.click();
    await page.locator(ASKING).waitFor();
    await page.keyboard.press("a");
    await page.locator(".details .approval.committed").waitFor();
    expect(await stateOf("second")).toBe("approved");
  });

  it("Panel: one behind the hundred that the inbox shows is answered in its session", async () => {
    const many = Array.from({ length: 120 }, (_, n) => ({ id: `m${n}`, command: `step ${n}` }));
    await line.emit("w/many", ["request.created", { requestId: "many" }], ...asked(...many));
    const page = await windows.openAt(line, "#/session/w/many/t-m119", `${ASKING} .fields`);
    await page.keyboard.press("a");
    await page.locator(".details .approval.committed").waitFor();
    expect(await stateOf("m119")).toBe("approved");
    expect(await stateOf("m118")).toBe("pending");
  });

  it("Panel: of a past moment nothing is answered; axe finds nothing wrong with an answer in a session", async () => {
    const page = await windows.open(line);
    await withAxe(page);
    await page.goto("/#/session/w/s/t-a1");
    await page.reload();
    await page.locator(ASKING).waitFor();
    await page.locator(".consequence").waitFor();
    expect(await findingsOn(page)).toEqual([]);
    await page.keyboard.press("[");
    await page.locator(".details .approval").waitFor({ state: "detached" });
    await page.keyboard.press("a");
    expect(await stateOf("a1")).toBe("pending");
  });
});
