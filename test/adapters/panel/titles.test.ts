// Panel: titles
// A prompt of several lines as the name of its session and request.

import { expect, it } from "vitest";
import { lineForAll, windowsForAll } from "../../support/panel/for-tests.ts";

const windows = windowsForAll();
const PROMPT = "Mend the cart.\n\nThen run\r\n  its tests.";
const SHOWN = "Mend the cart. Then run its tests.";

const line = lineForAll((line) =>
  line.emit(
    "w/s",
    ["session.started", { title: PROMPT }],
    ["request.created", { requestId: "r", prompt: PROMPT }],
    ["approval.requested", { requestId: "r", tool: "Bash", input: { command: "ls" }, approvalId: "q" }],
  ),
);

it.each([
  ["the inbox", "#/inbox", ".card.open"],
  ["the overview", "#/overview", "main"],
  ["a session", "#/session/w/s", "main"],
] as const)(
  "Panel, TITLE-LINE-1: in %s a title has a space for its line breaks",
  async (_, address, within) => {
    const page = await windows.openAt(line, address, within);
    await page.locator(within).getByText(SHOWN).first().waitFor();
    expect(await page.locator("main").innerText()).not.toContain("↵");
    await page.close();
  },
);
