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

it("TEAM-LOOKING-1: whoever chose an approval is named in its row to others, until they go on", async () => {
  const ann = await windows.openAt(at("ann"), "#/inbox/a1", CHOSEN);
  const ben = await windows.openAt(at("ben"), "#/", ".card.open");
  const lookers = ben.locator(".card .lookers");
  await expect.poll(() => lookers.allTextContents()).toEqual(["Looking now: ann"]);
  expect(await ann.locator(".card .lookers").count()).toBe(0);
  await ann.keyboard.press("2");
  await expect.poll(() => lookers.count()).toBe(0);
});

it("WATCH-4: whoever is asked to look is notified, reads in the row who asked, and is not told twice", async () => {
  const ben = await windows.open(at("ben"), { permissions: ["notifications"] });
  await ben.keyboard.press("n");
  await ben.getByLabel(/^Notify me/).check();
  await ben.keyboard.press("Escape");
  await ben.evaluate(`Object.defineProperty(document, "hidden", { get: () => true, configurable: true })`);
  const ann = await windows.openAt(at("ann"), "#/inbox/a1", CHOSEN);
  await ann.getByText("Ask somebody to look").click();
  await ann.getByLabel("Their name").fill("ben");
  await ann.getByRole("button", { name: "Ask", exact: true }).click();
  await ann.getByText("ben is told, if their panel is open.").waitFor();
  await expect.poll(() => ann.locator(".card .lookers").allTextContents()).toEqual(["you asked ben to look"]);
  const titles = () =>
    ben.evaluate<readonly string[]>(`navigator.serviceWorker.getRegistration("/app/").then(async (it) =>
      ((await it?.getNotifications()) ?? []).map(({ title }) => title))`);
  await expect
    .poll(titles, { timeout: 15_000 })
    .toEqual(["Somebody asks you to look: An approval waits in Signalbox"]);
  await expect
    .poll(() => ben.locator(".card .lookers").allTextContents())
    .toEqual(["ann asked you to look", "Looking now: ann"]);
});
