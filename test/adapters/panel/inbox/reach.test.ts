// Panel: reach
// What an answer given here can reach, and until when.

import { describe, expect, it } from "vitest";
import { SEEN, seen } from "../../../support/panel/choose.ts";
import { lineForEach, windowsForAll } from "../../../support/panel/for-tests.ts";

const windows = windowsForAll();

const asked = (id: string, more: object) =>
  [
    "approval.requested",
    {
      ...{ requestId: "r", toolUseId: `t-${id}`, approvalId: id, tool: "Bash" },
      ...{ input: { command: `echo ${id}` } },
      ...more,
    },
  ] as const;

describe("the panel: reach", () => {
  const line = lineForEach();
  const stateOf = async (id: string) => (await line.read<{ state: string }>(`/v1/approvals/${id}`)).state;

  it("Panel, CHANNELS-1: an approval whose asker waits for no answer of this page says where to answer it, and takes none", async () => {
    await line.emit(
      "w/out",
      ["session.started", { title: "Watched only", cwd: "/home/you/shop" }],
      ["request.created", { requestId: "r" }],
      asked("watched", { channel: "hook" }),
      asked("both", { channel: "hook" }),
      asked("both", { channel: "gate" }),
    );
    const page = await windows.openAt(line, "#/inbox/w/watched", ".card[aria-current=true] .fields");
    const chosen = page.locator(".card[aria-current=true]");
    await chosen
      .getByText(
        "Answer it where the agent asks, in its terminal or its program: the agent runs in /home/you/shop",
      )
      .waitFor();
    expect(await chosen.locator(".answers").count()).toBe(0);
    for (const key of ["a", "A", "d", "i", "e"]) {
      await page.keyboard.press(key);
      expect(await page.locator("textarea").count()).toBe(0);
    }
    await page.locator(".card", { hasText: "echo both" }).click();
    await seen(page, "echo both");
    await page.keyboard.press("a");
    await page.locator(".card.committed", { hasText: "echo both" }).waitFor();
    expect([await stateOf("watched"), await stateOf("both")]).toEqual(["pending", "approved"]);
  });

  it("Panel, DIALOG-1: a deadline counts down on card and row, and says what happens then", async () => {
    const inMs = (ms: number) => ({ deadlineAt: Date.now() + ms });
    await line.emit(
      "w/due",
      ["request.created", { requestId: "r" }],
      ["request.processing", { requestId: "r" }],
      [
        "tool.started",
        { requestId: "r", toolUseId: "t-soon", tool: "Bash", input: { command: "echo soon" } },
      ],
      asked("soon", { ...inMs(100_000), onDeadline: "deny" }),
      asked("later", { ...inMs(7_000_000), onDeadline: "ask" }),
      asked("at-desk", { ...inMs(7_000_000), onDeadline: "ask", channel: "gate" }),
      asked("never", {}),
    );
    const page = await windows.openAt(line, "#/inbox/w/soon", ".card[aria-current=true] .fields");
    const card = (text: string) => page.locator(".card", { hasText: text });
    await card("echo soon").getByText("The call is denied if nobody answers.").waitFor();
    const left = card("echo soon").locator("header .left");
    const before = await left.textContent();
    expect(before).toMatch(/^ · 1 min \d+ s left$/);
    await expect.poll(() => left.textContent()).not.toBe(before);
    expect(await card("echo later").locator(".left").textContent()).toBe(" · 1 h left");
    expect(await card("echo never").locator(".left").count()).toBe(0);
    const isLoud = (text: string) => card(text).locator(".left.soon").count();
    expect([await isLoud("echo soon"), await isLoud("echo later")]).toEqual([1, 0]);
    await card("echo later").click();
    await card("echo later").getByText("It is left to the agent if nobody answers.").waitFor();
    await card("echo at-desk").click();
    await card("echo at-desk").getByText("The agent asks in its own terminal if nobody answers.").waitFor();
    await page.goto("/#/session/w/due");
    await page.locator(".call.asking .left").waitFor();
    expect(await page.locator(".call.asking .left").textContent()).toMatch(/ left$/);
  });

  it("Panel: how far an answer got is read whole in the narrow row of the list", async () => {
    const asked = (id: string) =>
      [
        "approval.requested",
        {
          requestId: "r",
          tool: "Bash",
          input: { command: `echo ${id}` },
          approvalId: id,
          channel: "gateway",
        },
      ] as const;
    await line.emit("w/narrow", ["request.created", { requestId: "r" }], asked("n1"), asked("n2"));
    const page = await windows.openAt(line, "#/inbox/w/n1", SEEN);
    await page.keyboard.press("a");
    const answered = page.locator(".card.committed:not([aria-current=true])");
    const last = await answered.locator(".steps").getByText("Confirmed by the agent").boundingBox();
    const row = await answered.boundingBox();
    if (!row || !last) throw new Error("The row is not to be seen.");
    expect(last.x + last.width).toBeLessThanOrEqual(row.x + row.width);
  });
});
