// Panel: what is heard later
// An approval may come before its call: the card says what for, and which step, as soon as that is known.

import { expect, it } from "vitest";
import { chooseNext } from "../../../support/panel/choose.ts";
import { lineForEach, windowsForAll } from "../../../support/panel/for-tests.ts";

const windows = windowsForAll();
const line = lineForEach();
const INTENT = { source: "message", confidence: "certain" } as const;
const CALL = { requestId: "r", toolUseId: "t", tool: "Bash", input: { command: "make deploy" } };

it("Panel: a card that came before its call learns the call, its step and its intent, also when the words come last", async () => {
  await line.emit("w/s", ["request.created", { requestId: "r" }]);
  await line.emit("w/s", ["approval.requested", { ...CALL, approvalId: "a" }]);
  const page = await windows.openAt(line, "#/inbox", ".card.open");
  await chooseNext(page);
  const place = page.locator(".card.open .whole > .place");
  expect(await place.count()).toBe(0);
  await line.emit("w/s", ["tool.announced", CALL]);
  await expect.poll(() => place.textContent()).toMatch(/^Step 1/);
  expect(await page.locator(".card.open .whole .intent").count()).toBe(0);
  await line.emit("w/s", [
    "tool.announced",
    { ...CALL, messageId: "m", intent: { ...INTENT, text: "I deploy it now." } },
  ]);
  await expect
    .poll(() => page.locator(".card.open .whole .intent").textContent())
    .toContain("I deploy it now.");
});

it("Panel: a card says what the agent itself said of its call, though a weaker word was known before", async () => {
  const described = { text: "Deploy", source: "description", confidence: "likely" };
  await line.emit("w/s", ["request.created", { requestId: "r" }]);
  await line.emit("w/s", ["tool.announced", { ...CALL, intent: described }]);
  await line.emit("w/s", ["approval.requested", { ...CALL, approvalId: "a" }]);
  const page = await windows.openAt(line, "#/inbox", ".card.open");
  await chooseNext(page);
  const intent = page.locator(".card.open .whole .intent");
  await expect.poll(() => intent.textContent()).toContain("Deploy");
  const said = { ...INTENT, text: "The tests pass, so it goes out." };
  await line.emit("w/s", ["tool.announced", { ...CALL, messageId: "m", intent: said }]);
  await expect.poll(() => intent.textContent()).toContain("it goes out");
});
