// Panel: what began before
// Calls that go on since long before the changes that are read first: what is said of them until the rest has come.

import { describe, expect, it } from "vitest";
import type { Page } from "playwright-core";
import { lineForAll, windowsForAll } from "../../../support/panel/for-tests.ts";
import type { Line } from "../../../support/panel/page.ts";

const LATER = 500;
const AT_ONCE = 250;
const windows = windowsForAll();

type Said = readonly [type: string, data: object];

const call = (session: string, id: string, command: string) => ({
  ...{ requestId: `${session}-r`, toolUseId: `${session}-${id}`, tool: "Bash" },
  input: { command },
});

/** The oldest call of each session still goes on, or still waits, behind 1,000 later changes. */
async function play(line: Line): Promise<void> {
  const begin = async (session: string, ...oldest: readonly Said[]): Promise<void> => {
    const requestId = `${session}-r`;
    await line.emit(
      `w/${session}`,
      ["session.started", { title: `The ${session} one`, cwd: "/home/you/shop" }],
      ["request.created", { requestId, prompt: "Keep it up." }],
      ["request.processing", { requestId }],
      ...oldest,
    );
    for (let from = 0; from < LATER; from += AT_ONCE)
      await line.emit(
        `w/${session}`,
        ...Array.from({ length: AT_ONCE }, (_, n) =>
          call(session, String(from + n), `echo ${from + n}`),
        ).flatMap((each): readonly Said[] => [
          ["tool.started", each],
          ["tool.finished", { ...each, output: "ok" }],
        ]),
      );
  };
  await begin("running", ["tool.started", call("running", "old", "npm run serve")]);
  const asked = call("asking", "old", "npm publish");
  await begin(
    "asking",
    ["tool.announced", { ...asked, messageId: "m0", blockIndex: 0 }],
    ["approval.requested", { ...asked, approvalId: "asking-q" }],
  );
}

const line = lineForAll(play);

/** Keeps every sentence on what happens now that is ever drawn. */
const KEEP = `
  globalThis.sentences = [];
  new MutationObserver(() => {
    const text = document.querySelector(".happening")?.textContent;
    if (text !== undefined && text !== globalThis.sentences.at(-1)) globalThis.sentences.push(text);
  }).observe(document, { subtree: true, childList: true, characterData: true });
`;

/** Lets the first page of each history come, and holds all further ones. @returns a function that lets them come. */
async function holdTheRest(page: Page): Promise<() => void> {
  let letOn = (): void => undefined;
  const waiting = new Promise<void>((resolve) => (letOn = resolve));
  await page.route(/\/history\?.*cursor=/, async (route) => {
    await waiting;
    await route.continue();
  });
  return letOn;
}

describe("the panel: what began long before", () => {
  it.each([
    ["running", /^Now Bash npm run serve runs for \S+ \S+$/],
    ["asking", /^Now Bash npm publish waits for you for \S+ \S+$/],
  ])(
    "Panel, BEFORE-2: the first drawing names a call that is %s since before all that was read, and so does each later one",
    async (session, sentence) => {
      const page = await windows.open(line);
      await page.addInitScript(KEEP);
      const letOn = await holdTheRest(page);
      await page.goto(`/?again#/session/w/${session}`);
      await page.locator(".call").first().waitFor();
      await expect.poll(() => page.locator(".happening").textContent()).toMatch(sentence);
      letOn();
      await page.getByRole("button", { name: /^Show earlier calls/ }).waitFor();
      const drawn = await page.evaluate<readonly string[]>("globalThis.sentences");
      expect(drawn.filter((each) => !sentence.test(each))).toEqual([]);
      expect(drawn.length).toBeGreaterThan(0);
      expect(await page.locator(".call .gist", { hasText: /^npm/ }).count()).toBe(0);
      expect(await page.locator(".request").count()).toBe(1);
    },
  );

  it("Panel, BEFORE-2: once it has ended, the sentence tells what goes on instead", async () => {
    const page = await windows.openAt(line, "#/session/w/running", ".call");
    const told = page.locator(".happening");
    await expect.poll(() => told.textContent()).toContain("npm run serve");
    await line.emit("w/running", [
      "tool.finished",
      { ...call("running", "old", "npm run serve"), output: "stopped" },
    ]);
    await expect
      .poll(() => told.textContent())
      .toMatch(/^Now The agent works on “Keep it up.”; no call runs/);
  });

  it("Panel, HISTORY-HISTORY-4: a call's machine is shown as it is now, before its changes are found", async () => {
    const page = await windows.open(line);
    const letOn = await holdTheRest(page);
    await page.goto("/?again#/machine/w/asking/call/asking-old");
    const lit = page.locator(".state.lit");
    await lit.first().waitFor();
    await page.getByText("Reading its past…").waitFor();
    const now = await lit.allTextContents();
    letOn();
    await page.getByRole("slider", { name: "Moment" }).and(page.locator(":enabled")).waitFor();
    expect(await lit.allTextContents()).toEqual(now);
    expect(await page.locator(".moment").textContent()).toMatch(/^now version \d+ /);
  });

  it("Panel, FIRST-PAGE-1: what changes while the script of the view is on its way is on the page", async () => {
    const page = await windows.open(line);
    const asked: string[] = [];
    page.on("request", (request) => {
      if (request.url().includes("/history?")) asked.push(request.url());
    });
    let letOn = (): void => undefined;
    const waiting = new Promise<void>((resolve) => (letOn = resolve));
    await page.route("**/app/session-*.js", async (route) => {
      await waiting;
      await route.continue();
    });
    await page.goto("/?again#/session/w/running");
    await expect.poll(() => asked.length).toBe(1);
    await page.locator(".link.live").waitFor();
    const fresh = call("running", "fresh", "echo fresh");
    await line.emit("w/running", ["tool.started", fresh]);
    await line.emit("w/running", ["approval.requested", { ...fresh, approvalId: "fresh-q" }]);
    await expect.poll(() => page.title()).toMatch(/^\(2\)/);
    letOn();
    await page.locator(".call .gist", { hasText: "echo fresh" }).waitFor();
    const firsts = asked.filter((url) => !url.includes("cursor="));
    expect(firsts).toHaveLength(2);
  });
});
