// Panel: a team
// Two people at one inbox: each sees what the other does with an approval.

import { expect, it } from "vitest";
import { CHOSEN } from "../../../support/panel/choose.ts";
import { asked, servedForEach, windowsForAll } from "../../../support/panel/for-tests.ts";
import { TOKEN } from "../../../support/http/served.ts";

const windows = windowsForAll();
const tokenOf = (name: string): string => `the-token-of-${name}`;
const TOKENS = ["ann", "ben"].map((name) => ({ name: `http:${name}`, token: tokenOf(name) }));
const engine = servedForEach(
  asked({ tool: "Bash", toolUseId: "t1", input: { command: "make release" } }),
  () => ({ place: { tokens: [...TOKENS, { name: "local:tester", token: TOKEN }] } }),
);
const at = (name: string) => ({ url: engine.now.url, token: tokenOf(name) });

it("INBOX-LOOKING-1: whoever chose an approval is named in its row to others, until they go on", async () => {
  const ann = await windows.openAt(at("ann"), "#/inbox/a1", CHOSEN);
  const ben = await windows.openAt(at("ben"), "#/", ".card.open");
  const lookers = ben.locator(".card .lookers");
  await expect.poll(() => lookers.allTextContents()).toEqual(["ann looks at it now"]);
  expect(await ann.locator(".card .lookers").count()).toBe(0);
  await ann.keyboard.press("2");
  await expect.poll(() => lookers.count()).toBe(0);
});
