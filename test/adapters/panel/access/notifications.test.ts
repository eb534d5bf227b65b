// Panel: notifications
// What a browser shows while nobody looks at the panel, what may be answered there, and that it goes away.
//
// A browser without a window shows no notification that could be pressed: its event is given to the worker by hand.

import type { BrowserContext, Page, Worker } from "playwright-core";
import { describe, expect, it } from "vitest";
import { lineForEach, windowsForAll } from "../../../support/panel/for-tests.ts";

const windows = windowsForAll();
const line = lineForEach((line) =>
  line.emit(
    "w/s",
    ["session.started", { title: "Deploy the shop" }],
    ["request.created", { requestId: "r1" }],
    ["request.processing", { requestId: "r1" }],
  ),
);

const asking = (id: string, input: object, more: object = {}) =>
  line.emit("w/s", [
    "approval.requested",
    { requestId: "r1", toolUseId: `t-${id}`, approvalId: id, tool: "Bash", input, ...more },
  ]);
const stateOf = (id: string) => line.read<{ state: string; via?: string }>(`/v1/approvals/${id}`);

/** The browser's own processes take their time on a busy machine. */
const soon = <T>(look: () => T) => expect.poll(look, { timeout: 15_000 });

/** A page that notifies, and at which nobody looks. */
async function unwatched({ hasContent = false } = {}): Promise<Page> {
  const page = await windows.open(line, { permissions: ["notifications"] });
  await page.keyboard.press("n");
  const [on, content] = [page.getByLabel(/^Notify me/), page.getByLabel(/^Say what it is about/)];
  expect([await on.isChecked(), await content.isChecked()]).toEqual([false, false]);
  await on.check();
  await soon(() => content.isEnabled()).toBe(true);
  if (hasContent) await content.check();
  await page.keyboard.press("Escape");
  await page.evaluate(`Object.defineProperty(document, "hidden", { get: () => true, configurable: true })`);
  await workerOf(page.context());
  return page;
}

interface Shown {
  readonly title: string;
  readonly body: string;
  readonly tag: string;
  readonly actions: readonly string[];
}

const shownOn = (page: Page): Promise<readonly Shown[]> =>
  page.evaluate(`navigator.serviceWorker.getRegistration("/app/").then(async (registration) =>
    (await registration?.getNotifications() ?? []).map(({ title, body, tag, actions }) =>
      ({ title, body, tag, actions: actions.map(({ action }) => action) })))`);

async function workerOf(context: BrowserContext): Promise<Worker> {
  const [worker] = context.serviceWorkers();
  return worker ?? context.waitForEvent("serviceworker");
}

/** What the browser does when somebody presses an action, and waits for what the worker does then. */
async function press(page: Page, tag: string, action: string): Promise<void> {
  const worker = await workerOf(page.context());
  await worker.evaluate(`registration.getNotifications().then(async (all) => {
    const notification = all.find((each) => each.tag === ${JSON.stringify(tag)});
    const event = new NotificationEvent("notificationclick", { notification, action: ${JSON.stringify(action)} });
    let done;
    Object.defineProperty(event, "waitUntil", { value: (it) => { done = it; } });
    dispatchEvent(event);
    // Only a real press lets a worker bring a window to the front.
    await done.catch((error) => { if (error.name !== "InvalidAccessError") throw error; });
  })`);
}

describe("the panel: notifications", () => {
  it("NOTICE-1, SETTING-1: one says nothing but that an approval waits, and offers to deny it and to look", async () => {
    const page = await unwatched();
    await asking("a1", { command: "make secret" });
    await soon(() => shownOn(page)).toEqual([
      { title: "An approval waits in Signalbox", body: "", tag: "w/a1", actions: ["deny", "open"] },
    ]);
    await press(page, "w/a1", "deny");
    expect(await stateOf("a1")).toMatchObject({ state: "denied", via: "notification" });
    await soon(() => shownOn(page)).toEqual([]);
  });

  it("NOTICE-2, WORKER-1: asked to, it shows tool, session and input, and approves that very input", async () => {
    const page = await unwatched({ hasContent: true });
    await asking("a1", { command: "make deploy\u202e" });
    await soon(() => shownOn(page)).toHaveLength(1);
    expect(await shownOn(page)).toEqual([
      {
        title: "Bash waits in Deploy the shop",
        body: String.raw`{"command":"make deploy\u202e"}`,
        tag: "w/a1",
        actions: ["approve", "deny"],
      },
    ]);
    await press(page, "w/a1", "approve");
    expect(await stateOf("a1")).toMatchObject({ state: "approved", via: "notification" });
  });

  it("NOTICE-2, WORKER-1: what is not shown whole cannot be approved there; what no answer reaches, not answered", async () => {
    const page = await unwatched({ hasContent: true });
    await asking("long", { command: `echo ${"x".repeat(200)}` });
    await asking("watched", { command: "ls" }, { channel: "hook" });
    await soon(() => shownOn(page)).toHaveLength(2);
    const offered = (await shownOn(page)).map(({ tag, actions }) => [tag, ...actions]);
    expect(offered.sort()).toEqual([
      ["w/long", "deny", "open"],
      ["w/watched", "open"],
    ]);
    expect(JSON.stringify(await shownOn(page))).not.toContain("xxx");
    await press(page, "w/long", "approve");
    await soon(() => page.url()).toContain("#/inbox/w/long");
    expect((await stateOf("long")).state).toBe("pending");
  });

  it("WATCH-3: those that come while others are looked at are all shown", async () => {
    const page = await unwatched();
    await page.evaluate(`(async () => {
      const registration = await navigator.serviceWorker.getRegistration("/app/");
      for (globalThis.isLooking = true; globalThis.isLooking; ) await registration.getNotifications();
    })() && undefined`);
    const ids = Array.from({ length: 8 }, (_, at) => `a${String(at)}`);
    for (const id of ids) await asking(id, { command: id });
    await page.locator(".card.open").nth(7).waitFor();
    await page.evaluate("globalThis.isLooking = false");
    await soon(async () => (await shownOn(page)).map(({ tag }) => tag).sort()).toEqual(
      ids.map((id) => `w/${id}`),
    );
  });

  it("WATCH-1: an approval answered elsewhere, or while the page was away, has no notification any more", async () => {
    const page = await unwatched();
    for (const id of ["a1", "a2"]) await asking(id, { command: id });
    await soon(() => shownOn(page)).toHaveLength(2);
    const deny = (id: string) => line.send(`/v1/approvals/${id}/decision`, { decision: "deny" });
    await deny("a1");
    await soon(async () => (await shownOn(page)).map(({ tag }) => tag)).toEqual(["w/a2"]);
    const other = await page.context().newPage();
    await page.close();
    await deny("a2");
    await other.goto("/");
    await soon(() => shownOn(other)).toEqual([]);
  });

  it("Panel, WATCH-1: turned off, it takes away what is shown, and shows nothing more", async () => {
    const page = await unwatched();
    await asking("a1", { command: "ls" });
    await soon(() => shownOn(page)).toHaveLength(1);
    await page.keyboard.press("n");
    await page.getByLabel(/^Notify me/).uncheck();
    await soon(() => shownOn(page)).toEqual([]);
    await page.keyboard.press("Escape");
    // Another input: equal ones are one row.
    await asking("a2", { command: "ls -l" });
    await page.locator(".card.open").nth(1).waitFor();
    await page.reload();
    await page.locator(".card.open").nth(1).waitFor();
    expect(await shownOn(page)).toEqual([]);
  });

  it("WORKER-3: an answer that came too late is told, with nothing of what it was about", async () => {
    const page = await unwatched({ hasContent: true });
    await asking("a1", { command: "ls" });
    await soon(() => shownOn(page)).toHaveLength(1);
    await page.context().clearCookies();
    await press(page, "w/a1", "approve");
    await soon(() => shownOn(page)).toMatchObject([
      { title: "Your answer was not taken", tag: "w/a1", actions: ["open"] },
    ]);
    expect((await stateOf("a1")).state).toBe("pending");
  });

  it("WORKER-2, WATCH-2: the worker controls no page, keeps nothing, and nobody without a token gets it", async () => {
    const page = await unwatched();
    await page.reload();
    expect(await page.evaluate("navigator.serviceWorker.controller")).toBe(null);
    const worker = await workerOf(page.context());
    expect(await worker.evaluate("caches.keys().then((all) => [all, onfetch])")).toEqual([[], null]);
    expect((await fetch(new URL(new URL(worker.url()).pathname, line.url))).status).toBe(401);
  });
});
