// Panel: long sessions
// A request of 1,500 calls: its words, its first call, a search over all of it, and what is not loaded.

import { describe, expect, it } from "vitest";
import { lineForAll, windowsForAll } from "../../../support/panel/for-tests.ts";

const CALLS = 1_500;
const AT_ONCE = 250;
const windows = windowsForAll();

const call = (n: number) => ({
  ...{ requestId: "busy", toolUseId: `busy-${n}`, tool: "Bash" },
  input: { command: n === 3 ? "echo a needle" : `echo ${n}` },
});

const line = lineForAll(async (line) => {
  await line.emit(
    "w/busy",
    ["session.started", { title: "A busy one", cwd: "/home/you/shop" }],
    ["request.created", { requestId: "busy", prompt: "All of it" }],
    ["request.processing", { requestId: "busy" }],
  );
  for (let from = 0; from < CALLS; from += AT_ONCE)
    await line.emit(
      "w/busy",
      ...Array.from({ length: AT_ONCE }, (_, n) => from + n).flatMap((n) => [
        ["tool.started", call(n)] as const,
        ["tool.finished", { ...call(n), output: "ok" }] as const,
      ]),
    );
});

describe("the panel: a session of many calls", () => {
  it("Panel, BEFORE-1: however long it is, it keeps its title, its state and its request's words", async () => {
    const page = await windows.openAt(line, "#/session/w/busy", ".call");
    await page.getByRole("heading", { name: "A busy one" }).waitFor();
    await page.getByRole("heading", { name: "All of it" }).waitFor();
    const { state } = await line.read<{ state: string }>("/v1/sessions/busy");
    expect(await page.locator(".session-head .chip").getAttribute("class")).toBe(`chip ${state}`);
    expect(await page.locator(".request header .chip").textContent()).toBe("Running");
    expect(await page.getByText("unknown").count()).toBe(0);
  });

  it("Panel: it says how many calls are loaded, and can be read to its first one", async () => {
    const page = await windows.openAt(line, "#/session/w/busy", ".call");
    const loaded = page.getByRole("group", { name: "What is loaded" });
    await expect.poll(() => loaded.textContent()).toMatch(/^The newest \d+ of 1,500 calls are loaded\./);
    await page.getByRole("button", { name: /^Show earlier calls/ }).click();
    await page.getByRole("button", { name: "Read earlier calls" }).click();
    await expect.poll(() => page.locator(".call").count(), { timeout: 15_000 }).toBeGreaterThan(340);
    await loaded.getByRole("button", { name: "Read all" }).click();
    await loaded.waitFor({ state: "detached", timeout: 30_000 });
    expect(await page.locator(".call").count()).toBe(CALLS);
    expect(await page.locator(".call .index").first().textContent()).toBe("1");
  });

  it("HISTORY-HISTORY-3, WINDOW-2: its newest calls are shown before the rest of the page is read, and stay where they are", async () => {
    const page = await windows.open(line);
    const asked: URL[] = [];
    let letOn = (): void => undefined;
    const waiting = new Promise<void>((resolve) => (letOn = resolve));
    await page.route(/\/history\?/, async (route) => {
      asked.push(new URL(route.request().url()));
      if (asked.length > 1) await waiting;
      await route.continue();
    });
    await page.goto("/#/session/w/busy");
    const rows = page.locator(".call .gist");
    await rows.first().waitFor();
    const first = await rows.allTextContents();
    expect(first.at(-1)).toBe(`echo ${CALLS - 1}`);
    const loaded = async () =>
      Number(/The newest (\d+) of/.exec((await page.locator(".loaded").textContent()) ?? "")?.[1]);
    expect(first).toHaveLength(await loaded());
    await expect.poll(() => asked.length).toBe(2);
    letOn();
    await page.getByRole("button", { name: /^Show earlier calls/ }).waitFor();
    expect(await rows.allTextContents()).toEqual(first);
    const limits = asked.map(({ searchParams }) => Number(searchParams.get("limit")));
    expect(limits.reduce((sum, each) => sum + each)).toBe(1_000);
    expect(await loaded()).toBeGreaterThan(4 * first.length);
  });

  it("Panel: a search looks through all calls on the engine, and says so", async () => {
    const page = await windows.openAt(line, "#/session/w/busy", ".call");
    await page.getByRole("searchbox").fill("A NEEDLE");
    await expect.poll(() => page.locator(".call .gist").allTextContents()).toEqual(["echo a needle"]);
    await page.getByText("All calls of the session were searched.").waitFor();
    await page.getByRole("heading", { name: "All of it" }).waitFor();
    const { items } = await line.read<{ items: readonly { id: string }[]; nextCursor?: string }>(
      "/v1/sessions/busy/tool-calls?text=echo+1499&limit=10",
    );
    expect(items.map(({ id }) => id)).toEqual(["busy-1499"]);
    await page.getByRole("searchbox").fill("no such thing");
    await page.getByText("No call fits.").waitFor();
  });

  it("Panel: what the keyboard stands on stays while newer calls push the oldest ones out", async () => {
    const page = await windows.openAt(line, `#/session/w/busy/busy-${CALLS - 1}`, ".call");
    const row = (n: number) => page.locator(".call", { has: page.getByText(`echo ${n}`, { exact: true }) });
    await row(CALLS - 1)
      .getByRole("link")
      .focus();
    const oldest = await page.locator(".call .index").first().textContent();
    await line.emit("w/busy", ["tool.started", call(CALLS)], ["tool.started", call(CALLS + 1)]);
    await row(CALLS + 1).waitFor();
    expect(await page.locator(".call .index").first().textContent()).toBe(String(Number(oldest) + 2));
    const held = await page.locator(".call:focus-within .gist").allTextContents();
    expect(held).toEqual([`echo ${CALLS - 1}`]);
  });
});
