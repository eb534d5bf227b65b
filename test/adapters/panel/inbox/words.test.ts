// Panel: words
// Why a call is made, on its card: as soon as it is known, without asking again.

import { describe, expect, it } from "vitest";
import { lineForEach, windowsForAll } from "../../../support/panel/for-tests.ts";

const windows = windowsForAll();

describe("the panel: words", () => {
  const line = lineForEach();
  const call = { requestId: "r", toolUseId: "t1", tool: "Bash", input: { command: "make deploy" } };
  const words = (text: string, source: string) => ({ text, source, confidence: "certain" });

  it("Panel, HELD-WORDS-1, HEARD-2: a card stands with the words that are known, and gets better ones when they come", async () => {
    await line.emit("w/s", ["request.created", { requestId: "r" }]);
    const page = await windows.openAt(line, "#/inbox", "main");
    await line.emit(
      "w/s",
      ["tool.announced", { ...call, intent: words("Deploys the shop", "description") }],
      ["approval.requested", { ...call, approvalId: "a1", channel: "gate-mcp" }],
    );
    const card = page.locator(".card", { hasText: "make deploy" });
    await card.locator(".intent", { hasText: "Deploys the shop" }).waitFor();
    await line.emit("w/s", [
      "tool.announced",
      { ...call, messageId: "m", intent: words("Ship it", "message") },
    ]);
    await card.locator(".intent", { hasText: "Ship it" }).waitFor();
    expect(await card.count()).toBe(1);
  });

  it("Panel, ARRIVALS-1: words that come while a card is held let it go: it stands there with them, beside the others", async () => {
    await line.emit("w/s", ["request.created", { requestId: "r" }]);
    const page = await windows.openAt(line, "#/inbox", "main");
    const ask = (n: number) => ({ ...call, toolUseId: `t${n}`, input: { command: `make ${n}` } });
    for (const n of [1, 2]) {
      await line.emit(
        "w/s",
        ["tool.announced", ask(n)],
        ["approval.requested", { ...ask(n), approvalId: `a${n}`, channel: "gate-mcp" }],
      );
      await line.emit("w/s", [
        "tool.announced",
        { ...ask(n), messageId: `m${n}`, intent: words(`Ship ${n}`, "message") },
      ]);
      await page.locator(".card", { hasText: `Ship ${n}` }).waitFor();
    }
    expect(await page.locator(".card").count()).toBe(2);
  });
});
