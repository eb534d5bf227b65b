// Panel: reading
// Filter and search, the journal entry behind a change, files to take along, letters tried again, and how big the page is.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { lineForAll, windowsForAll } from "../../support/panel/for-tests.ts";
import { ASKING, DENIED, playSessions } from "../../support/panel/sessions.ts";

const windows = windowsForAll();
const line = lineForAll(playSessions);

const openAt = (address: string, sign: string): Promise<Page> => windows.openAt(line, address, sign);

async function download(page: Page, name: string): Promise<{ readonly name: string; readonly text: string }> {
  const begun = page.waitForEvent("download");
  await page.getByRole("button", { name, exact: true }).click();
  const file = await begun;
  return { name: file.suggestedFilename(), text: readFileSync(await file.path(), "utf8") };
}

describe("the panel: reading", () => {
  it("Panel: a filter and a search leave the matching calls, and say so when there are none", async () => {
    const page = await openAt(`#/session/${DENIED}`, ".call");
    const tools = () => page.locator(".call .gist").allTextContents();
    await page.getByRole("button", { name: "completed" }).click();
    expect(await tools()).toEqual(["Run the cart's testsnpm test -- cart"]);
    await page.getByRole("button", { name: "denied" }).click();
    expect(await page.locator(".call").count()).toBe(4);
    await page.getByRole("searchbox").fill("NPM RUN");
    expect(await tools()).toEqual(["npm run build"]);
    await page.getByRole("searchbox").fill("no such thing");
    await page.getByText("No call fits.").waitFor();
  });

  it("Panel: a denial's cascade is drawn from its cause, and each change leads to its journal entry", async () => {
    const page = await openAt(`#/session/${DENIED}/r1-call-2`, ".details .changes li");
    expect(await page.locator(".call.cause .why").textContent()).toBe("Build again without the cache");
    expect(await page.locator(".call.taken").count()).toBe(2);
    await page.locator(".details .changes summary").first().click();
    await page.locator(".details .changes button").first().click();
    await page.locator(".details .changes", { hasText: "approval.answered" }).waitFor();
  });

  it("Panel: a machine can be saved as Mermaid, JSON and SVG", async () => {
    const page = await openAt(`#/machine/${DENIED}/call/r1-call-2`, ".state.lit");
    const mermaid = await download(page, "Mermaid");
    expect(mermaid.name).toBe("call.mmd");
    expect(mermaid.text).toMatch(/^stateDiagram-v2\n/);
    const json = await download(page, "JSON");
    expect(json.name).toBe("call-r1-call-2.json");
    expect(JSON.parse(json.text)).toMatchObject({ kind: "call", view: { execution: "denied" } });
    const svg = await download(page, "SVG");
    const other = await page.context().newPage();
    await other.goto(`data:image/svg+xml;base64,${Buffer.from(svg.text).toString("base64")}`);
    expect(await other.locator("text", { hasText: /^No result reported$/ }).count()).toBe(1);
    expect(svg.text).not.toContain("<script");
  });

  it("Panel: the overview counts what there is, and filters sessions by state and workspace", async () => {
    const page = await openAt("#/overview", ".overview tbody tr");
    const tile = page.locator(".tile", {
      has: page.getByRole("heading", { name: "approvals", exact: true }),
    });
    // States that no approval is in are left out.
    const counts = ["Waiting for you1", "Approved1", "Denied1"];
    expect(await tile.locator(".counts > div").allTextContents()).toEqual(counts);
    const sessions = page.getByRole("region", { name: "Sessions" }).locator("tbody tr");
    // The lists are read apart from each other.
    await expect.poll(() => sessions.count()).toBe(2);
    await page.getByLabel("Sessions by workspace").fill(ASKING.split("/")[0] ?? "");
    await page.keyboard.press("Enter");
    await expect.poll(() => sessions.count()).toBe(1);
    await page.getByLabel("Sessions by state").selectOption("idle");
    await page.getByText("Nothing found.").waitFor();
  });

  it("Panel: requests are listed by state, workspace and time, each leads to its session, and changes show at once", async () => {
    const page = await openAt("#/overview", ".overview tbody tr");
    const requests = page.getByRole("region", { name: "Requests" }).locator("tbody tr");
    const texts = () => requests.locator("th").allTextContents();
    const { items } = await line.read<{ items: readonly { prompt: string; state: string }[] }>(
      "/v1/requests",
    );
    await expect.poll(texts).toEqual(items.map(({ prompt }) => prompt));
    await page.getByLabel("Requests by state").selectOption("failed");
    const failed = items.filter(({ state }) => state === "failed").map(({ prompt }) => prompt);
    expect(failed.length).toBeLessThan(items.length);
    await expect.poll(texts).toEqual(failed);
    await page.route(/\/v1\/requests/, () => undefined);
    await line.emit("w/failing", ["request.created", { requestId: "failing", prompt: "Told to fail" }]);
    await line.emit("w/failing", ["request.failed", { requestId: "failing", error: "no" }]);
    await expect.poll(texts).toEqual(["Told to fail", ...failed]);
    await page.unrouteAll();
    const workspace = page.getByLabel("Requests by workspace");
    await workspace.fill("w");
    await line.emit("w/failing", ["request.created", { requestId: "later", prompt: "Told while one types" }]);
    await line.emit("w/failing", ["request.failed", { requestId: "later", error: "no" }]);
    await expect.poll(texts).toEqual(["Told while one types", "Told to fail", ...failed]);
    expect(await workspace.inputValue()).toBe("w");
    await page.keyboard.press("Enter");
    await expect.poll(texts).toEqual(["Told while one types", "Told to fail"]);
    await page.getByRole("link", { name: "Told to fail" }).click();
    await page.waitForURL(/#\/session\/w\/failing$/);
  });

  it("Panel: only sessions and requests begun in the chosen span are listed", async () => {
    const page = await openAt("#/overview", ".overview tbody tr");
    const asked = page.waitForRequest(/\/v1\/sessions\?since=/);
    const before = await page.evaluate(() => Date.now());
    await page.getByLabel("Sessions by time").selectOption("the last hour");
    const since = Number(new URL((await asked).url()).searchParams.get("since"));
    expect(Math.abs(before - 3_600_000 - since)).toBeLessThan(60_000);
    await page.getByRole("region", { name: "Sessions" }).locator("tbody tr").first().waitFor();
    expect(await line.read(`/v1/sessions?since=${Date.now() + 1_000_000}`)).toEqual({ items: [] });
  });

  it("Panel: the engine's progress is shown in words, and the sessions under their columns' names", async () => {
    const page = await openAt("#/overview", ".overview tbody tr");
    const { position } = await line.read<{ position: number }>("/v1/stats");
    expect(await page.locator(".overview > header p").textContent()).toBe(
      "Up to date · everything published",
    );
    await page.locator(".link .figures", { hasText: `${position} message` }).waitFor();
    const names = page.getByRole("region", { name: "Sessions" }).locator("thead th");
    await expect
      .poll(() => names.allInnerTexts())
      .toEqual(["Title", "Where", "State", "Calls", "Last heard of"]);
    expect((await names.first().boundingBox())?.width).toBeGreaterThan(20);
  });

  it("Panel: a call about a file is named after the file; batches and causes say what they are", async () => {
    const asking = await openAt(`#/session/${ASKING}`, ".call.asking");
    expect(await asking.locator(".call.asking .gist").textContent()).toBe("/home/you/docs/index.md");
    const denied = await openAt(`#/session/${DENIED}`, ".call.taken");
    expect(await denied.locator("caption").textContent()).toBe("batch 1 · 4 calls");
    const cascade = denied.locator(".chip", { hasText: "Denied · with another call" }).first();
    expect(await cascade.getAttribute("title")).toBe(
      "The call was denied along with another call of the same turn. (denied, cascade)",
    );
    expect(await denied.locator(".call .took").first().getAttribute("title")).toMatch(/^Bash · .+ · 0\.9 s$/);
  });

  it("Panel, STANDING-1, LISTED-1: a change shows at once, before anything is read again", async () => {
    const page = await openAt("#/overview", ".overview tbody tr");
    const count = async (tile: number, state: string): Promise<string | undefined> => {
      const counts = page.locator(".tiles .tile").nth(tile).locator(".counts div", { hasText: state });
      const [shown] = await counts.locator("dd").allTextContents();
      return shown ?? "0";
    };
    const before = Number(await count(0, "running"));
    await page.route(/\/v1\/(stats|sessions|requests)/, () => undefined);
    await line.emit("w/told", ["session.started", { title: "Told of" }]);
    await line.emit("w/told", ["request.created", { requestId: "told" }]);
    await line.emit("w/told", ["request.processing", { requestId: "told" }]);
    const row = page.locator(".overview tbody tr").first();
    await expect.poll(() => row.textContent()).toContain("Told of");
    await expect.poll(() => row.textContent()).toContain("Running");
    await expect.poll(() => count(0, "running")).toBe(String(before + 1));
    await page.unrouteAll();
  });

  it("Panel: a dead letter says why, and can be tried again", async () => {
    const unknown = { specversion: "1.0", id: "u1", source: "test", type: "nobody.knows", subject: "w/s" };
    await line.engine.send([{ ...unknown, data: {} }]);
    const { items } = await line.read<{ items: readonly { code: string; reason: string }[] }>(
      "/v1/dead-letters",
    );
    const page = await openAt("#/letters", ".letter");
    const head = await page.locator(".letter-group header").first().textContent();
    expect([head, head]).toEqual([
      expect.stringContaining(items[0]?.code ?? "a code"),
      expect.stringContaining(items[0]?.reason ?? "a reason"),
    ]);
    expect(await page.locator(".letter summary").first().textContent()).toContain('"id":"u1"');
    await page.locator(".letter summary").first().click();
    await page.getByRole("button", { name: "Try again" }).first().click();
    await page.locator(".letter [role=status]").first().waitFor();
    expect(items[0]?.code).toBe("UNKNOWN_TYPE");
  });

  it("Panel: of a session with more than a thousand changes the newest are shown, older ones on demand", async () => {
    const many = Array.from({ length: 400 }, (_, n) => n);
    await line.emit("w/long", ["request.created", { requestId: "long-0", prompt: "The very first" }]);
    for (const from of [0, 100, 200, 300])
      await line.emit(
        "w/long",
        ...many
          .slice(from, from + 100)
          .flatMap((n) => [
            ["request.created", { requestId: `long-${n + 1}` }] as const,
            ["request.processing", { requestId: `long-${n + 1}` }] as const,
            ["request.completed", { requestId: `long-${n + 1}` }] as const,
          ]),
      );
    const page = await openAt("#/session/w/long", ".request");
    // The newest 200 changes are drawn first, and those before them at once after that.
    await expect.poll(() => page.locator(".request").count()).toBe(200);
    expect(await page.getByText("The very first").count()).toBe(0);
    await page.getByRole("button", { name: "Show earlier requests: 134" }).click();
    await expect.poll(() => page.locator(".request").count()).toBe(334);
    await page.getByRole("button", { name: "Read further back" }).click();
    await page.locator(".request").getByText("The very first").waitFor();
    expect(await page.locator(".request").count()).toBe(401);
    expect(await page.getByRole("button", { name: "Read further back" }).count()).toBe(0);
  });

  it("LISTED-2: what was asked for under another filter joins no list", async () => {
    const requests = Array.from({ length: 60 }, (_, n) => `many-${n}`);
    await line.emit("w/many", ...requests.map((requestId) => ["request.created", { requestId }] as const));
    await line.emit("few/few", ["request.created", { requestId: "few", prompt: "One of few" }]);
    const page = await openAt("#/overview", ".overview tbody tr");
    let [go, end] = [(): void => undefined, (): void => undefined];
    const held = new Promise<void>((resolve) => (go = resolve));
    const ended = new Promise<void>((resolve) => (end = resolve));
    await page.route(/\/v1\/requests\?.*cursor=/, async (asking) => {
      await held;
      const { pathname, search } = new URL(asking.request().url());
      // The page may no longer wait for it.
      await asking.fulfill({ json: await line.read<object>(pathname + search) }).catch(() => undefined);
      end();
    });
    const list = page.getByRole("region", { name: "Requests" });
    const texts = () => list.locator("tbody th").allTextContents();
    await list.getByRole("button", { name: "More" }).click();
    const workspace = page.getByLabel("Requests by workspace");
    await workspace.fill("few");
    await workspace.press("Enter");
    await expect.poll(texts).toEqual(["One of few"]);
    go();
    await ended;
    // What came is drawn a moment later.
    await page.evaluate("new Promise((drawn) => setTimeout(() => requestAnimationFrame(drawn), 300))");
    expect(await texts()).toEqual(["One of few"]);
  });

  it("Panel, WINDOW-1, BEFORE-1: a request with more calls than are read at first shows its own words, its newest calls and the chart of its first", async () => {
    const call = (n: number) => ({ requestId: "busy", toolUseId: `busy-${n}`, tool: "Bash", input: { n } });
    const calls = Array.from({ length: 400 }, (_, n) => n).flatMap((n) => [
      ["tool.started", call(n)] as const,
      ["tool.finished", { ...call(n), output: "ok" }] as const,
    ]);
    await line.emit("w/busy", ["session.started", { title: "A busy one" }]);
    await line.emit("w/busy", ["request.created", { requestId: "busy", prompt: "All of it" }]);
    await line.emit("w/busy", ["request.processing", { requestId: "busy" }]);
    for (let from = 0; from < calls.length; from += 100)
      await line.emit("w/busy", ...calls.slice(from, from + 100));
    const page = await openAt("#/session/w/busy", ".call");
    await page.locator(".request").getByText("All of it").waitFor();
    await page.getByRole("heading", { name: "A busy one" }).waitFor();
    const firstIndex = () => page.locator(".call .index").first().textContent();
    // Four changes a call: 200 are read at first.
    expect([await page.locator(".call").count(), await firstIndex()]).toEqual([50, "351"]);
    await page.getByRole("button", { name: /^Show earlier calls: \d+$/ }).click();
    await expect.poll(() => page.locator(".call").count()).toBeGreaterThan(199);
    expect(await page.locator(".call .index").last().textContent()).toBe("400");
    // Around a chosen call all of the first page is read at once, and as much is drawn as there is room.
    await page.goto("/?again#/session/w/busy/busy-399");
    await page.locator(".call[aria-current=true]").waitFor();
    expect([await page.locator(".call").count(), await firstIndex()]).toEqual([199, "202"]);
    await page.goto("/#/machine/w/busy/call/busy-0");
    await page.locator(".state.lit").first().waitFor();
    await page.getByText("Running → Completed").waitFor();
  });

  it("Panel: script and style together weigh at most 60 kB, compressed", () => {
    const folder = join(import.meta.dirname, "..", "..", "..", "dist", "adapters", "panel", "app");
    const names = readdirSync(folder).filter((name) => /^(index\.html|app-\w+\.(js|css))$/.test(name));
    expect(names).toHaveLength(3);
    const bytes = names.map((name) => gzipSync(readFileSync(join(folder, name))).length);
    expect(bytes.reduce((sum, each) => sum + each, 0)).toBeLessThanOrEqual(60 * 1024);
  });
});
